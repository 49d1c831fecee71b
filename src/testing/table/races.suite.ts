import { expect, it } from 'vitest'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import { suiteType } from './suite-type'
import type { TableFixture, TableLacks } from './table-database'

const RACERS = 50

export function describeRaces(current: () => TableFixture, lacks: TableLacks): void {
  const casesWith = casesUnless('describeTable', lacks)

  it('lets exactly one of many takers have a row', async () => {
    const { table } = current()
    await table.insertMany(Array.from({ length: 20 }, (_, n) => ({ key: `${n}` })))
    for (let key = 0; key < 20; key++) {
      const taken = await race(RACERS, () => table.takeOne({ key: `${key}` }))
      expect(taken.filter(Boolean)).toHaveLength(1)
    }
  })

  it('loses no increment of many upserts at once', async () => {
    const { table } = current()
    const versions = await race(RACERS, async () => {
      const options = { conflict: ['key'], increment: ['version'], returning: ['version'] } as const
      return (await table.upsertOne({ key: 'a', text: 'x' }, options)).version
    })
    const expected = Array.from({ length: RACERS }, (_, n) => n + 1)
    expect(versions.toSorted((one, other) => one - other)).toEqual(expected)
  })

  it('survives writers that take and write the same rows', async () => {
    const { table } = current()
    const outcomes = await race(RACERS * 4, async n => {
      const key = `${n % 3}`
      if (n % 2) return (await table.takeOne({ key })) ? -1 : 0
      const row = { key, version: 1, data: { n } }
      const options = { conflict: ['key'], increment: ['version'], returning: ['version'] } as const
      return (await table.upsertOne(row, options)).version === 1 ? 1 : 0
    })
    const left = outcomes.reduce<number>((sum, outcome) => sum + outcome, 0)
    expect(await table.count({ filter: {} })).toBe(left)
  })

  casesWith('transactions')('never loses a transaction to a deadlock', async () => {
    const { space, table } = current()
    await table.insertMany(['a', 'b', 'c'].map(key => ({ key, version: 0 })))
    await race(6, async n => {
      const order = n % 2 ? ['a', 'b', 'c'] : ['c', 'b', 'a']
      await space.transaction(async transaction => {
        const inside = transaction.table(table.type)
        const options = { conflict: ['key'], increment: ['version'] } as const
        for (const key of order) await inside.upsertOne({ key }, options)
      })
    })
    const rows = await table.findMany({ filter: {} })
    expect(rows.map(({ version }) => version)).toEqual([6, 6, 6])
  })

  const itIfShared = casesWith('sharing')

  itIfShared('creates a table once, however many do so at the same time', async () => {
    const { database } = current()
    const type = suiteType('suite_created_once', {
      id: { of: 'string', annotations: { 'meta.id': true } },
      text: { of: 'string', optional: true, annotations: { 'db.index.plain': [{}] } },
    })
    const steps = await race(6, async () => {
      const space = await database.open()
      try {
        space.table(type)
        return (await space.sync()).length
      } finally {
        await space.close()
      }
    })
    expect(steps.toSorted()).toEqual([0, 0, 0, 0, 0, 2])
  })

  casesWith('sharing', 'transactions')(
    'shows a transaction to others when it is over, not before',
    async () => {
      const { space, table, database } = current()
      const other = await database.open()
      const seen = other.table(table.type)
      try {
        await space.transaction(async transaction => {
          await transaction.table(table.type).insertOne({ key: 'a' })
          expect(await seen.count({ filter: {} })).toBe(0)
        })
        expect(await seen.count({ filter: {} })).toBe(1)
      } finally {
        await other.close()
      }
    },
  )
}
