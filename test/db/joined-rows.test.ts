import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { describe, expect, it } from 'vitest'
import { OrderEventRow, OrderRow } from '../fixtures/schemas/order-rows.as'
import { testEngines } from '../support/databases'

const OPENERS = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }

describe.each(testEngines())('a row and the row that it names, on $name', ({ name, create }) => {
  it('are found at once, or neither is', async () => {
    const database = await create()
    const open = OPENERS[name as keyof typeof OPENERS]
    const [space, another] = [open(database.url), open(database.url)]
    try {
      const orders = space.table(OrderRow)
      const events = space.table(OrderEventRow)
      await space.sync()
      await orders.insertOne({ id: 'o1', version: 7, status: 'new' })
      await events.insertMany([
        { id: 'e1', orderId: 'o1', seq: 1, kind: 'made' },
        { id: 'e2', orderId: 'o2', seq: 1, kind: 'made' },
      ])
      const find = (id: string) => events.findOneWith({ id }, 'orderId', orders)
      expect(await find('e1')).toMatchObject([
        { id: 'e1', orderId: 'o1', seq: 1, kind: 'made' },
        { id: 'o1', version: 7, status: 'new', heldUntil: null },
      ])
      expect([await find('e2'), await find('e3')]).toEqual([null, null])
      await space.transaction(async transaction => {
        const inside = transaction.table(OrderRow)
        await inside.updateMany({ id: 'o1' }, { status: 'paid' })
        const found = await transaction
          .table(OrderEventRow)
          .findOneWith({ id: 'e1' }, 'orderId', inside)
        expect(found?.[1]).toMatchObject({ status: 'paid' })
      })
      await expect(
        events.findOneWith({ id: 'e1' }, 'orderId', another.table(OrderRow)),
      ).rejects.toMatchObject({ code: 'WF_CONFIG' })
    } finally {
      await space.close()
      await another.close()
      await database.drop()
    }
  })
})
