import { randomUUID } from 'node:crypto'
import { eventOf, state } from './run-tables.mjs'

/** BEGIN, two statements, COMMIT, as one would write it, with the quotes and marks of a database. */
export function transitionByHand({ quote, mark }) {
  const q = names => names.map(quote)
  const [runs, events, id, version, status, kept, commitId] = q([
    'runs',
    'events',
    'id',
    'version',
    'status',
    'state',
    'commitId',
  ])
  const columns = q(['id', 'runId', 'seq', 'kind', 'at', 'commitId']).join(', ')
  const marks = Array.from({ length: 6 }, (_, at) => mark(at + 1)).join(', ')
  return {
    update: `update ${runs} set ${version} = ${mark(1)}, ${status} = ${mark(2)}, ${kept} = ${mark(3)}, ${commitId} = ${mark(4)} where ${id} = ${mark(5)} and ${version} = ${mark(6)}`,
    insert: `insert into ${events} (${columns}) values (${marks})`,
  }
}

/** The values of both statements. */
function valuesOf(id, version) {
  const commitId = randomUUID()
  const { runId, seq, kind, at, ...event } = eventOf(randomUUID(), id, version)
  return {
    update: [version + 1, 'running', JSON.stringify(state), commitId, id, version],
    insert: [event.id, runId, seq, kind, at, commitId],
  }
}

/** Runs a transition within a transaction, and says whether it may be committed. */
export async function runByHand(execute, id, version) {
  const { update, insert } = valuesOf(id, version)
  if ((await execute('update', update)) !== 1) return false
  await execute('insert', insert)
  return true
}

/** The same on a driver that waits for nothing. */
export function runByHandAtOnce(execute, id, version) {
  const { update, insert } = valuesOf(id, version)
  if (execute('update', update) !== 1) return false
  execute('insert', insert)
  return true
}
