import { createRequire } from 'node:module'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { SqliteDatabase } from '@atscript/moost-wf/db/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SuiteType } from '../../src/testing/table/suite-type'
import { testEngines } from '../support/databases'

const require = createRequire(import.meta.url)

/** Runs a statement that is not ours, as an administrator would. */
const administer: Record<string, (url: string, sql: string) => Promise<unknown>> = {
  SQLite: async (url, sql) => {
    const { DatabaseSync } = require('@photostructure/sqlite') as {
      DatabaseSync: new (path: string) => SqliteDatabase
    }
    const database = new DatabaseSync(url)
    database.exec(sql)
    database.close()
  },
  PostgreSQL: async (url, sql) => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  },
  MariaDB: async (url, sql) => {
    const connection = await mysql.createConnection(url)
    await connection.query(sql).finally(() => connection.end())
  },
}

/** Makes a column narrower than the schema knows. */
const NARROW: Record<string, readonly string[]> = {
  SQLite: [
    'alter table suite_rows rename to wide_rows',
    'create table suite_rows as select * from wide_rows',
    'alter table suite_rows add column narrow text check (narrow is null)',
    'alter table suite_rows drop column "long"',
    'alter table suite_rows rename column narrow to "long"',
  ],
  PostgreSQL: ['alter table suite_rows alter column "long" type varchar(3)'],
  MariaDB: ['alter table suite_rows modify `long` varchar(3)'],
}

describe.each(testEngines())('a value that $name itself refuses', ({ name, create }) => {
  it('is a row that does not fit, and what was in it is not told', async () => {
    const database = await create()
    const space = database.open()
    space.table(SuiteType)
    await space.sync()
    await space.close()
    for (const sql of NARROW[name]!) await administer[name]!(database.url, sql)
    const reopened = database.open()
    onTestFinished(async () => {
      await reopened.close()
      await database.drop()
    })
    const error: unknown = await reopened
      .table(SuiteType)
      .insertOne({ key: 'a', long: 'a secret that is too long' })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'WF_DB_ROW' })
    expect(String((error as Error).cause)).not.toContain('a secret')
  })
})
