import { defineConfig } from '@atscript/core'
import wf from '@atscript/moost-wf/plugin'
import typescript from '@atscript/typescript'

export default defineConfig({
  rootDir: 'schemas',
  format: 'dts',
  plugins: [typescript(), wf()],
})
