import { defineConfig } from '@atscript/core'
import wf from '@atscript/moost-wf/plugin'
import typescript from '@atscript/typescript'

export default defineConfig({
  rootDir: 'src',
  format: 'dts',
  plugins: [typescript(), wf()],
})
