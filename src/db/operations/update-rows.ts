import type { Condition } from '../filter/condition'
import type { DbEngine } from '../db-engine'
import { toSql } from '../filter/to-sql'
import type { SqlRow } from '../row/sql-row'
import { shapeOfRow, termsOf } from '../row/sql-terms'
import type { TableSchema } from '../schema/table-schema'
import type { Statement } from '../session/db-session'
import { statementWhere, type TableAccess } from './table-access'

/** What writes `patch` to the rows that match, and gives back some columns of them. */
export function updateStatement(
  engine: DbEngine,
  schema: TableSchema,
  where: Condition,
  patch: SqlRow,
  returning: readonly string[] = [],
): Statement {
  const name = `update ${shapeOfRow(patch)};${returning.join()}`
  return statementWhere(schema, name, where, patch.values(), db => {
    const update = db.updateTable(schema.name).set(termsOf(engine, patch))
    const matching = update.where(toSql(where, engine))
    return returning.length === 0 ? matching : matching.returning([...returning])
  })
}

/** What deletes the rows that match. */
export function deleteStatement(
  engine: DbEngine,
  schema: TableSchema,
  where: Condition,
): Statement {
  return statementWhere(schema, 'delete', where, [], db =>
    db.deleteFrom(schema.name).where(toSql(where, engine)),
  )
}

/** Writes `patch` to the rows that match and says how many there were. */
export async function updateRows(
  { schema, session }: TableAccess,
  where: Condition,
  patch: SqlRow,
): Promise<number> {
  const statement = updateStatement(session.engine, schema, where, patch)
  return (await session.run(statement)).affected
}

/** Deletes the rows that match and says how many there were. */
export async function deleteRows(
  { schema, session }: TableAccess,
  where: Condition,
): Promise<number> {
  return (await session.run(deleteStatement(session.engine, schema, where))).affected
}
