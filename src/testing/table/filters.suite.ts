import { expect, it } from 'vitest'
import { shown } from '../shown'
import { hostileFilters, hostileControls } from './hostile-filters'
import type { SuiteRow } from './suite-type'
import type { TableFixture } from './table-database'

const ROWS: readonly Partial<SuiteRow>[] = [
  { key: 'a', text: 'Abc', ratio: 1, at: 10, flag: true },
  { key: 'b', text: 'abc', ratio: 2.5, at: 20, flag: false },
  { key: 'c', text: 'abc ', ratio: -3, at: 30, flag: null },
  { key: 'd', text: null, ratio: null, at: null, flag: true, data: { x: 1 } },
  { key: 'e', text: 'Ünï', ratio: 0, at: 1_900_000_000_000, flag: false },
]

/** Which keys match. */
const MATCHES: readonly (readonly [object, string])[] = [
  [{}, 'abcde'],
  [{ key: 'a' }, 'a'],
  [{ text: 'abc' }, 'b'],
  [{ text: { $eq: 'abc ' } }, 'c'],
  [{ text: null }, 'd'],
  [{ text: { $eq: null } }, 'd'],
  [{ text: { $ne: null } }, 'abce'],
  [{ text: { $ne: 'abc' } }, 'acde'],
  [{ text: { $not: { $ne: 'abc' } } }, 'b'],
  [{ ratio: { $gt: 1 } }, 'b'],
  [{ ratio: { $gte: 1, $lt: 2.5 } }, 'a'],
  [{ ratio: { $lte: 0 } }, 'ce'],
  [{ $not: { ratio: { $gt: 1 } } }, 'acde'],
  [{ ratio: { $not: { $gte: 0 } } }, 'cd'],
  [{ text: { $gt: 'Z' } }, 'bce'],
  [{ text: { $in: ['abc', 'Abc', 'nope'] } }, 'ab'],
  [{ text: { $in: ['abc', null] } }, 'bd'],
  [{ text: { $in: [null] } }, 'd'],
  [{ text: { $in: [] } }, ''],
  [{ text: { $nin: [] } }, 'abcde'],
  [{ text: { $nin: ['abc'] } }, 'acde'],
  [{ text: { $nin: ['abc', null] } }, 'ace'],
  [{ $not: { text: { $nin: ['abc', null] } } }, 'bd'],
  [{ text: { $contains: 'b' } }, 'abc'],
  [{ text: { $contains: 'abc' } }, 'bc'],
  [{ text: { $contains: 'c ' } }, 'c'],
  [{ text: { $contains: 'n' } }, 'e'],
  [{ text: { $contains: 'ü' } }, ''],
  [{ text: { $contains: '%' } }, ''],
  [{ text: { $contains: '_' } }, ''],
  [{ text: { $not: { $contains: 'b' } } }, 'de'],
  [{ $not: { text: { $contains: 'b', $ne: 'Abc' } } }, 'ade'],
  [{ text: { $exists: true } }, 'abce'],
  [{ text: { $exists: false } }, 'd'],
  [{ data: { $exists: true } }, 'd'],
  [{ data: null }, 'abce'],
  [{ flag: true }, 'ad'],
  [{ flag: { $ne: true } }, 'bce'],
  [{ at: { $gt: 2 ** 31 } }, 'e'],
  [{ $and: [{ flag: true }, { ratio: 1 }] }, 'a'],
  [{ $and: [] }, 'abcde'],
  [{ $or: [] }, ''],
  [{ $or: [{ key: 'a' }, { key: 'e' }], flag: false }, 'e'],
  [{ $not: { $or: [{ flag: true }, { flag: false }] } }, 'c'],
  [{ $not: { $and: [{ flag: true }, { text: 'Abc' }] } }, 'bcde'],
  [{ $not: { $not: { key: 'b' } } }, 'b'],
  [{ $not: {} }, ''],
  [{ text: "' or 1=1 --" }, ''],
  [{ text: 'x'.repeat(100_000) }, ''],
  [{ key: { $in: Array.from({ length: 1000 }, (_, n) => `${n}`) } }, ''],
]

const SORTS: readonly (readonly [object, string])[] = [
  [{ text: 1 }, 'dabce'],
  [{ text: 'desc' }, 'ecbad'],
  [{ ratio: 'asc' }, 'dceab'],
  [{ at: -1 }, 'ecbad'],
  [{ flag: 1, key: -1 }, 'cebda'],
]

export function describeFilters(current: () => TableFixture): void {
  const matches = MATCHES.map(([filter, keys]) => [shown(filter), keys, filter] as const)
  it.each(matches)('matches with %s the rows %s', async (_title, keys, filter) => {
    const { table } = current()
    await table.insertMany(ROWS)
    const found = await table.findMany({ filter, controls: { $sort: { key: 1 } } })
    expect(found.map(({ key }) => key).join('')).toBe(keys)
    expect(await table.count({ filter })).toBe(keys.length)
    expect((await table.findOne({ filter })) === null).toBe(keys === '')
  })

  it('takes filters of many parts', async () => {
    const { table } = current()
    await table.insertMany(ROWS)
    const $or = Array.from({ length: 130 }, () => ({ text: { $ne: 'abc' } }))
    expect(await table.count({ filter: { $or } })).toBe(4)
    expect(await table.count({ filter: { $not: { $or } } })).toBe(1)
  })

  it.each(SORTS)('sorts by %j, nulls as the smallest', async ($sort, keys) => {
    const { table } = current()
    await table.insertMany(ROWS)
    const found = await table.findMany({ filter: {}, controls: { $sort } })
    expect(found.map(({ key }) => key).join('')).toBe(keys)
  })

  it('counts by the values of a column, the most frequent first', async () => {
    const { table } = current()
    await table.insertMany(ROWS)
    expect(await table.countBy('flag', { filter: { key: { $ne: 'e' } } })).toEqual([
      { value: true, count: 2 },
      expect.objectContaining({ count: 1 }),
      expect.objectContaining({ count: 1 }),
    ])
    expect(await table.countBy('text', { filter: { key: { $lte: 'b' } } })).toEqual([
      { value: 'Abc', count: 1 },
      { value: 'abc', count: 1 },
    ])
    expect(await table.countBy('flag', { filter: {}, limit: 1 })).toHaveLength(1)
    expect(await table.countBy('flag', { filter: { key: 'x' } })).toEqual([])
    const refused = { code: 'WF_DB_FILTER' }
    const counting = (column: string, limit?: number) =>
      table.countBy(column as 'key', { filter: {}, limit })
    for (const column of ['data', 'nope', '', '*', 'key"']) {
      await expect(counting(column)).rejects.toMatchObject(refused)
    }
    for (const limit of [0, -1, 1.5, Number.NaN, 1001]) {
      await expect(counting('key', limit)).rejects.toMatchObject(refused)
    }
  })

  it('counts whole numbers by ranges, and tells the smallest of another column', async () => {
    const { table } = current()
    await table.insertMany([0, 9, 10, 11, 25].map((at, index) => ({ key: 'abcde'[index]!, at })))
    const counts = await table.countBy('at', { filter: {}, every: 10, least: 'key' })
    expect(counts).toEqual([
      { value: 0, count: 2, least: 'a' },
      { value: 10, count: 2, least: 'c' },
      { value: 20, count: 1, least: 'e' },
    ])
    const refused = { code: 'WF_DB_FILTER' }
    for (const hostile of [
      { every: 0 },
      { every: 1.5 },
      { every: Number.NaN },
      { every: '1' as never },
      { least: 'data' },
      { least: 'nope' },
      { least: '' },
    ]) {
      const counting = table.countBy('at', { filter: {}, ...hostile })
      await expect(counting, JSON.stringify(hostile)).rejects.toMatchObject(refused)
    }
    const ofTexts = table.countBy('text', { filter: {}, every: 10 })
    await expect(ofTexts).rejects.toMatchObject(refused)
  })

  it('shows what it would run, and runs nothing', async () => {
    const { table } = current()
    await table.insertMany(ROWS)
    const query = { filter: { text: 'abc' }, controls: { $sort: { key: 1 }, $limit: 3 } } as const
    const { text, parameters } = table.toSql('findMany', query)
    expect(text).toMatch(/^select .* where .* order by .* limit 3$/u)
    expect(parameters).toEqual(['abc'])
    expect(table.toSql('count', query).text).toMatch(/^select count\(\*\)/u)
    const hostile = () => table.toSql('findMany', { filter: { nope: 1 } as object })
    expect(hostile).toThrow(expect.objectContaining({ code: 'WF_DB_FILTER' }))
  })

  it('gives out a page', async () => {
    const { table } = current()
    await table.insertMany(ROWS)
    const page = async (controls: object) => {
      const sorted = { $sort: { key: 1 }, $select: ['key'], ...controls } as const
      const rows = await table.findMany({ filter: {}, controls: sorted })
      return rows.map(({ key }) => key).join('')
    }
    expect(await page({ $limit: 2 })).toBe('ab')
    expect(await page({ $limit: 2, $skip: 4 })).toBe('e')
    expect(await page({ $skip: 3 })).toBe('de')
    expect(await page({ $skip: 9 })).toBe('')
  })

  it('gives out only the columns that were selected', async () => {
    const { table } = current()
    await table.insertMany(ROWS)
    const controls = { $select: ['key', 'flag'] } as const
    expect(await table.findOne({ filter: { key: 'a' }, controls })).toEqual({
      key: 'a',
      flag: true,
    })
  })

  it('reads all rows of a query that has no filter', async () => {
    const { table } = current()
    await table.insertMany(ROWS)
    expect(await table.findMany({})).toHaveLength(ROWS.length)
    expect(await table.findMany({ controls: { $limit: 2 } })).toHaveLength(2)
    expect(await table.findOne({})).not.toBeNull()
    expect(await table.count({})).toBe(ROWS.length)
    expect(await table.countBy('flag', {})).toHaveLength(3)
    expect(table.toSql('findMany', {})).toEqual(table.toSql('findMany', { filter: {} }))
  })

  it.each([
    ['a filter that is undefined', { filter: undefined }],
    ['a column where the filter should be', { key: 'a' }],
    ['controls where the query should be', { $limit: 1 }],
    ['a limit that would be overlooked', { limits: 1 }],
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a text', 'key'],
  ])('refuses a query: %s', async (_title, query) => {
    const { table } = current()
    const refused = { code: 'WF_DB_FILTER' }
    await expect(table.findOne(query as object)).rejects.toMatchObject(refused)
    await expect(table.findMany(query as object)).rejects.toMatchObject(refused)
    await expect(table.count(query as object)).rejects.toMatchObject(refused)
    await expect(table.countBy('key', query as object)).rejects.toMatchObject(refused)
    const shown = () => table.toSql('count', query as object)
    expect(shown).toThrow(expect.objectContaining(refused))
  })

  it.each(hostileFilters())('refuses a filter: %s', async (_title, filter) => {
    const { table } = current()
    await table.insertMany(ROWS)
    const refused = { code: 'WF_DB_FILTER' }
    const hostile = filter as object
    await expect(table.findOne({ filter: hostile })).rejects.toMatchObject(refused)
    await expect(table.findMany({ filter: hostile })).rejects.toMatchObject(refused)
    await expect(table.count({ filter: hostile })).rejects.toMatchObject(refused)
    await expect(table.updateMany(hostile, { text: 'x' })).rejects.toMatchObject(refused)
    await expect(table.replaceMany(hostile, { key: 'x' })).rejects.toMatchObject(refused)
    await expect(table.deleteMany(hostile)).rejects.toMatchObject(refused)
    await expect(table.takeOne(hostile)).rejects.toMatchObject(refused)
    expect(await table.count({ filter: { text: { $ne: 'x' } } })).toBe(ROWS.length)
  })

  it.each(hostileControls())('refuses controls: %s', async (_title, controls) => {
    const { table } = current()
    const query = table.findMany({ filter: {}, controls: controls as object })
    await expect(query).rejects.toMatchObject({ code: 'WF_DB_FILTER' })
  })
}
