import { DbSpace } from '@atscript/moost-wf/db'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SqliteDriver } from '../../src/db/sqlite/sqlite-driver'
import { sqliteEngine } from '../../src/db/sqlite/sqlite-engine'
import { SuiteType } from '../../src/testing/table/suite-type'
import { openFile, sqliteDatabase, type TestDatabase } from '../support/databases'

const many = (length: number) => Array.from({ length }, (_, n) => `${n}`)

describe('a database that takes few parameters', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await sqliteDatabase()
    onTestFinished(() => database.drop())
  })

  async function openTable(limits: object) {
    const driver = new SqliteDriver({ database: openFile(database.url), busyTimeoutMs: 5000 })
    const space = new DbSpace({ ...sqliteEngine(driver), ...limits })
    const table = space.table(SuiteType)
    await space.sync()
    onTestFinished(() => space.close())
    return table
  }

  it('gets a long list in one of them, and finds the rows by the index', async () => {
    const table = await openTable({ maxParameters: 100 })
    const { text, parameters } = table.toSql('findMany', { filter: { key: { $in: many(150) } } })
    expect(parameters).toEqual([JSON.stringify(many(150))])
    const plan = openFile(database.url).prepare(`explain query plan ${text}`)
    expect(plan.all(String(parameters[0]))).toMatchObject([
      { detail: expect.stringContaining('USING INDEX suite_rows__key_idx') },
    ])
  })

  it('gets a list that fits as it is', async () => {
    const table = await openTable({ maxParameters: 100 })
    const { parameters } = table.toSql('findMany', { filter: { key: { $in: many(100) } } })
    expect(parameters).toEqual(many(100))
  })

  it('refuses a longer one where it cannot be packed, and says how many there may be', async () => {
    const table = await openTable({ maxParameters: 20, packValues: undefined })
    await table.insertMany(many(50).map(key => ({ key })))
    expect(await table.count({ filter: { key: { $in: many(20) } } })).toBe(20)
    const refused = { code: 'WF_DB_FILTER', message: expect.stringContaining('20 values at once') }
    await expect(table.count({ filter: { key: { $in: many(21) } } })).rejects.toMatchObject(refused)
    const deleting = table.deleteMany({ key: { $in: many(21) } })
    await expect(deleting).rejects.toMatchObject(refused)
  })
})
