import { type DbSpace, deleteFrom, insertInto, updateIn } from '@atscript/moost-wf/db'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import mysql from 'mysql2'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { advance, commitTables, insertEvents, SuiteRun } from '../../src/testing/table/commit-types'
import { SuiteType } from '../../src/testing/table/suite-type'
import { mysqlDatabase, postgresDatabase } from '../support/databases'

const alongOf = (run: string, seq: number) => [
  insertEvents(run, seq, seq + 1),
  insertInto(SuiteType, { key: `${run}${seq}`, text: run }),
  deleteFrom(SuiteType, { text: run }),
]

async function prepare(space: DbSpace) {
  const { runs } = commitTables(space)
  await space.sync()
  await runs.insertMany([
    { key: 'a', version: 1 },
    { key: 'b', version: 1 },
  ])
  await commit(space, 'a', 1)
}

const commit = (space: DbSpace, key: string, version: number) =>
  space.commit({
    write: advance(key, version),
    returning: ['data'],
    with: alongOf(key, version * 2),
  })

describe('a commit is one round trip', () => {
  it('on PostgreSQL, also within a transaction', async () => {
    const database = await postgresDatabase()
    const space = openPostgres(new pg.Pool({ connectionString: database.url }))
    onTestFinished(async () => {
      await space.close()
      await database.drop()
    })
    await prepare(space)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    expect(await commit(space, 'b', 1)).toMatchObject({ held: true })
    expect(query).toHaveBeenCalledTimes(1)
    expect(await commit(space, 'b', 1)).toMatchObject({ held: false })
    expect(query).toHaveBeenCalledTimes(2)
    await space.transaction(async transaction => {
      query.mockClear()
      await transaction.commit({ write: advance('b', 2), with: alongOf('b', 10) })
      expect(query).toHaveBeenCalledTimes(1)
    })
    query.mockClear()
    // Whose deletes could miss what another one inserts meanwhile.
    await space.commit({
      write: updateIn(SuiteRun, { key: 'b' }, { text: 'x' }),
      with: [deleteFrom(SuiteType, { text: 'b' })],
    })
    expect(query).toHaveBeenCalledTimes(4)
  })

  it.skipIf(!inject('mysqlUrl'))('on MariaDB', async () => {
    const database = await mysqlDatabase()
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 1 })
    const space = openMysql(pool)
    onTestFinished(async () => {
      await space.close()
      await database.drop()
    })
    await prepare(space)
    const asked = async () => {
      const [rows] = await pool.promise().query(`show session status like 'Questions'`)
      return Number((rows as { Value: string }[])[0]?.Value)
    }
    const before = await asked()
    expect(await commit(space, 'b', 1)).toMatchObject({ held: true })
    expect(await commit(space, 'b', 1)).toMatchObject({ held: false })
    const insert = { write: insertInto(SuiteRun, { key: 'c' }), with: [insertEvents('c', 1)] }
    expect(await space.commit(insert)).toMatchObject({ held: true })
    expect((await asked()) - before - 1).toBe(3)
  })
})
