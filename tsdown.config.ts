import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/moost/index.ts', 'src/http/index.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  unbundle: false,
})
