import { expect, it } from 'vitest'
import { casesUnless } from '../excused-cases'
import type { SuiteRow } from './suite-type'
import type { TableFixture, TableLacks } from './table-database'

const CONFLICT = { code: 'WF_CONFLICT' }

export function describeWrites(current: () => TableFixture, lacks: TableLacks): void {
  const itWithTransactions = casesUnless('describeTable', lacks)('transactions')

  const rows = async (): Promise<SuiteRow[]> =>
    current().table.findMany({ filter: {}, controls: { $sort: { key: 1 } } })

  it('refuses a second row with a unique value, and says nothing of that value', async () => {
    const { table } = current()
    await table.insertOne({ key: 'secret-handle', text: 'first' })
    const error = await table.insertOne({ key: 'secret-handle' }).catch((e: unknown) => e)
    expect(error).toMatchObject(CONFLICT)
    expect(shownBy(error)).not.toContain('secret-handle')
    expect(await rows()).toMatchObject([{ text: 'first' }])
  })

  it('inserts all rows or none', async () => {
    const { table } = current()
    const twice = ['a', 'b', 'a'].map(key => ({ key }))
    await expect(table.insertMany(twice)).rejects.toMatchObject(CONFLICT)
    expect(await rows()).toEqual([])
  })

  it('inserts more rows than one statement takes, all or none', async () => {
    const { table } = current()
    const many = Array.from({ length: 3000 }, (_, n) => ({ key: `${n}`, data: { n } }))
    expect(await table.insertMany(many)).toMatchObject({ insertedCount: 3000 })
    expect(await table.findOne({ filter: { key: '2999' } })).toMatchObject({ data: { n: 2999 } })
    await table.deleteMany({})
    await expect(table.insertMany([...many, { key: '0' }])).rejects.toMatchObject(CONFLICT)
    expect(await table.count({ filter: {} })).toBe(0)
  })

  it('inserts no rows', async () => {
    expect(await current().table.insertMany([])).toEqual({ insertedCount: 0, insertedIds: [] })
  })

  it('updates what matches and counts it, changed or not', async () => {
    const { table } = current()
    await table.insertMany([{ key: 'a', flag: true }, { key: 'b', flag: true }, { key: 'c' }])
    const two = { matchedCount: 2, modifiedCount: 2 }
    expect(await table.updateMany({ flag: true }, { text: 'x', data: [1] })).toEqual(two)
    expect(await table.updateMany({ flag: true }, { text: 'x', data: [1] })).toEqual(two)
    expect(await table.updateMany({ key: 'z' }, { text: 'x' })).toMatchObject({ matchedCount: 0 })
    expect(await table.updateMany({ flag: true }, {})).toEqual({
      matchedCount: 2,
      modifiedCount: 0,
    })
    expect((await rows()).map(({ text, data }) => [text, data])).toEqual([
      ['x', [1]],
      ['x', [1]],
      [null, null],
    ])
  })

  it('writes under a condition, so that one of two writers wins', async () => {
    const { table } = current()
    await table.insertOne({ key: 'a', version: 1 })
    const write = () => table.updateMany({ key: 'a', version: 1 }, { version: 2 })
    const counts = await Promise.all([write(), write(), write()])
    expect(counts.map(({ matchedCount }) => matchedCount).toSorted()).toEqual([0, 0, 1])
  })

  it('replaces whole rows and keeps their id', async () => {
    const { table } = current()
    const { insertedId } = await table.insertOne({ key: 'a', text: 'x', role: 'admin', version: 7 })
    await table.replaceMany({ key: 'a' }, { key: 'b', flag: true })
    expect(await rows()).toEqual([
      {
        id: insertedId,
        key: 'b',
        version: 1,
        text: null,
        long: null,
        ratio: null,
        at: null,
        flag: true,
        role: `it's "quoted"`,
        data: null,
      },
    ])
  })

  it.each([null, undefined, 'text', 7])('refuses %j for a row', async row => {
    const { table } = current()
    const refused = { code: 'WF_DB_ROW' }
    await expect(table.insertOne(row as never)).rejects.toMatchObject(refused)
    await expect(table.updateMany({}, row as never)).rejects.toMatchObject(refused)
    await expect(table.replaceMany({}, row as never)).rejects.toMatchObject(refused)
  })

  it('deletes what matches and counts it', async () => {
    const { table } = current()
    await table.insertMany([{ key: 'a', flag: true }, { key: 'b', flag: true }, { key: 'c' }])
    expect(await table.deleteMany({ flag: true })).toEqual({ deletedCount: 2 })
    expect(await table.deleteMany({ flag: true })).toEqual({ deletedCount: 0 })
    expect(await rows()).toMatchObject([{ key: 'c' }])
  })

  it('upserts: inserts, then writes what is named and leaves the rest', async () => {
    const { table } = current()
    const options = {
      conflict: ['key'],
      insertOnly: ['at'],
      increment: ['version'],
      returning: ['id', 'version', 'at'],
    } as const
    const first = await table.upsertOne({ key: 'a', at: 1, text: 'x', role: 'admin' }, options)
    expect(first).toEqual({ id: expect.any(String), version: 1, at: 1 })
    const second = await table.upsertOne({ key: 'a', at: 2, text: null, data: { n: 1 } }, options)
    expect(second).toEqual({ id: first.id, version: 2, at: 1 })
    const later = { key: 'a', version: 2, at: 1, text: null, role: 'admin', data: { n: 1 } }
    expect(await rows()).toMatchObject([later])
  })

  it('upserts a row that has nothing but its key', async () => {
    const { table } = current()
    const options = { conflict: ['key'], returning: ['key'] } as const
    expect(await table.upsertOne({ key: 'a' }, options)).toEqual({ key: 'a' })
    expect(await table.upsertOne({ key: 'a' }, options)).toEqual({ key: 'a' })
    expect(await table.upsertOne({ key: 'a' }, { conflict: ['key'] })).toEqual({})
    expect(await rows()).toHaveLength(1)
  })

  it('never upserts into a row that shares another unique value', async () => {
    const { table } = current()
    await table.insertOne({ key: 'a', id: 'one', text: 'mine' })
    const upsert = table.upsertOne({ key: 'b', id: 'one', text: 'theirs' }, { conflict: ['key'] })
    await expect(upsert).rejects.toMatchObject(CONFLICT)
    expect(await rows()).toMatchObject([{ key: 'a', id: 'one', text: 'mine' }])
  })

  it.each([
    ['no unique columns', { conflict: ['text'] }, { key: 'a', text: 'x' }],
    ['an unknown column', { conflict: ['key'], insertOnly: ['nope'] }, { key: 'a' }],
    ['a row without the key', { conflict: ['key'] }, { text: 'x' }],
    ['a text that should go up', { conflict: ['key'], increment: ['text'] }, { key: 'a' }],
  ])('refuses an upsert with %s', async (_title, options, row) => {
    const upsert = current().table.upsertOne(row, options as never)
    await expect(upsert).rejects.toMatchObject({ code: 'WF_DB_ROW' })
  })

  it('takes a row out, once', async () => {
    const { table } = current()
    await table.insertMany([{ key: 'a', text: 'x', data: { n: 1 } }, { key: 'b' }])
    expect(await table.takeOne({ key: 'a', version: 2 })).toBeNull()
    const taken = { key: 'a', version: 1, text: 'x', data: { n: 1 } }
    expect(await table.takeOne({ key: 'a', version: 1 })).toMatchObject(taken)
    expect(await table.takeOne({ key: 'a' })).toBeNull()
    expect(await rows()).toMatchObject([{ key: 'b' }])
  })

  it.each([
    {},
    { text: 'x' },
    { key: { $in: ['a', 'b'] } },
    { $or: [{ key: 'a' }, { key: 'b' }] },
    { key: { $ne: 'a' } },
  ])('takes nothing with %j, which can match many', async filter => {
    const { table } = current()
    await table.insertMany([
      { key: 'a', text: 'x' },
      { key: 'b', text: 'x' },
    ])
    await expect(table.takeOne(filter)).rejects.toMatchObject({ code: 'WF_DB_FILTER' })
    expect(await rows()).toHaveLength(2)
  })

  itWithTransactions('commits a transaction as one, and rolls back as one', async () => {
    const { space, table } = current()
    await space.transaction(async transaction => {
      const inside = transaction.table(table.type)
      await inside.insertOne({ key: 'a' })
      await inside.insertOne({ key: 'b' })
    })
    const mine = new Error('mine')
    const failing = space.transaction(async transaction => {
      await transaction.table(table.type).deleteMany({})
      throw mine
    })
    await expect(failing).rejects.toBe(mine)
    expect(await rows()).toHaveLength(2)
  })

  itWithTransactions('rolls back when an error within a transaction is swallowed', async () => {
    const { space, table } = current()
    const careless = space.transaction(async transaction => {
      const inside = transaction.table(table.type)
      await inside.insertOne({ key: 'a' })
      await inside.insertOne({ key: 'a' }).catch(() => {})
      await inside.insertOne({ key: 'b' }).catch(() => {})
      return 'done'
    })
    await expect(careless).rejects.toMatchObject(CONFLICT)
    expect(await rows()).toEqual([])
  })

  itWithTransactions('rolls back what a transaction has begun and not waited for', async () => {
    const { space, table } = current()
    const mine = new Error('mine')
    const parallel = space.transaction(async transaction => {
      const inside = transaction.table(table.type)
      await Promise.all(['a', 'a', 'b', 'c', 'd'].map(key => inside.insertOne({ key })))
    })
    await expect(parallel).rejects.toMatchObject(CONFLICT)
    const hasty = space.transaction(async transaction => {
      const inside = transaction.table(table.type)
      for (const key of ['a', 'b', 'c']) inside.insertOne({ key }).catch(() => {})
      throw mine
    })
    await expect(hasty).rejects.toBe(mine)
    expect(await rows()).toEqual([])
    const forgetful = space.transaction(async transaction => {
      void transaction.table(table.type).insertOne({ key: 'a' })
    })
    await forgetful
    expect(await rows()).toHaveLength(1)
  })

  itWithTransactions('is told when a transaction is used after its end', async () => {
    const { space, table } = current()
    const escaped = await space.transaction(async transaction => transaction.table(table.type))
    await expect(escaped.insertOne({ key: 'a' })).rejects.toMatchObject({ code: 'WF_DB_FAILED' })
    expect(await rows()).toEqual([])
  })

  itWithTransactions('throws what the work of a transaction throws, also at once', async () => {
    const mine = new Error('connection timeout')
    const thrown = current().space.transaction(() => {
      throw mine
    })
    await expect(thrown).rejects.toBe(mine)
  })

  itWithTransactions('gives back what a transaction gives', async () => {
    const { space, table } = current()
    const counted = space.transaction(tx => tx.table(table.type).count({ filter: {} }))
    expect(await counted).toBe(0)
  })
}

/** All that a log could print of an error. */
function shownBy(error: unknown, depth = 5): string {
  if (typeof error !== 'object' || error === null || depth === 0) return String(error)
  return Object.getOwnPropertyNames(error)
    .map(name => `${name}: ${shownBy((error as Record<string, unknown>)[name], depth - 1)}`)
    .join('\n')
}
