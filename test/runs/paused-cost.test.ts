import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWfRuns, outletHttp } from '@atscript/moost-wf'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testEngines } from '../support/databases'
import { openDurableApp, paused } from '../support/durable-app'
import { RunDatabase } from '../support/run-stores'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
const PAUSED = 10_000
const HELD = 100
const AN_HOUR_MS = 60 * 60_000
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const

interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** How each database finds the rows, and how many it looks at. */
const EXPLAIN: Record<string, (url: string, statement: Statement) => Promise<void>> = {
  SQLite: async (url, { text, parameters }) => {
    const plan = new DatabaseSync(url).prepare(`explain query plan ${text}`).all(...parameters)
    expect(JSON.stringify(plan)).toMatch(
      /SEARCH wf_runs USING (COVERING )?INDEX wf_runs__due_idx \(dueAt<\?\)/u,
    )
  },
  PostgreSQL: async (url, { text, parameters }) => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('analyze "wf_runs"')
    const explained = client.query(`explain analyze ${text}`, [...parameters])
    const { rows } = await explained.finally(() => client.end())
    const plan = JSON.stringify(rows)
    expect(plan).toMatch(/Index (Only )?Scan using wf_runs__due_idx/u)
    // An index that is only read in its order would be read as a whole.
    expect(plan).toMatch(/Index Cond: \(\\?"dueAt\\?"/u)
    expect(plan).not.toContain('Rows Removed by Filter')
  },
  MariaDB: async (url, { text, parameters }) => {
    const connection = await mysql.createConnection(url)
    await connection.query('analyze table `wf_runs`')
    const [rows] = await connection.query(`explain ${text}`, [...parameters])
    await connection.end()
    const [plan] = rows as { type: string; key: string; rows: string }[]
    expect(plan).toMatchObject({ type: 'range', key: 'wf_runs__due_idx' })
    expect(Number(plan!.rows)).toBeLessThan(HELD)
  },
}

describe.each(testEngines())('runs that wait cost nothing, on $name', engine => {
  let database: RunDatabase
  beforeAll(async () => {
    database = await RunDatabase.create(engine, true)
    const soon = Date.now() + AN_HOUR_MS
    const rows = Array.from({ length: PAUSED + HELD }, (_, n) => ({
      flowId: `f${n}`,
      schemaId: 'shop/order',
      status: 'paused' as const,
      version: 2,
      state: { context: { n }, indexes: [0] },
      startedAt: n,
      dueAt: n < PAUSED ? undefined : soon,
    }))
    for (let at = 0; at < rows.length; at += 1000) {
      await database.runs.insertMany(rows.slice(at, at + 1000))
    }
  })
  afterAll(() => database.drop())

  /** A store that tells how often it has sent something to its database. */
  function countingStore() {
    let count = 0
    const counted = <T extends object>(part: T): T =>
      new Proxy(part, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key)
          if (typeof value !== 'function' || key === 'type') return value
          return (...given: unknown[]) => {
            if (key !== 'now') count++
            return Reflect.apply(value, target, given) as unknown
          }
        },
      })
    const { space, runs, events, links } = database
    const parts = { space, runs, events, links }
    const all = Object.entries(parts).map(([name, part]) => [name, counted(part as object)])
    const store = database.store({ clock: Date, ...Object.fromEntries(all) })
    count = 0
    return { store, count: () => count }
  }

  it('a look finds what is due by its index, whatever else waits or is held', async () => {
    const { space, runs, database: at } = database
    const statement = runs.toSql('findMany', {
      filter: { dueAt: { $lte: space.now() } },
      controls: { $sort: { dueAt: 1 }, $limit: 10, $select: ['flowId', 'schemaId', 'dueAt'] },
    })
    await EXPLAIN[engine.name]!(at.url, statement)
    const next = runs.toSql('findMany', {
      filter: { dueAt: { $lte: space.now(1000) } },
      controls: { $sort: { dueAt: 1 }, $limit: 1, $select: ['dueAt'] },
    })
    await EXPLAIN[engine.name]!(at.url, next)
    expect(await database.store({ clock: Date }).due(10)).toEqual([])
  })

  it('without a worker nothing is sent, and nothing is waited for', async () => {
    const { store, count } = countingStore()
    const app = await openDurableApp({ runs: store, clock: database.clock })
    vi.useFakeTimers({ toFake: [...TIMERS] })
    try {
      const before = vi.getTimerCount()
      createWfRuns({ ...app.runConfig, worker: false }, app.wf)
      expect(vi.getTimerCount()).toBe(before)
      await vi.advanceTimersByTimeAsync(AN_HOUR_MS)
      expect(count()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('with a worker there is one look a second', async () => {
    const { store, count } = countingStore()
    const app = await openDurableApp({ runs: store, clock: database.clock })
    const looks = vi.spyOn(store, 'nextDue')
    // Looks are spread, later and never earlier.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    vi.useFakeTimers({ toFake: [...TIMERS] })
    try {
      const runs = createWfRuns(app.runConfig, app.wf)
      for (let second = 1; second <= 5; second++) {
        await vi.advanceTimersByTimeAsync(999)
        expect(looks).toHaveBeenCalledTimes(second - 1)
        await vi.advanceTimersByTimeAsync(1)
        expect(looks).toHaveBeenCalledTimes(second)
        await looks.mock.results.at(-1)!.value
        // What follows a look is set up when its answer is there.
        await new Promise(resolve => setImmediate(resolve))
      }
      expect(count()).toBe(5)
      expect(app.ran).toEqual([])
      await runs.stop()
      await vi.advanceTimersByTimeAsync(AN_HOUR_MS)
      expect(count()).toBe(5)
    } finally {
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
  })

  it('a process holds no memory for those that it has brought there', async () => {
    const store = database.store({ clock: Date })
    const app = await openDurableApp({ runs: store, clock: database.clock })
    const filler = 'x'.repeat(2000)
    app.deeds.ask = ctx => {
      ctx.filler = `${filler}${Math.random()}`
      return outletHttp({ ask: 'name' })
    }
    createWfRuns({ ...app.runConfig, worker: false }, app.wf)
    const bring = async (count: number) => {
      for (let at = 0; at < count; at += 10) {
        await Promise.all(
          Array.from({ length: 10 }, async () => paused(await app.runner.start('shop/order'))),
        )
      }
      app.ran.length = 0
      return heapUsed()
    }
    const before = await bring(300)
    let after = before
    for (let round = 0; round < 5; round++) after = await bring(200)
    // What comes and goes evens out over the rounds; whoever holds a run holds its filler.
    expect((after - before) / 1000).toBeLessThan(filler.length / 2)
  })
})

/** Bytes that are still reachable. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
