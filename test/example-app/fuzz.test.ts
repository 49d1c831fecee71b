import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresDatabase, type TestDatabase } from '../support/databases'
import { type ExampleApp, startExampleApp } from '../support/example-app'
import { scaled } from '../support/scale'
import { type FuzzResult, runCase } from './fuzz/fuzz-case'
import { closeConnections } from './fuzz/send'
import { World } from './fuzz/world'

const COUNT = 2000
const IN_FLIGHT = 8
/** Enough to see what is wrong, and an end for a run in which nothing is answered. */
const MOST_BAD = 20

// The same for everybody who runs the tests; another one with each full run.
const seed = Number(
  process.env.WF_FUZZ_SEED || scaled(637_870_302, Math.floor(Math.random() * 2 ** 31)),
)
console.log(`The seed of the fuzz is ${seed}; WF_FUZZ_SEED=${seed} repeats it.`)

afterAll(closeConnections)

const DATABASES: readonly [string, () => Promise<TestDatabase | undefined>][] = [
  ['SQLite', async () => undefined],
  ['PostgreSQL', postgresDatabase],
]

describe.each(DATABASES)('the application on %s', (_, create) => {
  it(`answers ${COUNT} odd requests, none of them with a failure or too late (seed ${seed})`, async () => {
    const database = await create()
    onTestFinished(() => database?.drop())
    // Each request can come from another address then.
    const app = await startExampleApp({
      TRUST_PROXY: '1',
      ...(database && { DATABASE_URL: database.url }),
    })
    const world = await World.open(app)
    const results = await runAll(app, world)
    expect(results.flatMap(({ problems }) => problems)).toEqual([])
    expect(world.missing()).toEqual([])
    expect(app.output()).not.toMatch(/failed|Unhandled|Error/u)
    expect(app.child.exitCode).toBeNull()
    const visitor = app.visitor()
    await visitor.signIn('member@example.com', 'member-password')
    expect(await visitor.user()).toMatchObject({ role: 'member' })
    expect(await app.stop()).toEqual([0, null])
  }, 600_000)
})

async function runAll(app: ExampleApp, world: World): Promise<FuzzResult[]> {
  const url = new URL(app.url)
  const results: FuzzResult[] = []
  let next = 0
  const isBad = () => results.filter(({ problems }) => problems.length > 0).length >= MOST_BAD
  const work = async () => {
    while (next < COUNT && !isBad()) results.push(await runCase(url, world, seed, next++))
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  // A machine may be slow for a moment. What hangs does so again, with nothing beside it.
  for (const { index } of results.filter(({ isSlow }) => isSlow)) {
    const again = await runCase(url, world, seed, index)
    expect(again.isSlow, `case ${index} takes too long`).toBe(false)
  }
  return results
}
