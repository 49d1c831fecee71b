import { createRequire } from 'node:module'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { useStateDatabase } from '../support/state-workers'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
const ROWS = 5000

/** What each database says of how it would find the rows. */
const EXPLAIN: Record<string, (url: string, where: string) => Promise<string>> = {
  SQLite: async (url, where) =>
    JSON.stringify(
      new DatabaseSync(url)
        .prepare(`explain query plan select * from "wf_states" where ${where}`)
        .all(),
    ),
  PostgreSQL: async (url, where) => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('analyze "wf_states"')
    const { rows } = await client.query(`explain select * from "wf_states" where ${where}`)
    await client.end()
    return JSON.stringify(rows)
  },
  MariaDB: async (url, where) => {
    const connection = await mysql.createConnection(url)
    await connection.query('analyze table `wf_states`')
    const [rows] = await connection.query(
      `explain select * from \`wf_states\` where ${where.replaceAll('"', '`')}`,
    )
    await connection.end()
    return JSON.stringify(rows)
  },
}

describe.each(testEngines())('an index on $name', engine => {
  const { url, table, store } = useStateDatabase(engine)

  const WHERE: [string, string][] = [
    ['a shadow column', `"applicant" = 'user7'`],
    ['a range of a shadow column', `"amount" >= 4990`],
    ['a handle', `"handle" = 'h7'`],
    ['a flow', `"flowId" = 'f7'`],
    ['what has expired', `"expiresAt" <= 5`],
  ]
  const INDEXES = ['applicant_idx', 'amount_idx', 'handle_idx', 'flow_idx', 'expires_idx']

  it('is used for shadow columns, handles, flows and the cleanup', async () => {
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      handle: `h${n}`,
      schemaId: 'suite/flow',
      state: { context: { applicant: `user${n}`, amount: n }, indexes: [0] },
      version: 1,
      createdAt: 1,
      updatedAt: 1,
      flowId: `f${n}`,
      expiresAt: n + 1,
    }))
    await table().insertMany(rows)
    expect(await store().heal({ batchSize: 1000 })).toBe(ROWS)
    for (const [at, [what, where]] of WHERE.entries()) {
      const plan = await EXPLAIN[engine.name]!(url(), where)
      expect(plan, what).toContain(`wf_states__${INDEXES[at]}`)
    }
  })
})
