import { StateRow } from './state-row.mjs'

const UPSERT = {
  conflict: ['handle'],
  insertOnly: ['createdAt', 'createdBy'],
  increment: ['version'],
}

/** The cycle through a table of a space. */
export async function ourTable(space) {
  const table = space.table(StateRow)
  await space.sync()
  return {
    table,
    upsert: row => table.upsertOne(row, UPSERT),
    get: handle => table.findOne({ filter: { handle } }),
    take: handle => table.takeOne({ handle }),
    close: () => space.close(),
  }
}
