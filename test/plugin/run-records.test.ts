import {
  AsWfEventRecord,
  AsWfLinkRecord,
  AsWfOutboxRecord,
  AsWfRunRecord,
  AsWfSignalRecord,
} from '@atscript/moost-wf/runs.as'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  WfEventRow,
  WfLinkRow,
  WfOutboxRow,
  WfRunRow,
  WfSignalRow,
} from '../fixtures/schemas/wf-run-rows.as'
import { errorsOf } from '../support/atscript'

const plain = (name: string) => ({ 'db.index.plain': [{ name }] })
const sparse = (name: string) => ({ 'db.index.sparse': [{ name }] })
const unique = (name: string) => ({ 'db.index.unique': [{ name }] })
const hidden = { 'ui.table.hidden': true }
const json = { 'db.json': true, ...hidden }
const now = { 'db.default.now': true }

/** What is said about a column: `?` optional, its type, its annotations. */
const RUN = {
  flowId: ['string', { 'meta.id': true }],
  schemaId: ['string', plain('schema_idx')],
  status: ['union', plain('status_started_idx')],
  stepId: ['string?', {}],
  version: ['int', {}],
  input: ['string?', hidden],
  answer: ['string?', hidden],
  runKey: ['string?', unique('run_key_idx')],
  correlationId: ['string?', sparse('correlation_idx')],
  metadata: ['object?', json],
  attempts: ['int', { 'db.default': '0' }],
  dueAt: ['timestamp?', sparse('due_idx')],
  leaseUntil: ['timestamp?', {}],
  leaseOwner: ['string?', hidden],
  claimSeq: ['int', { 'db.default': '0' }],
  expiresAt: ['timestamp?', {}],
  waitsFor: ['string?', {}],
  signalSeq: ['int', { 'db.default': '0' }],
  commitId: ['string?', hidden],
  lastError: ['object?', json],
  result: ['object?', json],
  startedAt: [
    'timestamp',
    { 'db.index.plain': [{ name: 'started_idx' }, { name: 'status_started_idx' }] },
  ],
  startedBy: ['string?', {}],
  lastStartedAt: ['timestamp?', {}],
  activeMs: ['int', { 'db.default': '0' }],
  completedAt: ['timestamp?', sparse('completed_idx')],
  updatedAt: ['timestamp', now],
  createdAt: ['timestamp', now],
  createdBy: ['string?', {}],
  lastUpdatedBy: ['string?', {}],
  state: ['object', json],
} as const

const SIGNAL = {
  id: ['string', { 'meta.id': true, 'db.default.uuid': true, ...hidden }],
  flowId: ['string', unique('seq_idx')],
  seq: ['int', unique('seq_idx')],
  name: ['string', {}],
  payload: ['string', hidden],
  sentBy: ['string?', {}],
  createdAt: ['timestamp', now],
  commitId: ['string?', hidden],
} as const

const EVENT = {
  flowId: ['string', { 'meta.id': true }],
  seq: ['int', { 'meta.id': true }],
  schemaId: ['string', {}],
  type: ['string', {}],
  stepId: ['string?', {}],
  at: ['timestamp', {}],
  startedAt: ['timestamp?', {}],
  actor: ['string?', {}],
  detail: ['object', json],
  commitId: ['string?', hidden],
} as const

const LINK = {
  hash: ['string', { 'meta.id': true }],
  flowId: ['string', plain('flow_idx')],
  pause: ['int', {}],
  recipient: ['string?', {}],
  audience: ['union', {}],
  seat: ['string?', {}],
  expiresAt: ['timestamp?', plain('expires_idx')],
  opens: ['int', { 'db.default': '0' }],
  openedAt: ['timestamp?', {}],
  createdAt: ['timestamp', now],
} as const

const OUTBOX = {
  messageId: ['string', { 'meta.id': true }],
  flowId: ['string', plain('flow_idx')],
  pause: ['int', {}],
  outlet: ['string', {}],
  recipient: ['string?', {}],
  content: ['string', hidden],
  status: ['union', {}],
  attempts: ['int', { 'db.default': '0' }],
  dueAt: ['timestamp?', plain('due_idx')],
  claimSeq: ['int', { 'db.default': '0' }],
  lastError: ['object?', json],
  queuedAt: ['timestamp', {}],
  settledAt: ['timestamp?', {}],
  createdAt: ['timestamp', now],
} as const

const TAGS = ['int', 'timestamp', 'string'] as const

describe.each([
  ['AsWfRunRecord', AsWfRunRecord, RUN],
  ['AsWfEventRecord', AsWfEventRecord, EVENT],
  ['AsWfLinkRecord', AsWfLinkRecord, LINK],
  ['AsWfOutboxRecord', AsWfOutboxRecord, OUTBOX],
  ['AsWfSignalRecord', AsWfSignalRecord, SIGNAL],
])('%s', (_name, record, expected) => {
  it('declares its columns', () => {
    const columns = [...record.type.props].map(([name, { type, optional, metadata }]) => {
      const { 'meta.label': label, 'expect.int': _, ...others } = Object.fromEntries(metadata)
      if (name !== 'id') expect(label, name).toBeTypeOf('string')
      const kind = type.kind || TAGS.find(tag => type.tags.has(tag))
      return [name, [`${kind}${optional ? '?' : ''}`, others]]
    })
    expect(Object.fromEntries(columns)).toEqual(expected)
  })

  it('leaves the table to the row', () => {
    expect(record.metadata.has('db.table')).toBe(false)
  })
})

describe('rows of durable runs', () => {
  it('add shadow columns to those of the record', () => {
    expect([...WfRunRow.type.props.keys()]).toEqual([...Object.keys(RUN), 'inviteEmail'])
    expect([...WfEventRow.type.props.keys()]).toEqual(Object.keys(EVENT))
    expect([...WfLinkRow.type.props.keys()]).toEqual(Object.keys(LINK))
  })

  it('are typed', () => {
    expectTypeOf<WfRunRow['state']['context']>().toEqualTypeOf<unknown>()
    expectTypeOf<WfRunRow['inviteEmail']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<WfRunRow>().toExtend<AsWfRunRecord>()
    expectTypeOf<WfEventRow>().toExtend<AsWfEventRecord>()
    expectTypeOf<WfLinkRow>().toExtend<AsWfLinkRecord>()
    expectTypeOf<WfOutboxRow>().toExtend<AsWfOutboxRecord>()
    expectTypeOf<WfSignalRow>().toExtend<AsWfSignalRecord>()
  })

  it('cannot turn a column of the record into a shadow column', async () => {
    const text = `
import { AsWfRunRecord } from '@atscript/moost-wf/runs.as'

annotate AsWfRunRecord {
    @wf.store.fromContext 'step'
    stepId
}
`
    expect(await errorsOf(text)).toEqual([
      expect.stringMatching(/is a column of AsWfRunRecord, which the store writes/u),
    ])
  })

  it('cannot have a shadow column that holds no plain value', async () => {
    const text = `
import { AsWfRunRecord } from '@atscript/moost-wf/runs.as'

@db.table 'wf_runs'
export interface Row extends AsWfRunRecord {
    @wf.store.fromContext 'items'
    items?: string[]
}
`
    expect((await errorsOf(text)).join()).toMatch(/'items' must be a string/u)
  })
})
