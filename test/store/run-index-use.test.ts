import { createRequire } from 'node:module'
import { AsWfRunStore, type WfSql } from '@atscript/moost-wf/store'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stateFilter } from '../../src/admin/runs/run-state'
import { WfEventRow, WfLinkRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { testEngines } from '../support/databases'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
const ROWS = 5000
const NOW = 1_700_000_000_000

/** What each database says of how it would answer. */
const EXPLAIN: Record<string, (url: string, sql: WfSql) => Promise<string>> = {
  SQLite: async (url, { text, parameters }) =>
    JSON.stringify(new DatabaseSync(url).prepare(`explain query plan ${text}`).all(...parameters)),
  PostgreSQL: async (url, { text, parameters }) => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client
      .query(`explain ${text}`, [...parameters])
      .finally(() => client.end())
    return JSON.stringify(rows)
  },
  MariaDB: async (url, { text, parameters }) => {
    const connection = await mysql.createConnection(url)
    const [rows] = await connection
      .query(`explain ${text}`, [...parameters])
      .finally(() => connection.end())
    return JSON.stringify(rows)
  },
}

const ANALYZE: Record<string, (url: string, table: string) => Promise<unknown>> = {
  SQLite: async () => undefined,
  PostgreSQL: async (url, table) => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(`analyze "${table}"`).finally(() => client.end())
  },
  MariaDB: async (url, table) => {
    const connection = await mysql.createConnection(url)
    await connection.query(`analyze table \`${table}\``).finally(() => connection.end())
  },
}

describe.each(testEngines())('the queries of the console on $name', ({ name, create }) => {
  it('use an index of the table of runs', async () => {
    const database = await create()
    const space = database.open()
    const runs = space.table(WfRunRow)
    await space.sync()
    onTestFinished(async () => {
      await space.close()
      await database.drop()
    })
    const statuses = ['completed', 'completed', 'paused', 'completed', 'failed', 'cancelled']
    await runs.insertMany(
      Array.from({ length: ROWS }, (_, at) => ({
        flowId: `run-${at}`,
        schemaId: `orders/flow-${at % 50}`,
        status: statuses[at % statuses.length] as 'paused',
        version: 1,
        stepId: 'orders/sign',
        startedAt: NOW - at * 60_000,
        completedAt: at % statuses.length === 2 ? null : NOW - at * 50_000,
        updatedAt: NOW - at * 50_000,
        state: { context: { order: at, text: 'x'.repeat(200) }, indexes: [0] },
      })),
    )
    await ANALYZE[name]!(database.url, runs.name)
    const [events, links] = [space.table(WfEventRow), space.table(WfLinkRow)]
    const store = new AsWfRunStore({ space, runs, events, links })
    /** What a page that is behind a run asks its table. */
    async function queryOfPage(table: typeof runs, after: { startedAt: number; flowId: string }) {
      const asked: Parameters<typeof runs.findMany>[0][] = []
      const findMany = async (query: Parameters<typeof runs.findMany>[0]) => {
        asked.push(query)
        return []
      }
      const recorded = Object.create(table, { findMany: { value: findMany } }) as typeof runs
      await new AsWfRunStore({ space, runs: recorded, events, links }).page({ limit: 21, after })
      return asked[0]!
    }
    const page = { $sort: { startedAt: -1, flowId: 1 }, $limit: 21 } as const
    const asked: [string, WfSql | null, RegExp][] = [
      [
        'a page of those that are done',
        store.toSql('list', { filter: stateFilter('done', NOW) as never, controls: page }),
        /started_idx/u,
      ],
      [
        'a page of live ones',
        store.toSql('list', { filter: stateFilter('live', NOW) as never, controls: page }),
        /started_idx/u,
      ],
      [
        'a page of those that have expired',
        store.toSql('list', { filter: stateFilter('expired', NOW) as never, controls: page }),
        /started_idx/u,
      ],
      [
        'the next page',
        runs.toSql(
          'findMany',
          await queryOfPage(runs, { startedAt: NOW - 60_000, flowId: 'run-1' }),
        ),
        /started_idx(?!.*TEMP B-TREE FOR ORDER BY)/u,
      ],
      [
        'how many have expired',
        store.toSql('count', { filter: stateFilter('expired', NOW) as never }),
        /status_started_idx/u,
      ],
      [
        'what has begun since',
        store.toSql('count', { filter: { startedAt: { $gte: NOW - 60 * 60_000 } } }),
        /started_idx/u,
      ],
      [
        'what has ended since',
        store.toSql('count', {
          filter: { status: 'completed', completedAt: { $gte: NOW - 60 * 60_000 } },
        }),
        /completed_idx|status_started_idx/u,
      ],
      [
        'where the runs of a workflow stand',
        store.toSql('count', {
          filter: { $and: [{ schemaId: 'orders/flow-7' }, stateFilter('live', NOW)] } as never,
        }),
        /schema_idx/u,
      ],
    ]
    for (const [what, sql, index] of asked) {
      expect(await EXPLAIN[name]!(database.url, sql!), what).toMatch(index)
    }
  })
})
