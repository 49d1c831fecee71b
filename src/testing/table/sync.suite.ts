import { expect, it } from 'vitest'
import type { DbSpace, DbTableType } from '../../db'
import { casesUnless } from '../excused-cases'
import { suiteType } from './suite-type'
import type { TableFixture, TableLacks } from './table-database'

const id = { of: 'string', annotations: { 'meta.id': true } } as const
const plain = (name: string) => ({ 'db.index.plain': [{ name }] })
const unique = (name: string) => ({ 'db.index.unique': [{ name }] })
const sparse = (name: string) => ({ 'db.index.sparse': [{ name }] })

let tables = 0

export function describeSync(current: () => TableFixture, lacks: TableLacks): void {
  const itIfShared = casesUnless('describeTable', lacks)('sharing')

  /** Another process, with another version of the `.as` file. */
  const withSpace = async <R>(type: DbTableType, work: (space: DbSpace) => Promise<R>) => {
    const space = await current().database.open()
    try {
      space.table(type)
      return await work(space)
    } finally {
      await space.close()
    }
  }
  const sync = (type: DbTableType) => withSpace(type, space => space.sync())
  const newTable = () => `suite_sync_${++tables}`

  it('has nothing to do the second time', async () => {
    expect(await current().space.sync()).toEqual([])
  })

  itIfShared('adds columns and indexes, and keeps the rows', async () => {
    const table = newTable()
    const before = suiteType(table, { id, text: { of: 'string' } })
    const after = suiteType(table, {
      id,
      text: { of: 'string' },
      role: { of: 'string', annotations: { 'db.default': 'member', ...plain('role_idx') } },
      flag: { of: 'boolean', annotations: { 'db.default': 'true' } },
      note: { of: 'string', optional: true, annotations: plain('note_idx') },
      one: { of: 'number', optional: true, annotations: unique('pair_idx') },
      two: { of: 'number', optional: true, annotations: unique('pair_idx') },
    })
    await withSpace(before, async space => {
      await space.sync()
      await space.table(before).insertOne({ id: 'a', text: 'kept' })
    })
    const changes = (await sync(after)).map(({ change }) => change)
    expect(changes).toEqual([
      'adds the column "role"',
      'adds the column "flag"',
      'adds the column "note"',
      'adds the column "one"',
      'adds the column "two"',
      'adds an index on "role"',
      'adds an index on "note"',
      'adds a unique index on "one", "two"',
    ])
    expect(await sync(after)).toEqual([])
    await withSpace(after, async space => {
      const rows = space.table(after)
      const kept = {
        id: 'a',
        text: 'kept',
        role: 'member',
        flag: true,
        note: null,
        one: null,
        two: null,
      }
      expect(await rows.findMany({ filter: {} })).toEqual([kept])
      await rows.insertOne({ id: 'b', text: '', one: 1, two: 2 })
      const twin = rows.insertOne({ id: 'c', text: '', one: 1, two: 2 })
      await expect(twin).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    })
    await withSpace(before, async space => {
      expect(await space.sync()).toEqual([])
      expect(await space.table(before).findMany({ filter: { id: 'a' } })).toEqual([
        { id: 'a', text: 'kept' },
      ])
    })
  })

  itIfShared('makes a sparse index, and takes one of all rows for it', async () => {
    const withIndex = (annotations: Record<string, unknown>, table = newTable()) =>
      suiteType(table, { id, text: { of: 'string', optional: true, annotations } })
    const fresh = withIndex(sparse('i'))
    expect(await sync(fresh)).toHaveLength(2)
    expect(await sync(fresh)).toEqual([])
    await withSpace(fresh, async space => {
      const rows = space.table(fresh)
      await rows.insertMany([{ id: 'a', text: 'x' }, { id: 'b' }])
      expect(await rows.count({ filter: { text: { $gte: 'x' } } })).toBe(1)
      expect(await rows.count({ filter: { text: null } })).toBe(1)
    })
    const older = newTable()
    await sync(withIndex(plain('i'), older))
    expect(await sync(withIndex(sparse('i'), older))).toEqual([])
  })

  itIfShared('goes on reading while a column is added', async () => {
    const table = newTable()
    const before = suiteType(table, { id, text: { of: 'string', optional: true } })
    const after = suiteType(table, {
      id,
      text: { of: 'string', optional: true },
      more: { of: 'string', optional: true },
    })
    await withSpace(before, async space => {
      await space.sync()
      const rows = space.table(before)
      await rows.insertOne({ id: 'a' })
      await sync(after)
      expect(await rows.findOne({ filter: { id: 'a' } })).toEqual({ id: 'a', text: null })
      expect(await rows.takeOne({ id: 'a' })).toEqual({ id: 'a', text: null })
    })
  })

  itIfShared('says what it would do, and does not', async () => {
    const type = suiteType(newTable(), { id })
    const reported: string[] = []
    const steps = await withSpace(type, space =>
      space.sync({ dryRun: true, onStep: step => reported.push(step.sql) }),
    )
    expect(steps).toHaveLength(1)
    expect(reported).toEqual(steps.map(step => step.sql))
    expect(steps[0]?.sql).toMatch(/^create table /u)
    expect(await sync(type)).toEqual(steps)
  })

  const DIFFERENCES: [string, object, object, RegExp][] = [
    [
      'another type',
      { text: { of: 'string', optional: true } },
      { text: { of: 'number', optional: true } },
      /"text" is of type/u,
    ],
    [
      'a required column for rows without it',
      {},
      { text: { of: 'string' } },
      /"text" is required/u,
    ],
    ['a required column that is gone', { text: { of: 'string' } }, {}, /"text" is required there/u],
    [
      'null where none is taken',
      { text: { of: 'string' } },
      { text: { of: 'string', optional: true } },
      /"text" does not take null/u,
    ],
    [
      'a required column that takes null',
      { text: { of: 'string', optional: true } },
      { text: { of: 'string', annotations: { 'db.default': 'x', 'expect.maxLength': 9 } } },
      /"text" (?:takes null there|is of type)/u,
    ],
    [
      'another index of the same name',
      { text: { of: 'string', annotations: plain('i') } },
      { text: { of: 'string', annotations: unique('i') } },
      /plain on \(text\), not unique on \(text\)/u,
    ],
  ]
  for (const [title, before, after, message] of DIFFERENCES) {
    itIfShared(`refuses, and changes nothing: ${title}`, async () => {
      const table = newTable()
      await sync(suiteType(table, { id, ...before }))
      const changed = suiteType(table, { id, ...after, added: { of: 'string', optional: true } })
      const refused = await sync(changed).catch((error: unknown) => error as Error)
      expect(refused).toMatchObject({
        code: 'WF_DB_SCHEMA',
        message: expect.stringMatching(message),
      })
      expect(await sync(suiteType(table, { id, ...before }))).toEqual([])
    })
  }

  itIfShared('refuses another primary key', async () => {
    const table = newTable()
    await sync(suiteType(table, { id, key: { of: 'string', annotations: unique('k') } }))
    const other = suiteType(table, {
      id: { of: 'string' },
      key: { of: 'string', annotations: { 'meta.id': true } },
    })
    await expect(sync(other)).rejects.toMatchObject({
      code: 'WF_DB_SCHEMA',
      message: expect.stringMatching(/primary key is \(id\), not "key"/u),
    })
  })

  itIfShared('says what is missing when a table was never synced', async () => {
    const type = suiteType(newTable(), { id })
    const asked = withSpace(type, space => space.table(type).count({ filter: {} }))
    await expect(asked).rejects.toMatchObject({
      code: 'WF_DB_FAILED',
      message: expect.stringMatching(/sync\(\)/u),
    })
  })
}
