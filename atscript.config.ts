import { defineConfig } from '@atscript/core'
import typescript from '@atscript/typescript'

export default defineConfig({
  rootDir: 'test/fixtures/schemas',
  format: 'dts',
  plugins: [typescript()],
})
