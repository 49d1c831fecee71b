import { AsWfStateRecord } from '@atscript/moost-wf/store.as'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'

/** What the specification says about a column: `?` optional, its type, its annotations. */
const COLUMNS = {
  handle: ['string', { 'db.index.unique': [{ name: 'handle_idx' }] }],
  schemaId: ['string', { 'db.index.plain': [{ name: 'schema_idx' }] }],
  state: ['object', { 'db.json': true, 'ui.table.hidden': true }],
  version: ['number', { 'db.default': '1' }],
  expiresAt: ['timestamp?', { 'db.index.plain': [{ name: 'expires_idx' }] }],
  updatedAt: ['timestamp', { 'db.index.plain': [{ name: 'updated_idx' }], 'db.default.now': true }],
  createdAt: ['timestamp', { 'db.default.now': true }],
  createdBy: ['string?', {}],
  lastUpdatedBy: ['string?', {}],
  flowId: ['string?', { 'db.index.plain': [{ name: 'flow_idx' }] }],
  startedAt: ['timestamp?', {}],
  startedBy: ['string?', {}],
} as const

const row = {
  id: 'a',
  handle: 'h',
  schemaId: 'users/invite',
  version: 1,
  updatedAt: 1,
  createdAt: 1,
}

describe('AsWfStateRecord', () => {
  it('declares the columns of the specification, the version and the flow, all with a label', () => {
    const columns = [...AsWfStateRecord.type.props].map(([name, { type, optional, metadata }]) => {
      const { 'meta.label': label, 'expect.int': _, ...others } = Object.fromEntries(metadata)
      expect(label, name).toBeTypeOf('string')
      const kind = type.kind || (type.tags.has('timestamp') ? 'timestamp' : type.designType)
      return [name, [`${kind}${optional ? '?' : ''}`, others]]
    })
    expect(Object.fromEntries(columns)).toEqual(COLUMNS)
  })

  it('leaves the table and its key to the row', () => {
    expect(AsWfStateRecord.metadata.has('db.table')).toBe(false)
    expect([...WfStateRow.type.props.keys()]).toEqual([
      ...Object.keys(COLUMNS),
      'id',
      'inviteEmail',
      'inviteRole',
    ])
  })

  it.each([
    { context: {}, indexes: [] },
    { context: { '': 1, a: null, b: [{ c: [true] }], 'd.e': '💥' }, indexes: [0, 1], meta: {} },
    { context: {}, indexes: [2], meta: { wf: { flowId: 'f', seq: 1 } } },
    { context: null, indexes: [0] },
    { context: 'text', indexes: [0] },
    { context: [1, null], indexes: [0] },
    { context: 7, indexes: [0] },
  ])('takes any JSON for a context: %j', state => {
    expect(WfStateRow.validator().validate({ ...row, state })).toBe(true)
  })

  it.each([{}, null, [], { context: {}, indexes: ['0'] }, { context: {}, indexes: [], more: 1 }])(
    'does not take %j for a state',
    state => {
      expect(WfStateRow.validator().validate({ ...row, state }, true)).toBe(false)
    },
  )

  it('types a row', () => {
    expectTypeOf<WfStateRow['state']['context']>().toEqualTypeOf<unknown>()
    expectTypeOf<WfStateRow['state']['indexes']>().toEqualTypeOf<number[]>()
    expectTypeOf<WfStateRow['expiresAt']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<WfStateRow['inviteEmail']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<WfStateRow>().toExtend<AsWfStateRecord>()
  })
})
