import { createRequire } from 'node:module'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'
import { testEngines } from '../support/databases'
import { readFile } from '../support/project'

const [either, postgres, mariadb] = [
  ...readFile('docs/database.md').text.matchAll(/```sql\n([\s\S]*?)```/gu),
].map(([, block = '']) => block)

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')

/** Each sample, as someone runs it with a client of their own. */
const CLIENTS: Record<
  string,
  { samples: unknown[]; run(url: string, sql: string): Promise<unknown[]> }
> = {
  SQLite: {
    samples: [either],
    run: async (url, sql) => new DatabaseSync(url).prepare(sql).all(),
  },
  PostgreSQL: {
    samples: [either, postgres],
    run: async (url, sql) => {
      const client = new pg.Client(url)
      await client.connect()
      return (await client.query(sql).finally(() => client.end())).rows
    },
  },
  MariaDB: {
    samples: [mariadb],
    run: async (url, sql) => {
      const connection = await mysql.createConnection(url)
      const [rows] = await connection.query(sql).finally(() => connection.end())
      return rows as unknown[]
    },
  },
}

describe.each(testEngines())('the SQL in docs/database.md, on $name', ({ name, create }) => {
  const { samples, run } = CLIENTS[name]!

  it.each(samples)('finds the paused flow: %s', async sample => {
    const database = await create()
    const space = database.open()
    const table = space.table(WfStateRow)
    await space.sync()
    await table.insertOne({
      handle: 'h',
      schemaId: 'users/invite',
      state: { context: { email: 'alice@example.com' }, indexes: [0] },
      version: 1,
      createdAt: 1,
      updatedAt: 1,
      expiresAt: 1,
      inviteEmail: 'alice@example.com',
    })
    const rows = await run(database.url, String(sample))
    await space.close()
    await database.drop()
    expect(rows).toHaveLength(1)
    expect(Object.values(rows[0] as object)).toEqual(
      expect.arrayContaining(['h', 'alice@example.com']),
    )
  })
})
