import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { nextMigration } from '../../example-app/worker/local/next-migration'
import { readWranglerConfig } from '../../example-app/worker/local/wrangler-config'
import { readFile as read, root } from '../support/project'
import { builtWorker } from '../support/worker-app'

const readFile = (path: string): string => read(path).text

const WORKER = 'example-app/worker'
const config = readWranglerConfig()

/** Handed over by `wrangler secret put`: a file must not have them. */
const SECRETS = ['MAIL_KEY', 'WF_SECRET']

it('names what the code uses, and nothing else', () => {
  const declared = readFile(`${WORKER}/src/worker-env.ts`).split('interface WorkerEnv')[1]!
  const used = [...declared.matchAll(/readonly ([A-Z][A-Z_]+)\??:/gu)].map(([, name]) => name)
  const named = [
    ...config.d1_databases.map(({ binding }) => binding),
    ...config.queues.producers.map(({ binding }) => binding),
    ...Object.keys(config.vars),
  ]
  expect([...named, ...SECRETS].toSorted()).toEqual(used.toSorted())
  expect(readFile(`${WORKER}/wrangler.jsonc`)).not.toMatch(/"(?:WF_SECRET|MAIL_KEY)"/u)
})

it('sets nothing that is of the demo', () => {
  expect(config.vars).toMatchObject({ PUBLIC_URL: '', MAIL_URL: '' })
})

it('runs what is built as it is, by a runtime that has what is imported', async () => {
  const outDir = await builtWorker()
  const { main, assets, compatibility_date, compatibility_flags, no_bundle } = config
  expect(no_bundle).toBe(true)
  expect(compatibility_flags).toEqual(['nodejs_compat'])
  // From then on `nodejs_compat` has the classes of `node:http`.
  expect(compatibility_date >= '2025-09-01').toBe(true)
  for (const path of [main, `${assets.directory}/index.html`, `${assets.directory}/app.js`]) {
    expect(path).toMatch(/^dist\//u)
    expect(existsSync(join(outDir, path.replace('dist/', ''))), path).toBe(true)
  }
  expect(assets.run_worker_first).toEqual(['/api/*'])
  const { scripts } = JSON.parse(readFile(`${WORKER}/package.json`))
  expect(config.build.command).toBe('npm run build')
  expect(scripts.build).toBeTruthy()
})

it('consumes the queue that it fills, and is woken each minute', () => {
  const { producers, consumers } = config.queues
  expect(consumers.map(({ queue }) => queue)).toEqual(producers.map(({ queue }) => queue))
  const events = readFile(`${WORKER}/src/handle-events.ts`)
  const [, eachMinute] = /EACH_MINUTE = '([^']+)'/u.exec(events)!
  expect(config.triggers.crons).toContain(eachMinute)
  expect(config.triggers.crons).toHaveLength(2)
})

it('has migrations that make all that the schemas say', async () => {
  const folder = join(root, WORKER, config.d1_databases[0]!.migrations_dir)
  expect(readdirSync(folder).every(name => /^\d{4}_\w+\.sql$/u.test(name))).toBe(true)
  expect(await nextMigration(folder)).toBe('')
  const none = mkdtempSync(join(tmpdir(), 'moost-wf-migrations-'))
  onTestFinished(() => rmSync(none, { recursive: true }))
  expect(await nextMigration(none)).toBe(readFile(`${WORKER}/migrations/0001_tables.sql`))
})
