import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { WfLedgerRow } from '../fixtures/schemas/wf-ledger-row.as'

/** What is said about a column: `?` optional, its type, its annotations. */
const COLUMNS = {
  key: ['string', { 'meta.id': true }],
  kind: ['string', { 'db.index.plain': [{ name: 'kind_idx' }] }],
  count: ['int', {}],
  data: ['string?', { 'ui.table.hidden': true }],
  expiresAt: ['timestamp?', { 'db.index.plain': [{ name: 'expires_idx' }] }],
} as const

const TAGS = ['int', 'timestamp', 'string'] as const

describe('AsWfLedgerRecord', () => {
  it('declares the columns of a ledger, all with a label', () => {
    const columns = [...AsWfLedgerRecord.type.props].map(([name, { type, optional, metadata }]) => {
      const { 'meta.label': label, 'expect.int': _, ...others } = Object.fromEntries(metadata)
      expect(label, name).toBeTypeOf('string')
      const kind = type.kind || TAGS.find(tag => type.tags.has(tag))
      return [name, [`${kind}${optional ? '?' : ''}`, others]]
    })
    expect(Object.fromEntries(columns)).toEqual(COLUMNS)
  })

  it('leaves nothing but the table to the row', () => {
    expect(AsWfLedgerRecord.metadata.has('db.table')).toBe(false)
    expect(WfLedgerRow.metadata.get('db.table')).toBe('wf_ledger')
    expect([...WfLedgerRow.type.props.keys()]).toEqual(Object.keys(COLUMNS))
  })

  it('types a row', () => {
    expectTypeOf<WfLedgerRow['count']>().toEqualTypeOf<number>()
    expectTypeOf<WfLedgerRow['data']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<WfLedgerRow>().toExtend<AsWfLedgerRecord>()
  })
})
