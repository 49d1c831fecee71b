import { FakeClock } from '@atscript/moost-wf/testing'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { describe, expect, it } from 'vitest'
import { OrderRow } from '../fixtures/schemas/order-rows.as'
import { testEngines } from '../support/databases'

const OPENERS = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }

describe.each(testEngines())('a clock of its own, on $name', ({ name, create }) => {
  it('takes the place of that of the database', async () => {
    const database = await create()
    const clock = new FakeClock()
    const space = OPENERS[name as keyof typeof OPENERS](database.url, { clock })
    try {
      const orders = space.table(OrderRow)
      await space.sync()
      const order = { id: 'o1', version: 1, status: 'new' }
      await orders.insertOne({ ...order, heldUntil: space.now(1000) })
      expect(await orders.findOne({ filter: { id: 'o1' } })).toMatchObject({
        heldUntil: clock.now() + 1000,
      })
      const isFree = () => orders.count({ filter: { heldUntil: { $lte: space.now() } } })
      clock.advance(999)
      expect(await isFree()).toBe(0)
      clock.advance(1)
      expect(await isFree()).toBe(1)
    } finally {
      await space.close()
      await database.drop()
    }
  })
})
