import { randomUUID } from 'node:crypto'
import { insertInto, updateIn } from '../../../dist/db/index.mjs'
import { EventRow, eventOf, RunRow, state } from './run-tables.mjs'

/** Transitions through a space. */
export async function ourCommits(space) {
  const runs = space.table(RunRow)
  const events = space.table(EventRow)
  await space.sync()
  return {
    start: id => runs.insertOne({ id, version: 1, status: 'running', state }),
    async advance(id, version) {
      const { held } = await space.commit({
        commitId: randomUUID(),
        write: updateIn(
          RunRow,
          { id, version },
          { version: version + 1, status: 'running', state },
        ),
        with: [insertInto(EventRow, eventOf(randomUUID(), id, version))],
      })
      return held
    },
    versionOf: async id => (await runs.findOne({ filter: { id } })).version,
    eventsOf: id => events.count({ filter: { runId: id } }),
    close: () => space.close(),
  }
}
