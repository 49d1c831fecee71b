import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { postgresDatabase } from '../support/databases'
import { type DocumentedSample, writeSamples } from '../support/documented-samples'
import { freePort } from '../support/free-port'
import { unpackTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'

const VITE_CONFIG = `
import atscript from 'unplugin-atscript'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [atscript.vite()], optimizeDeps: { noDiscovery: true } })
`

const TSCONFIG = `{
  "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true },
  "include": ["docs"]
}`

/** Pages that run elsewhere: in a browser, which the client's tests do, in vitest, or in a Worker. */
const RUNS_ELSEWHERE = /^declare |moost-wf\/client'|moost-wf\/testing'|cloudflare:workers'/mu

const runsHere = ({ code }: DocumentedSample) => !RUNS_ELSEWHERE.test(code)

const project = new TempProject()
beforeAll(() => unpackTarball(project), 60_000)
afterAll(() => project.remove())

it('every sample of the docs that runs on a server does', async () => {
  const samples = writeSamples(project).filter(runsHere)
  expect(samples.length).toBeGreaterThan(20)
  project.write({
    'vite.config.ts': VITE_CONFIG,
    'tsconfig.json': TSCONFIG,
    // One after the other, in one process; a server that one of them starts ends with it.
    'run.ts': `
      ${samples.map(({ name }) => `await import('./${name}')\nconsole.log('${name} has run')`).join('\n')}
      process.exit(0)
    `,
  })
  const database = await postgresDatabase()
  onTestFinished(() => database.drop())
  Object.assign(project.env, {
    WF_SECRET: randomBytes(32).toString('base64url'),
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
  })
  const { code, output } = project.bin('vite-node', 'run.ts')
  const ran = output.match(/(?<=^).*(?= has run$)/gmu) ?? []
  expect(ran, output).toEqual(samples.map(({ name }) => name))
  expect(code).toBe(0)
})
