import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { readTableSchema } from '../../src/db/schema/read-table-schema'
import { suiteType } from '../../src/testing/table/suite-type'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'

const id = { of: 'string', annotations: { 'meta.id': true } } as const

describe('a table made from a .as file', () => {
  const space = openSqlite(':memory:')
  afterAll(() => space.close())

  it('has the columns and indexes of the record and of the row that extends it', () => {
    const { name, columns, indexes } = readTableSchema(WfStateRow)
    expect(name).toBe('wf_states')
    expect(Object.fromEntries([...columns].map(([column, { kind }]) => [column, kind]))).toEqual({
      handle: 'string',
      schemaId: 'string',
      state: 'json',
      version: 'integer',
      expiresAt: 'integer',
      updatedAt: 'integer',
      createdAt: 'integer',
      createdBy: 'string',
      lastUpdatedBy: 'string',
      flowId: 'string',
      startedAt: 'integer',
      startedBy: 'string',
      id: 'string',
      inviteEmail: 'string',
      inviteRole: 'string',
    })
    expect(indexes.map(index => `${index.unique ? 'unique ' : ''}${index.name}`)).toEqual([
      'unique wf_states__handle_idx',
      'wf_states__schema_idx',
      'wf_states__expires_idx',
      'wf_states__updated_idx',
      'wf_states__flow_idx',
      'wf_states__email_idx',
      'wf_states__role_idx',
    ])
  })

  it('gives out rows of the type of the file', async () => {
    const table = space.table(WfStateRow)
    await space.sync()
    const row = {
      handle: 'h',
      schemaId: 'users/invite',
      state: { context: { email: 'a@b' }, indexes: [0] },
      version: 1,
      updatedAt: 1,
      createdAt: 1,
      inviteEmail: 'a@b',
    }
    await table.insertOne(row)
    const found = await table.findOne({ filter: { inviteEmail: 'a@b' } })
    expectTypeOf(found!.handle).toEqualTypeOf<string>()
    expectTypeOf(found!.inviteEmail).toEqualTypeOf<string | null | undefined>()
    expectTypeOf(found!.state.indexes).toEqualTypeOf<number[]>()
    expect(found).toMatchObject(row)

    const selected = await table.findMany({ filter: {}, controls: { $select: ['version'] } })
    expectTypeOf(selected).toEqualTypeOf<{ version: number }[]>()
    // @ts-expect-error -- there is no such column
    await expect(table.count({ filter: { inviteMail: 'a@b' } })).rejects.toThrow()
    // @ts-expect-error -- a text is not compared with a number
    await expect(table.count({ filter: { handle: 5 } })).rejects.toThrow()
    // @ts-expect-error -- there is no such column
    await expect(table.findMany({ filter: {}, controls: { $select: ['x'] } })).rejects.toThrow()
    // @ts-expect-error -- a version is a number
    await expect(table.updateMany({}, { version: '2' })).rejects.toThrow()
  })

  it('is the same table each time it is asked for', () => {
    expect(space.table(WfStateRow)).toBe(space.table(WfStateRow))
  })
})

describe('a type that cannot be a table', () => {
  const REFUSED: [string, unknown, RegExp][] = [
    ['has no @db.table', { ...suiteType('x', { id }), metadata: new Map() }, /@db\.table/u],
    ['is no type', { metadata: new Map([['db.table', 'x']]), type: {} }, /exported interface/u],
    ['has no id', suiteType('x', { a: { of: 'string' } }), /needs a field with @meta\.id/u],
    ['has too long a key', suiteType('x', { id, b: id, c: id }), /its primary key have 765/u],
    ['has quotes in its name', suiteType('x"; --', { id }), /name of a table/u],
    ['has quotes in a column', suiteType('x', { id, 'a"': { of: 'string' } }), /name of a column/u],
    ['has a dot in a column', suiteType('x', { id, 'a.b': { of: 'string' } }), /name of a column/u],
    ['has too long a name', suiteType('x'.repeat(64), { id }), /63/u],
    [
      'has columns that differ in case alone',
      suiteType('x', { id, a: { of: 'string' }, A: { of: 'string' } }),
      /differ only in case/u,
    ],
    [
      'indexes JSON',
      suiteType('x', { id, a: { of: 'json', annotations: { 'db.index.plain': [{}] } } }),
      /JSON cannot be indexed/u,
    ],
    [
      'has a sparse index of two columns',
      suiteType('x', {
        id,
        a: { of: 'string', optional: true, annotations: { 'db.index.sparse': [{ name: 'i' }] } },
        b: { of: 'string', optional: true, annotations: { 'db.index.sparse': [{ name: 'i' }] } },
      }),
      /of one column, and neither plain nor unique/u,
    ],
    [
      'has a sparse index that is unique',
      suiteType('x', {
        id,
        a: {
          of: 'string',
          optional: true,
          annotations: { 'db.index.sparse': [{ name: 'i' }], 'db.index.unique': [{ name: 'i' }] },
        },
      }),
      /of one column, and neither plain nor unique/u,
    ],
    [
      'indexes a text that is too long',
      suiteType('x', {
        id,
        a: { of: 'string', annotations: { 'db.index.plain': [{}], 'expect.maxLength': 5000 } },
      }),
      /at most 640/u,
    ],
    [
      'has a default of another type',
      suiteType('x', { id, a: { of: 'number', annotations: { 'db.default': 'many' } } }),
      /its default is no number/u,
    ],
    [
      'makes a uuid of a number',
      suiteType('x', { id, a: { of: 'number', annotations: { 'db.default.uuid': true } } }),
      /a uuid is a string/u,
    ],
    [
      'makes a time of a text',
      suiteType('x', { id, a: { of: 'string', annotations: { 'db.default.now': true } } }),
      /milliseconds/u,
    ],
  ]

  it.each(REFUSED)('is refused: it %s', (_title, type, message) => {
    const space = openSqlite(':memory:')
    expect(() => space.table(type as never)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG', message: expect.stringMatching(message) }),
    )
  })

  it('is refused: it holds an object without @db.json', () => {
    const { type, metadata } = suiteType('x', { id, a: { of: 'json' } })
    const props = new Map(type.props)
    props.set('a', { type: { kind: 'object' }, metadata: new Map() })
    const bare = { metadata, type: { kind: 'object', props } }
    expect(() => readTableSchema(bare)).toThrow(/@db\.json/u)
  })

  it('is refused: another type describes a table of the same name, in any case', () => {
    const space = openSqlite(':memory:')
    space.table(suiteType('x', { id }))
    expect(() => space.table(suiteType('X', { id }))).toThrow(/Two interfaces/u)
  })
})

describe('index names', () => {
  it('tell the same index of two tables apart, and are never cut', () => {
    const long = 'a_very_long_index_name_of_which_there_are_two'
    const table = 'a_table_with_a_name_that_is_not_short'
    const indexed = (name: string) => ({
      of: 'string' as const,
      annotations: { 'db.index.plain': [{ name }] },
    })
    const { indexes } = readTableSchema(
      suiteType(table, { id, a: indexed(`${long}_1`), b: indexed(`${long}_2`) }),
    )
    const names = indexes.map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^a_table_\w{1,55}$/u)
  })
})
