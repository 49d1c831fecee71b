import { defineConfig } from 'vite'

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  optimizeDeps: { noDiscovery: true, include: [] },
})
