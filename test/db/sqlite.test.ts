import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { openSqlite, type SqliteDatabase } from '@atscript/moost-wf/db/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SuiteType } from '../../src/testing/table/suite-type'
import { sqliteDatabase, type TestDatabase } from '../support/databases'
import { beginElsewhere } from '../support/other-writer'

const require = createRequire(import.meta.url)
const { DatabaseSync } = require('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

describe('SQLite', () => {
  let database: TestDatabase
  const opened: { close(): unknown }[] = []
  const keep = <T extends { close(): unknown }>(one: T): T => {
    opened.push(one)
    return one
  }

  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await database.drop()
  })

  const openTable = async (options = {}) => {
    const space = keep(openSqlite(database.url, options))
    const table = space.table(SuiteType)
    await space.sync()
    return { space, table }
  }

  it.each([
    ['text is not null', 'sparse on (text)'],
    ["text <> ''", 'plain on (text, (partial))'],
  ])('tells an index of the rows where %s from one of all', async (where, what) => {
    const { space } = await openTable()
    const other = keep(new DatabaseSync(database.url))
    other.exec('drop index suite_rows__text_idx')
    other.exec(
      `create index suite_rows__text_idx on suite_rows ("text") where ${where.replace('text', '"text"')}`,
    )
    await expect(space.sync()).rejects.toMatchObject({
      code: 'WF_DB_SCHEMA',
      message: expect.stringContaining(`is ${what}, not plain on (text)`),
    })
  })

  it('waits for another process that writes, without blocking this one', async () => {
    const { table } = await openTable()
    const other = await beginElsewhere(database.url)
    const order: string[] = []
    const inserting = table.insertOne({ key: 'a' }).then(() => order.push('inserted'))
    // Timers run on here while the other one holds the file.
    for (let tick = 0; tick < 3; tick++) await setTimeout(5)
    order.push('committed')
    await other.commit()
    await inserting
    expect(order).toEqual(['committed', 'inserted'])
    expect(await table.count({ filter: {} })).toBe(1)
  })

  it('gives up on another process in the end, with an error', async () => {
    const { table, space } = await openTable({ busyTimeoutMs: 50 })
    const other = await beginElsewhere(database.url)
    const unavailable = { code: 'WF_DB_UNAVAILABLE' }
    await expect(table.insertOne({ key: 'a' })).rejects.toMatchObject(unavailable)
    await expect(table.takeOne({ key: 'a' })).rejects.toMatchObject(unavailable)
    await expect(space.transaction(async () => 1)).rejects.toMatchObject(unavailable)
    expect(await table.count({ filter: {} })).toBe(0)
    await other.commit()
    await table.insertOne({ key: 'a' })
    expect(await table.count({ filter: {} })).toBe(1)
  })

  it('tells a transaction that waits for itself', async () => {
    const { space, table } = await openTable({ busyTimeoutMs: 50 })
    const stuck = space.transaction(async () => table.count({ filter: {} }))
    await expect(stuck).rejects.toMatchObject({
      code: 'WF_DB_UNAVAILABLE',
      message: expect.stringContaining('use the tables that work is given'),
    })
    expect(await table.count({ filter: {} })).toBe(0)
  })

  it('writes ahead, so that readers and a writer do not wait for each other', async () => {
    const { table } = await openTable()
    await table.insertOne({ key: 'a' })
    const reader = keep(new DatabaseSync(database.url))
    expect(reader.prepare('pragma journal_mode').all()).toEqual([{ journal_mode: 'wal' }])
    await beginElsewhere(database.url, 'delete from suite_rows')
    expect(await table.count({ filter: {} })).toBe(1)
  })

  it('leaves all that was written in the file itself when it is closed', async () => {
    const space = openSqlite(database.url)
    space.table(SuiteType)
    await space.sync()
    const log = `${database.url}-wal`
    expect(statSync(log).size).toBeGreaterThan(0)
    await space.close()
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
  })

  it('works on a database that was opened elsewhere', async () => {
    const space = keep(openSqlite(new DatabaseSync(database.url)))
    const table = space.table(SuiteType)
    await space.sync()
    await table.insertOne({ key: 'a', flag: true })
    expect(await table.takeOne({ key: 'a' })).toMatchObject({ flag: true })
  })

  it('says what is wrong with a file that cannot be opened', () => {
    expect(() => openSqlite('/nowhere/at/all.db')).toThrow(
      expect.objectContaining({
        code: 'WF_CONFIG',
        message: expect.stringContaining('/nowhere/at/all.db'),
      }),
    )
  })

  it('refuses to write values of another type, whoever does it', async () => {
    await openTable()
    const other = keep(new DatabaseSync(database.url))
    const insert = () =>
      other.exec(`insert into suite_rows (id, key, version, role) values ('i', 'k', 'x', 'r')`)
    expect(insert).toThrow(/version/u)
  })

  it('reports a column that holds no JSON, without showing it', async () => {
    const { table } = await openTable()
    await table.insertOne({ key: 'a' })
    const other = keep(new DatabaseSync(database.url))
    other.exec(`update suite_rows set data = '{"secret'`)
    const error = await table.findOne({ filter: { key: 'a' } }).catch((e: unknown) => e as Error)
    expect(error).toMatchObject({ code: 'WF_DB_FAILED' })
    expect((error as Error).message).not.toContain('secret')
  })
})
