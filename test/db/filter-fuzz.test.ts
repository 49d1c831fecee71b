import type { DbSpace, DbTable } from '@atscript/moost-wf/db'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SuiteType } from '../../src/testing/table/suite-type'
import { fewParametersDatabase, type TestDatabase, testEngines } from '../support/databases'
import { scaled } from '../support/scale'

type Row = Record<string, unknown>
type Value = string | number | boolean | null

const POOLS: Readonly<Record<string, readonly Value[]>> = {
  text: [null, '', 'a', 'A', 'a ', 'ab', 'ä', '🔑', "'", '"', '%', '_', '\\', '￿'],
  ratio: [null, -1.5, 0, 0.1, 2, 1e300],
  at: [null, -5, 0, 7, 2 ** 31, 1_900_000_000_000],
  flag: [null, true, false],
}
const COLUMNS = Object.keys(POOLS)

const rows: Row[] = Array.from({ length: 40 }, (_, n) => ({
  key: `k${n}`,
  ...Object.fromEntries(
    COLUMNS.map(name => [name, POOLS[name]![(n * 7 + name.length) % POOLS[name]!.length]]),
  ),
}))

const column = fc.constantFrom(...COLUMNS)

/** Filters that are right. */
const { filter } = fc.letrec<{ filter: Row; comparison: [string, unknown] }>(tie => ({
  comparison: column.chain(name => {
    const value = fc.constantFrom(...POOLS[name]!)
    const some = fc.constantFrom(...POOLS[name]!.filter(item => item !== null))
    const list = fc.array(value, { maxLength: 4 })
    const operators = fc
      .record(
        {
          $eq: value,
          $ne: value,
          $gt: some,
          $gte: some,
          $lt: some,
          $lte: some,
          $in: list,
          $nin: list,
          $exists: fc.boolean(),
          ...(name === 'text' && {
            $contains: fc.constantFrom('a', 'A', ' ', 'ab', '🔑', '%', '_', '\\'),
          }),
        },
        { requiredKeys: [] },
      )
      .filter(chosen => Object.keys(chosen).length > 0)
    const negated = operators.map(chosen => ({ $not: chosen }))
    return fc.tuple(fc.constant(name), fc.oneof(value, operators, negated))
  }),
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('comparison').map(([name, compared]) => ({ [name]: compared })),
    fc.array(tie('filter'), { maxLength: 3 }).map($and => ({ $and })),
    fc.array(tie('filter'), { maxLength: 3 }).map($or => ({ $or })),
    tie('filter').map($not => ({ $not })),
    fc.tuple(tie('filter'), tie('filter')).map(([one, other]) => ({ ...one, ...other })),
  ),
}))

/** What a filter means, in JavaScript. */
function matches(row: Row, asked: Row): boolean {
  return Object.entries(asked).every(([key, value]) => {
    if (key === '$and') return (value as Row[]).every(part => matches(row, part))
    if (key === '$or') return (value as Row[]).some(part => matches(row, part))
    if (key === '$not') return !matches(row, value as Row)
    return compares(row[key] as Value, value)
  })
}

function compares(actual: Value, asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return actual === asked
  return Object.entries(asked).every(([operator, operand]) => {
    const order =
      actual === null || typeof operand === 'object'
        ? Number.NaN
        : compareValues(actual, operand as Value)
    switch (operator) {
      case '$eq':
        return actual === operand
      case '$ne':
        return actual !== operand
      case '$gt':
        return order > 0
      case '$gte':
        return order >= 0
      case '$lt':
        return order < 0
      case '$lte':
        return order <= 0
      case '$in':
        return (operand as Value[]).includes(actual)
      case '$nin':
        return !(operand as Value[]).includes(actual)
      case '$contains':
        return typeof actual === 'string' && actual.includes(operand as string)
      case '$exists':
        return (actual !== null) === operand
      default:
        return !compares(actual, operand)
    }
  })
}

/** Text goes by its bytes. */
function compareValues(one: NonNullable<Value>, other: Value): number {
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}

/** Filters of which anything can be wrong. */
const anything = fc.anything({
  key: fc.oneof(
    fc.constantFrom(...COLUMNS, 'key', 'data', '$and', '$or', '$not', '$eq', '$in', '$gt'),
    fc.constantFrom('__proto__', 'constructor', 'toString', '$where', '"', '`', "'; --"),
    fc.string(),
  ),
  values: [
    fc.constantFrom(...Object.values(POOLS).flat()),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(undefined, '\0', "' or '1'='1", '\ud800', 2 ** 60),
  ],
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withBigInt: true,
  withSparseArray: true,
  maxDepth: 5,
})

const engines = [
  ...testEngines(),
  { name: 'SQLite with one parameter', create: () => fewParametersDatabase(1) },
]

describe.each(engines)('filters on $name', ({ create }) => {
  let database: TestDatabase
  let space: DbSpace
  let table: DbTable<Row>

  beforeAll(async () => {
    database = await create()
    space = database.open()
    table = space.table(SuiteType)
    await space.sync()
    await table.insertMany(rows)
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })

  it('match what they mean in JavaScript', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async asked => {
        const found = await table.findMany({ filter: asked, controls: { $select: ['key'] } })
        const expected = rows.filter(row => matches(row, asked)).map(({ key }) => key)
        expect(found.map(({ key }) => key).toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: scaled(300, 5000) },
    )
  })

  it('are answered or refused with WF_DB_FILTER, whatever they are', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(anything, async asked => {
        try {
          const found = await table.findMany({ filter: asked as Row })
          const expected = rows.filter(row => matches(row, asked as Row))
          expect(found).toHaveLength(expected.length)
        } catch (error) {
          expect(error).toMatchObject({ code: 'WF_DB_FILTER' })
          refused++
        }
      }),
      { numRuns: scaled(1000, 20_000) },
    )
    expect(refused).toBeGreaterThan(0)
    expect(await table.count({ filter: {} })).toBe(rows.length)
  })
})
