import type { WfTable } from '@atscript/moost-wf/store'

/** A table with the operations of the public `AtscriptDbTable` and no others, on a real one. */
export function publicTable(table: WfTable): WfTable {
  return {
    type: table.type,
    findOne: query => table.findOne(query),
    findMany: query => table.findMany(query),
    insertOne: row =>
      table.insertOne(row).catch(() => {
        // It has errors of its own.
        throw new Error('UNIQUE constraint failed')
      }),
    updateMany: (filter, patch) => table.updateMany(filter, patch),
    deleteMany: filter => table.deleteMany(filter),
  }
}
