import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { insertInto, updateIn } from '@atscript/moost-wf/db'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OrderEventRow, OrderRow } from '../fixtures/schemas/order-rows.as'

const PRAGMAS = 'pragma journal_mode = wal; pragma synchronous = full'

describe('commits on SQLite that come at the same time', () => {
  let folder: string
  let database: InstanceType<typeof DatabaseSync>
  let other: InstanceType<typeof DatabaseSync>
  let space: ReturnType<typeof openSqlite>

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shared-commits-'))
    const open = () => new DatabaseSync(join(folder, 'orders.db'))
    database = open()
    database.exec(PRAGMAS)
    space = openSqlite(database as never)
    space.table(OrderRow)
    space.table(OrderEventRow)
    await space.sync()
    other = open()
  })
  afterEach(async () => {
    await space.close()
    other.close()
    await rm(folder, { recursive: true })
  })

  const make = (id: string, { event = id, kind = 'made' } = {}) =>
    space.commit({
      write: insertInto(OrderRow, { id, version: 1, status: 'new' }),
      with: [insertInto(OrderEventRow, { id: event, orderId: id, seq: 1, kind })],
    })
  const ids = () => other.prepare('select id from orders order by id').all() as { id: string }[]
  const stored = () => ids().map(({ id }) => id)

  it('share a transaction, and nobody is told before the file has all of them', async () => {
    const seen = await Promise.all(
      ['a', 'b', 'c'].map(async id => {
        const { held } = await make(id)
        return [held, stored()]
      }),
    )
    expect(seen).toEqual(Array.from({ length: 3 }, () => [true, ['a', 'b', 'c']]))
  })

  it('do not take each other along: one fails, one does not hold, the others stay', async () => {
    await make('first')
    const results = await Promise.allSettled([
      make('a'),
      make('b', { event: 'first' }),
      space.commit({ write: updateIn(OrderRow, { id: 'first', version: 9 }, { version: 10 }) }),
      make('c'),
    ])
    expect(results).toMatchObject([
      { value: { held: true } },
      { reason: { code: 'WF_CONFLICT' } },
      { value: { held: false } },
      { value: { held: true } },
    ])
    expect(stored()).toEqual(['a', 'c', 'first'])
  })

  it('are told all alike of a disk that is full, and none of them is there', async () => {
    await make('first')
    const [page] = database.prepare('pragma page_count').all() as { page_count: number }[]
    database.exec(`pragma max_page_count = ${page!.page_count}`)
    const long = 'x'.repeat(200_000)
    const results = await Promise.allSettled([make('a'), make('b', { kind: long }), make('c')])
    const there = new Set(stored())
    for (const [at, { status }] of results.entries()) {
      expect(status, 'abc'[at]).toBe(there.has('abc'[at]!) ? 'fulfilled' : 'rejected')
    }
    expect(there.has('b')).toBe(false)
    database.exec('pragma max_page_count = 1000000')
    expect((await make('later')).held).toBe(true)
  })

  it('see what the one before them has written', async () => {
    await make('o')
    const raise = () =>
      space.commit({ write: updateIn(OrderRow, { id: 'o', version: 1 }, { version: 2 }) })
    const held = (await Promise.all([raise(), raise(), raise()])).map(result => result.held)
    expect(held).toEqual([true, false, false])
  })

  it('wait for a transaction, and go on behind it', async () => {
    let release = () => {}
    const hold = new Promise<void>(resolve => (release = resolve))
    const transaction = space.transaction(async inside => {
      await inside.table(OrderRow).insertOne({ id: 'held', version: 1, status: 'new' })
      await hold
    })
    const made = Promise.all([make('a'), make('b')])
    release()
    await transaction
    expect((await made).every(({ held }) => held)).toBe(true)
    expect(stored()).toEqual(['a', 'b', 'held'])
  })
})
