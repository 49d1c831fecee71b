import { deleteFrom, insertInto, updateIn } from '@atscript/moost-wf/db'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { OrderEventRow, OrderRow } from '../fixtures/schemas/order-rows.as'

describe('a commit on tables of .as files', () => {
  const space = openSqlite(':memory:')
  const orders = space.table(OrderRow)
  space.table(OrderEventRow)
  afterAll(() => space.close())

  it('gives back a row of their type', async () => {
    await space.sync()
    const started = await space.commit({
      write: insertInto(OrderRow, { id: 'o1', version: 7, status: 'new' }),
    })
    expect(started).toEqual({ held: true, row: {} })
    const { held, row } = await space.commit({
      commitId: 'c1',
      write: updateIn(OrderRow, { id: 'o1', version: 7 }, { version: 8, status: 'paid' }),
      returning: ['version', 'commitId'],
      with: [insertInto(OrderEventRow, { orderId: 'o1', seq: 8, kind: 'paid' })],
    })
    expectTypeOf(held).toEqualTypeOf<boolean>()
    expectTypeOf(row).toEqualTypeOf<
      { version: number; commitId?: string | null | undefined } | undefined
    >()
    expect(row).toEqual({ version: 8, commitId: 'c1' })
    expect(await orders.hasCommit('c1', { id: 'o1' })).toBe(true)
  })

  it('does not compile with what does not fit them', async () => {
    const refused = (commit: unknown) =>
      expect(space.commit(commit as never)).rejects.toMatchObject({
        code: expect.stringMatching(/^WF_DB_/u),
      })
    // @ts-expect-error -- a version is a number
    await refused({ write: updateIn(OrderRow, { id: 'o1' }, { version: '9' }) })
    // @ts-expect-error -- there is no such column
    await refused({ write: updateIn(OrderRow, { id: 'o1', total: 1 }, {}) })
    // @ts-expect-error -- there is no such column
    await refused({ write: insertInto(OrderRow, { id: 'o2', version: 1, status: '', total: 1 }) })
    // @ts-expect-error -- there is no such column
    const removal = deleteFrom(OrderEventRow, { order: 'o1' })
    const write = updateIn(OrderRow, { id: 'o1' }, { status: 'x' })
    await refused({ write, with: [removal] })
    // @ts-expect-error -- there is no such column
    await expect(space.commit({ write, returning: ['total'] })).rejects.toThrow()
    // @ts-expect-error -- a delete decides nothing
    await expect(space.commit({ write: deleteFrom(OrderRow, { id: 'o1' }) })).rejects.toThrow()
  })
})
