import type { Compilable } from 'kysely'
import type { AnyKysely, SqlResult } from '../db-engine'
import type { DbSession } from '../session/db-session'
import type { Condition } from '../filter/condition'
import { hasLists, shapeOf, valuesOf } from '../filter/to-sql'
import type { SqlValue } from '../row/sql-value'
import type { TableSchema } from '../schema/table-schema'

/** A table, and where statements about it run. */
export interface TableAccess {
  readonly schema: TableSchema
  readonly session: DbSession
}

/** Runs a statement that ends in a "where": its values come first, those of the condition last. */
export function runWhere(
  { schema, session }: TableAccess,
  name: string,
  where: Condition,
  values: Iterable<SqlValue>,
  build: (db: AnyKysely) => Compilable,
  isOneOff = false,
): Promise<SqlResult> {
  return session.run({
    isOneOff: isOneOff || hasLists(where),
    shape: `${schema.name} ${name} ${shapeOf(where)}`,
    values: [...values, ...valuesOf(where)],
    build,
  })
}
