import { stateOf } from '../../measure/sized-state.mjs'

const field = (type, { optional = false, ...annotations } = {}) => ({
  type,
  optional,
  metadata: new Map(Object.entries(annotations)),
})
const text = annotations => field({ kind: '', designType: 'string' }, annotations)
const whole = annotations =>
  field({ kind: '', designType: 'number' }, { 'expect.int': true, ...annotations })
const json = () => field({ kind: 'object' }, { 'db.json': true })
const table = (name, fields) => ({
  type: { kind: 'object', props: new Map(Object.entries(fields)) },
  metadata: new Map([['db.table', name]]),
})

export const RunRow = table('runs', {
  id: text({ 'meta.id': true }),
  version: whole(),
  status: text(),
  state: json(),
  commitId: text({ optional: true }),
})

export const EventRow = table('events', {
  id: text({ 'meta.id': true }),
  runId: text({ 'db.index.plain': [{ name: 'run_idx' }] }),
  seq: whole(),
  kind: text(),
  at: whole(),
  commitId: text({ optional: true }),
})

/** The state of a run, and what one transition of it writes. */
export const state = stateOf(1024)
export const eventOf = (id, runId, seq) => ({ id, runId, seq, kind: 'step', at: Date.now() })
