import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'moost/index': 'src/moost/index.ts',
    'http/index': 'src/http/public.ts',
    'strategies/index': 'src/strategies/public.ts',
    'run/index': 'src/run/public.ts',
    'runs/index': 'src/runs/index.ts',
    'trigger/index': 'src/trigger/public.ts',
    'forms/index': 'src/forms/index.ts',
    'outlets/index': 'src/outlets/index.ts',
    'store/index': 'src/store/index.ts',
    'db/index': 'src/db/index.ts',
    'db/sqlite/index': 'src/db/sqlite/index.ts',
    'db/postgres/index': 'src/db/postgres/index.ts',
    'db/mysql/index': 'src/db/mysql/index.ts',
    'client/index': 'src/client/index.ts',
    'admin/index': 'src/admin/index.ts',
    'plugin/index': 'src/plugin/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
})
