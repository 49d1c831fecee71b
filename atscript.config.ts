import { defineConfig } from '@atscript/core'
import typescript from '@atscript/typescript'
import { wfPlugin } from './src/plugin'

export default defineConfig({
  rootDir: '.',
  include: [
    'schemas/**/*.as',
    'test/fixtures/schemas/**/*.as',
    'example-app/schemas/**/*.as',
    'example-app/worker/schemas/**/*.as',
  ],
  format: 'dts',
  plugins: [typescript(), wfPlugin()],
})
