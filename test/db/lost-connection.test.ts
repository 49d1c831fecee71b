import type { DbSpace, DbTable } from '@atscript/moost-wf/db'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SuiteType } from '../../src/testing/table/suite-type'
import { type CuttableProxy, cuttableProxy } from '../support/cuttable-proxy'
import { type TestDatabase, testEngines } from '../support/databases'

const OPEN = { PostgreSQL: openPostgres, MariaDB: openMysql }
const servers = testEngines().filter(({ name }) => name in OPEN)
const UNAVAILABLE = { code: 'WF_DB_UNAVAILABLE' }

describe.each(servers)('a connection that breaks, on $name', ({ name, create }) => {
  let database: TestDatabase
  let proxy: CuttableProxy
  let space: DbSpace
  let table: DbTable<Record<string, unknown>>

  beforeEach(async () => {
    database = await create()
    const url = new URL(database.url)
    proxy = await cuttableProxy(new URL(database.url))
    url.port = String(proxy.port)
    space = OPEN[name as keyof typeof OPEN](url.href, { maxConnections: 3 })
    table = space.table(SuiteType)
    await space.sync()
    await table.insertOne({ key: 'a' })
  })
  afterEach(async () => {
    await proxy.mend().catch(() => {})
    await space.close()
    await proxy.close()
    await database.drop()
  })

  const operations: [string, () => Promise<unknown>][] = [
    ['findOne', () => table.findOne({ filter: { key: 'a' } })],
    ['findMany', () => table.findMany({ filter: {} })],
    ['count', () => table.count({ filter: {} })],
    ['insertOne', () => table.insertOne({ key: 'b' })],
    ['updateMany', () => table.updateMany({ key: 'a' }, { text: 'x' })],
    ['replaceMany', () => table.replaceMany({ key: 'a' }, { key: 'a' })],
    ['deleteMany', () => table.deleteMany({ key: 'a' })],
    ['upsertOne', () => table.upsertOne({ key: 'a' }, { conflict: ['key'] })],
    ['takeOne', () => table.takeOne({ key: 'a' })],
    ['transaction', () => space.transaction(tx => tx.table(SuiteType).takeOne({ key: 'a' }))],
    ['sync', () => space.sync()],
  ]

  it.each(operations)('is an error of %s, and the next call works', async (_name, operation) => {
    void proxy.cutBeforeNextAnswer()
    await expect(operation()).rejects.toMatchObject(UNAVAILABLE)
    expect(await table.count({ filter: { key: 'nope' } })).toBe(0)
  })

  it('is an error while the server is away, and works when it is back', async () => {
    await proxy.cut()
    await expect(table.findOne({ filter: { key: 'a' } })).rejects.toMatchObject(UNAVAILABLE)
    await expect(table.takeOne({ key: 'a' })).rejects.toMatchObject(UNAVAILABLE)
    await expect(space.transaction(async () => 1)).rejects.toMatchObject(UNAVAILABLE)
    await proxy.mend()
    expect(await table.takeOne({ key: 'a' })).toMatchObject({ key: 'a' })
  })

  it('rolls back a transaction that it breaks', async () => {
    const broken = space.transaction(async transaction => {
      const inside = transaction.table(SuiteType)
      await inside.deleteMany({})
      await proxy.cut()
      await inside.insertOne({ key: 'b' })
    })
    await expect(broken).rejects.toMatchObject(UNAVAILABLE)
    await proxy.mend()
    const rows = await table.findMany({ filter: {} })
    expect(rows.map(({ key }) => key)).toEqual(['a'])
  })

  it('does not stop the space from being used by many at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        if (n === 20) void proxy.cutBeforeNextAnswer()
        return table.findOne({ filter: { key: 'a' } }).catch((error: unknown) => error)
      }),
    )
    for (const outcome of outcomes) {
      expect(outcome).toSatisfy(
        (value: { key?: string; code?: string } | null) =>
          value?.key === 'a' || value?.code === UNAVAILABLE.code,
      )
    }
    expect(await table.findOne({ filter: { key: 'a' } })).toMatchObject({ key: 'a' })
  })
})
