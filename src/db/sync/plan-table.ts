import { type ColumnDefinitionBuilder, type Compilable, type CreateTableBuilder, sql } from 'kysely'
import type { Column } from '../schema/column'
import type { TableIndex, TableSchema } from '../schema/table-schema'
import type { PlannedStep } from './planned-step'
import type { SyncTarget } from './sync-target'
import type { TableInDatabase } from './table-in-database'

/** The steps that turn `existing` into what `schema` describes, by adding alone. */
export function planTable(
  target: SyncTarget,
  schema: TableSchema,
  existing: TableInDatabase | null,
): PlannedStep[] {
  const step = (change: string, query: Compilable): PlannedStep => ({
    table: schema.name,
    change,
    query: query.compile(),
  })
  const columns = new Set(existing?.columns.map(({ name }) => name))
  const indexes = new Set(existing?.indexes.map(({ name }) => name))
  const missing = [...schema.columns.values()].filter(({ name }) => !columns.has(name))
  const added = existing
    ? missing.map(column =>
        step(`adds the column "${column.name}"`, addColumn(target, schema, column)),
      )
    : [step(`creates the table "${schema.name}"`, createTable(target, schema))]
  return [
    ...added,
    ...schema.indexes
      .filter(({ name }) => !indexes.has(name))
      .map(index => step(describe(index), createIndex(target, schema, index))),
  ]
}

function describe({ columns, unique }: TableIndex): string {
  const list = columns.map(column => `"${column}"`).join(', ')
  return `adds ${unique ? 'a unique index' : 'an index'} on ${list}`
}

function createTable({ db, engine, traits }: SyncTarget, schema: TableSchema) {
  const { name, primaryKey } = schema
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const column of schema.columns.values()) {
    const type = sql.raw(engine.columnType(column, traits))
    builder = builder.addColumn(column.name, type, definition => {
      const defined = define(definition, column)
      return primaryKey.join() === column.name ? defined.primaryKey() : defined
    })
  }
  if (primaryKey.length > 1) {
    builder = builder.addPrimaryKeyConstraint(`${name}_pkey`, [...primaryKey])
  }
  return engine.tableSuffix ? builder.modifyEnd(sql.raw(engine.tableSuffix(schema))) : builder
}

function addColumn({ db, engine, traits }: SyncTarget, { name }: TableSchema, column: Column) {
  const type = sql.raw(engine.columnType(column, traits))
  return db.schema
    .alterTable(name)
    .addColumn(column.name, type, definition => define(definition, column))
}

function define(definition: ColumnDefinitionBuilder, column: Column): ColumnDefinitionBuilder {
  const byDefault = column.default
  const defaulted =
    byDefault && 'literal' in byDefault ? definition.defaultTo(byDefault.literal) : definition
  return column.nullable ? defaulted : defaulted.notNull()
}

function createIndex({ db, engine }: SyncTarget, schema: TableSchema, index: TableIndex) {
  const builder = db.schema.createIndex(index.name).on(schema.name)
  const columns = index.columns.map(column =>
    // Sorted as queries sort, so that an index serves them.
    engine.sortsNullsFirst || !schema.columns.get(column)?.nullable
      ? sql.ref(column)
      : sql`${sql.ref(column)} asc nulls first`,
  )
  const indexed = builder.expression(sql`${sql.join(columns)}`)
  if (index.unique) return indexed.unique()
  const [column = ''] = index.columns
  const isSparse = index.sparse && engine.sparseIndexes
  return isSparse ? indexed.where(sql.ref(column), 'is not', null) : indexed
}
