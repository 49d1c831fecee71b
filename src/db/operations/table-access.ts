import type { Compilable } from 'kysely'
import type { AnyKysely, SqlResult } from '../db-engine'
import type { DbSession, Statement } from '../session/db-session'
import type { Condition } from '../filter/condition'
import { hasLists, shapeOf, valuesOf } from '../filter/to-sql'
import type { SqlTerm } from '../row/sql-value'
import type { TableSchema } from '../schema/table-schema'

/** A table, and where statements about it run. */
export interface TableAccess {
  readonly schema: TableSchema
  readonly session: DbSession
}

/** A statement that ends in a "where": its values come first, those of the condition last. */
export function statementWhere(
  schema: TableSchema,
  name: string,
  where: Condition,
  values: Iterable<SqlTerm>,
  build: (db: AnyKysely) => Compilable,
  isOneOff = false,
): Statement {
  return {
    isOneOff: isOneOff || hasLists(where),
    shape: `${schema.name} ${name} ${shapeOf(where)}`,
    values: [...values, ...valuesOf(where)],
    build,
  }
}

/** Runs a {@link statementWhere}. */
export function runWhere(
  access: TableAccess,
  name: string,
  where: Condition,
  values: Iterable<SqlTerm>,
  build: (db: AnyKysely) => Compilable,
): Promise<SqlResult> {
  return access.session.run(statementWhere(access.schema, name, where, values, build))
}
