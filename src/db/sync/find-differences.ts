import type { TableIndex, TableSchema } from '../schema/table-schema'
import type { SyncTarget } from './sync-target'
import type { TableInDatabase } from './table-in-database'

/** What stands in the database otherwise than described, and cannot be changed by adding to it. */
export function findDifferences(
  target: SyncTarget,
  schema: TableSchema,
  existing: TableInDatabase,
): string[] {
  return [
    ...differentColumns(target, schema, existing),
    ...differentIndexes(target, schema, existing),
    ...(existing.primaryKey.join() === schema.primaryKey.join()
      ? []
      : [
          `its primary key is (${existing.primaryKey.join(', ')}), not "${schema.primaryKey.join('", "')}"`,
        ]),
  ]
}

function* differentColumns(
  { engine, traits }: SyncTarget,
  schema: TableSchema,
  existing: TableInDatabase,
) {
  const found = new Map(existing.columns.map(column => [column.name, column]))
  for (const column of schema.columns.values()) {
    const there = found.get(column.name)
    const type = engine.columnType(column, traits)
    if (!there) {
      if (!column.nullable && !(column.default && 'literal' in column.default)) {
        yield `"${column.name}" is required, which rows that are there cannot have: make it optional or give it a @db.default`
      }
    } else if (there.type !== type) {
      yield `"${column.name}" is of type ${there.type}, not ${type}`
    } else if (column.nullable !== there.nullable) {
      yield column.nullable
        ? `"${column.name}" does not take null there, but is optional`
        : `"${column.name}" takes null there, but is required`
    }
  }
  for (const { name, nullable, hasDefault } of existing.columns) {
    if (!schema.columns.has(name) && !nullable && !hasDefault) {
      yield `"${name}" is required there, but not described`
    }
  }
}

function* differentIndexes({ engine }: SyncTarget, schema: TableSchema, existing: TableInDatabase) {
  const found = new Map(existing.indexes.map(index => [index.name, index]))
  for (const index of schema.indexes) {
    const there = found.get(index.name)
    // One of all rows does what a sparse one does.
    const asked = index.sparse && there && !there.sparse ? { ...index, sparse: false } : index
    if (there && describe(there) !== describe(asked)) {
      yield `the index "${index.name}" is ${describe(there)}, not ${describe(index)}: drop it to have it made anew`
    }
  }
  if (engine.upsert === 'on duplicate key') yield* unknownUniqueIndexes(schema, existing)
}

/** "On duplicate key" would take a row for the same that shares a unique value we do not know of. */
function* unknownUniqueIndexes(schema: TableSchema, existing: TableInDatabase) {
  const known = new Set(schema.indexes.map(({ name }) => name))
  for (const { name, unique, columns } of existing.indexes) {
    // Columns that we do not know stay null, and nulls are never the same.
    if (unique && !known.has(name) && columns.every(column => schema.columns.has(column))) {
      yield `the unique index "${name}" is not described: describe or drop it`
    }
  }
}

function describe({ columns, unique, sparse }: TableIndex): string {
  const kind = unique ? 'unique' : 'plain'
  return `${sparse ? 'sparse' : kind} on (${columns.join(', ')})`
}
