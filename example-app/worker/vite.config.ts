import atscript from 'unplugin-atscript'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [atscript.vite()],
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  optimizeDeps: { noDiscovery: true, include: [] },
})
