import { fileURLToPath } from 'node:url'
import atscript from 'unplugin-atscript'
import { defineConfig } from 'vitest/config'
import { ClosingLineReporter } from './test/support/closing-line.reporter'

const src = fileURLToPath(new URL('./src', import.meta.url))

export default defineConfig({
  plugins: [atscript.vite()],
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  optimizeDeps: { noDiscovery: true, include: [] },
  resolve: {
    alias: [
      { find: /^@atscript\/moost-wf$/u, replacement: `${src}/index.ts` },
      { find: /^@atscript\/moost-wf\/(.+)$/u, replacement: `${src}/$1/index.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', new ClosingLineReporter()],
    globalSetup: ['test/build.setup.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: process.env.WF_TEST_SCALE === 'full' ? 600_000 : 60_000,
  },
})
