import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import atscript from 'unplugin-atscript'
import { defineConfig } from 'vitest/config'
import { ClosingLineReporter } from './test/support/closing-line.reporter'

const src = fileURLToPath(new URL('./src', import.meta.url))
const standIn = fileURLToPath(
  new URL('./test/fixtures/packages/moostjs-event-wf.ts', import.meta.url),
)
const schemas = fileURLToPath(new URL('./schemas', import.meta.url))

export default defineConfig({
  plugins: [atscript.vite()],
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  optimizeDeps: { noDiscovery: true, include: [] },
  resolve: {
    alias: [
      // The public package is not installed: a stand-in with its names.
      { find: '@moostjs/event-wf', replacement: standIn },
      { find: /^@atscript\/moost-wf$/u, replacement: `${src}/index.ts` },
      // Compiled .as files append another .as to what was written.
      {
        find: /^@atscript\/moost-wf\/store\.as(?:\.as)?$/u,
        replacement: `${schemas}/AsWfStateRecord.as`,
      },
      {
        find: /^@atscript\/moost-wf\/ledger\.as(?:\.as)?$/u,
        replacement: `${schemas}/AsWfLedgerRecord.as`,
      },
      {
        find: /^@atscript\/moost-wf\/runs\.as(?:\.as)?$/u,
        replacement: `${schemas}/AsWfRunRecords.as`,
      },
      // What these folders share with one another is not what they publish.
      {
        find: /^@atscript\/moost-wf\/(http|run|strategies|trigger)$/u,
        replacement: `${src}/$1/public.ts`,
      },
      { find: /^@atscript\/moost-wf\/(.+)$/u, replacement: `${src}/$1/index.ts` },
    ],
  },
  test: {
    include: [process.env.WF_TEST_FILES ?? 'test/**/*.test.ts'],
    reporters: ['default', new ClosingLineReporter()],
    globalSetup: ['test/build.setup.ts', 'test/databases.setup.ts'],
    setupFiles: ['test/setup.ts'],
    // What a file imports is most of its start, so the files of a worker share it. Whatever a test
    // stubs is taken back for it.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Tests wait for databases, browsers and processes: one worker leaves half of two cores idle.
    maxWorkers: availableParallelism(),
    // An application starts in `beforeAll`, perhaps on a busy machine.
    hookTimeout: 60_000,
    // Nor does what is looked for again and again come within a second there.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: process.env.WF_TEST_SCALE === 'full' ? 600_000 : 60_000,
  },
})
