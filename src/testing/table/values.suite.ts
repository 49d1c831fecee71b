import { expect, it } from 'vitest'
import type { SuiteRow } from './suite-type'
import type { TableFixture } from './table-database'

const deep = (depth: number): unknown => (depth === 0 ? 'end' : { in: [deep(depth - 1)] })

/** Each is read back as it was written. */
export const SAME_VALUES: readonly (readonly [string, Partial<SuiteRow>])[] = [
  ['nothing', {}],
  ['an empty text', { text: '', long: '' }],
  ['unicode', { text: 'ключ 🔑 👩‍👩‍👧 ﷽ e\u0301 \u2028 \u{10ffff}' }],
  [
    'quotes and escapes',
    { text: `'";\\ \b\n\r\t\u001a %_ $1 ? :x`, long: "'; drop table suite_rows; --" },
  ],
  ['spaces at the end', { text: 'a ' }],
  ['a long text', { long: 'ä🔑'.repeat(300_000) }],
  ['an indexed text at its limit', { text: '🔑'.repeat(127) }],
  ['whole numbers', { at: 0, version: 1, ratio: 5 }],
  ['time beyond 32 bits', { at: 1_900_000_000_000 }],
  ['the largest safe integers', { at: Number.MAX_SAFE_INTEGER, version: Number.MIN_SAFE_INTEGER }],
  ['a fraction', { ratio: 0.1 + 0.2 }],
  ['the largest double', { ratio: Number.MAX_VALUE }],
  ['the smallest double', { ratio: 5e-324 }],
  ['a tiny double', { ratio: -1.1e-16 }],
  ['a negative double', { ratio: -1.7976931348623157e308 }],
  ['true', { flag: true }],
  ['false', { flag: false }],
  ['empty JSON', { data: {} }],
  [
    'JSON with everything',
    { data: { a: [null, true, 0.1, '', {}], 'ключ "🔑"': '\u0000 \ud800' } },
  ],
  ['deep JSON', { data: deep(200) }],
  ['JSON that is a text', { data: 'null' }],
  ['JSON that is a number', { data: 0 }],
  ['JSON that is false', { data: false }],
  [
    'a megabyte of JSON',
    { data: { list: Array.from({ length: 20_000 }, (_, n) => ({ n, x: 'ä🔑"\\'.repeat(4) })) } },
  ],
  [
    'an own __proto__ in JSON',
    { data: JSON.parse('{"__proto__":{"admin":true},"constructor":1}') },
  ],
]

/** Rows that are refused. */
const REFUSED: readonly (readonly [string, object])[] = [
  ['an unknown column', { nope: 1 }],
  ['an own __proto__', JSON.parse('{"__proto__":1}')],
  ['a number for a text', { text: 1 }],
  ['an object for a text', { text: { toString: () => 'x' } }],
  ['a Date', { at: new Date() }],
  ['a text for a number', { ratio: '1' }],
  ['a bigint', { at: 1n }],
  ['NaN', { ratio: Number.NaN }],
  ['Infinity', { ratio: Infinity }],
  ['a fraction for an integer', { at: 1.5 }],
  ['an integer that is not exact', { at: 2 ** 53 }],
  ['a number for a boolean', { flag: 1 }],
  ['null for a required column', { key: null }],
  ['NUL in a text', { text: 'a\0b' }],
  ['half a surrogate pair', { long: '\ud83d' }],
  ['an indexed text beyond its limit', { text: 'x'.repeat(256) }],
  ['a cycle', { data: cycle() }],
  ['a bigint in JSON', { data: { n: 1n } }],
  ['a function as JSON', { data: () => 1 }],
]

export function describeValues(current: () => TableFixture): void {
  it.each(SAME_VALUES)('reads back what was written: %s', async (_title, values) => {
    const { table } = current()
    await table.insertOne({ key: 'k', ...values })
    const row = await table.findOne({ filter: { key: 'k' } })
    const blank = { text: null, long: null, ratio: null, at: null, flag: null, data: null }
    expect(row).toEqual({
      ...blank,
      id: row?.id,
      version: 1,
      key: 'k',
      role: 'it\'s "quoted"',
      ...values,
    })
    expect(await table.takeOne({ key: 'k' })).toEqual(row)
  })

  it.each(REFUSED)('refuses %s and writes nothing', async (_title, values) => {
    const { table } = current()
    const refused = { code: 'WF_DB_ROW' }
    await expect(table.insertOne({ key: 'k', ...values })).rejects.toMatchObject(refused)
    await expect(table.updateMany({}, values)).rejects.toMatchObject(refused)
    await expect(table.replaceMany({}, { key: 'k', ...values })).rejects.toMatchObject(refused)
    const upsert = table.upsertOne({ key: 'k', ...values }, { conflict: ['key'] })
    await expect(upsert).rejects.toMatchObject(refused)
    expect(await table.count({ filter: {} })).toBe(0)
  })

  it('reads numbers back exactly, with and without a filter', async () => {
    const { table } = current()
    const numbers = Array.from({ length: 300 }, (_, n) => (Math.sin(n) * 10 ** (n % 40)) / 7)
    numbers.push(91.00000000000001, 98.57381392180335, 1e21, 123456789012345680)
    await table.insertMany(numbers.map((ratio, n) => ({ key: `${n}`, ratio, version: n })))
    for (const filter of [{}, { key: { $ne: 'x' } }]) {
      const rows = await table.findMany({ filter, controls: { $sort: { version: 1 } } })
      expect(rows.map(({ ratio }) => ratio)).toEqual(numbers)
    }
  })

  it('takes -0 for 0', async () => {
    const { table } = current()
    await table.insertOne({ key: 'k', ratio: -0, at: -0 })
    const row = await table.findOne({ filter: { ratio: 0 } })
    expect([Object.is(row?.ratio, 0), Object.is(row?.at, 0)]).toEqual([true, true])
  })

  it('takes undefined for missing and null for null', async () => {
    const { table } = current()
    await table.insertOne({ key: 'k', text: 'a', long: 'b', role: undefined })
    await table.updateMany({ key: 'k' }, { text: undefined, long: null })
    expect(await table.findOne({ filter: { key: 'k' } })).toMatchObject({
      text: 'a',
      long: null,
      role: 'it\'s "quoted"',
    })
  })

  it('makes an id for each row that has none', async () => {
    const { table } = current()
    const { insertedIds } = await table.insertMany([{ key: 'a' }, { key: 'b', id: 'mine' }])
    expect(insertedIds).toEqual([expect.stringMatching(/^[\da-f-]{36}$/u), 'mine'])
    expect(await table.findOne({ filter: { id: 'mine' } })).toMatchObject({ key: 'b' })
  })
}

function cycle(): unknown {
  const self: { self?: unknown } = {}
  self.self = self
  return self
}
