import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertInto, updateIn } from '@atscript/moost-wf/db'
import { WfEventRow } from '../fixtures/schemas/wf-run-rows.as'
import { OrderRow } from '../fixtures/schemas/order-rows.as'
import { testEngines } from '../support/databases'

const OPENERS = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const event = { schemaId: 'a/b', type: 'stayed', at: 1, detail: {} } as const

describe.each(testEngines())('a key of two columns, on $name', ({ name, create }) => {
  let database: Awaited<ReturnType<typeof create>>
  const open = () => OPENERS[name as keyof typeof OPENERS](database.url)
  let space: ReturnType<typeof open>

  beforeAll(async () => {
    database = await create()
    space = open()
    space.table(WfEventRow)
    space.table(OrderRow)
    await space.sync()
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })

  it('is there as it is described', async () => {
    expect(await space.sync()).toEqual([])
  })

  it('tells rows apart by both', async () => {
    const events = space.table(WfEventRow)
    const { insertedIds } = await events.insertMany([
      { ...event, flowId: 'f', seq: 1 },
      { ...event, flowId: 'f', seq: 2 },
      { ...event, flowId: 'g', seq: 1 },
    ])
    expect(insertedIds[1]).toEqual({ flowId: 'f', seq: 2 })
    const again = events.insertOne({ ...event, flowId: 'f', seq: 2 })
    await expect(again).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    const row = { ...event, flowId: 'f', seq: 2, type: 'waiting' }
    await events.upsertOne(row, { conflict: ['flowId', 'seq'] })
    expect(await events.count({ filter: { type: 'waiting' } })).toBe(1)
    await expect(events.upsertOne(row, { conflict: ['flowId'] })).rejects.toMatchObject({
      code: 'WF_DB_ROW',
    })
    await expect(events.takeOne({ flowId: 'f' })).rejects.toMatchObject({ code: 'WF_DB_FILTER' })
    expect(await events.takeOne({ flowId: 'f', seq: 2 })).toMatchObject({ type: 'waiting' })
    await events.replaceMany({ flowId: 'f', seq: 1 }, { ...event, type: 'resumed' } as never)
    expect(await events.count({ filter: { flowId: 'f', seq: 1, type: 'resumed' } })).toBe(1)
  })

  it('lets a row decide over a commit', async () => {
    const first = { ...event, flowId: 'c', seq: 1 }
    const begin = () => space.commit({ write: insertInto(WfEventRow, first) })
    expect([(await begin()).held, (await begin()).held]).toEqual([true, false])
    const move = (seq: number) =>
      space.commit({
        write: updateIn(WfEventRow, { flowId: 'c', seq }, { type: 'resumed' }),
        with: [insertInto(OrderRow, { id: `o${seq}`, version: 1, status: 'new' })],
      })
    expect([(await move(1)).held, (await move(2)).held]).toEqual([true, false])
    expect(await space.table(OrderRow).count({ filter: {} })).toBe(1)
  })

  it('is not what a row names another by', async () => {
    const orders = space.table(OrderRow)
    const found = orders.findOneWith({ id: 'o1' }, 'id', space.table(WfEventRow))
    await expect(found).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })
})
