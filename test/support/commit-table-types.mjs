// The tables of the tests that kill processes in the middle of commits: a run, its history that only
// grows, and the links that are alive.
const field = (designType, annotations = {}, optional = false) => ({
  type: { kind: '', designType },
  optional,
  metadata: new Map(Object.entries(annotations)),
})
const text = annotations => field('string', annotations)
const whole = annotations => field('number', { 'expect.int': true, ...annotations })
const id = text({ 'meta.id': true, 'db.default.uuid': true })
const commitId = field('string', {}, true)
const table = (name, fields) => ({
  type: { kind: 'object', props: new Map(Object.entries(fields)) },
  metadata: new Map([['db.table', name]]),
})

export const RunType = table('runs', { id: text({ 'meta.id': true }), version: whole(), commitId })

export const EventType = table('events', {
  id,
  run: text({ 'db.index.unique': [{ name: 'seq_idx' }] }),
  seq: whole({ 'db.index.unique': [{ name: 'seq_idx' }] }),
  version: whole(),
  filler: text(),
  commitId,
})

export const LinkType = table('links', {
  id,
  run: text({ 'db.index.plain': [{ name: 'run_idx' }] }),
  version: whole(),
})
