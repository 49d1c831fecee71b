import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** The pages of the example, which the browser runs. The server's own is vite.config.ts. */
export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  plugins: [vue()],
  build: {
    outDir: fileURLToPath(new URL('./dist', import.meta.url)),
    emptyOutDir: true,
    // An inlined asset is a data: URL, which the pages' Content-Security-Policy does not allow.
    assetsInlineLimit: 0,
  },
})
