import type { DbFilter } from '../filter/filter'
import type { DbPatch } from '../row/db-patch'
import type { DbAnyRow, DbRowOf, DbTableType } from '../schema/table-type'

/** Rows that a commit inserts. */
export interface DbInsert<Row extends object = DbAnyRow> {
  readonly insert: DbTableType
  readonly rows: readonly DbPatch<Row>[]
}

/** Columns that a commit writes to the rows that match. */
export interface DbUpdate<Row extends object = DbAnyRow> {
  readonly update: DbTableType
  readonly filter: DbFilter<Row>
  readonly patch: DbPatch<Row>
}

/** Rows that a commit deletes. */
export interface DbDelete<Row extends object = DbAnyRow> {
  readonly delete: DbTableType
  readonly filter: DbFilter<Row>
}

/** A part of a commit. */
export type DbWrite = DbInsert | DbUpdate | DbDelete

/** A row to insert, or several; what they do not name is its default, or null. */
export function insertInto<T extends DbTableType>(
  type: T,
  rows: DbPatch<DbRowOf<T>> | readonly DbPatch<DbRowOf<T>>[],
): DbInsert<DbRowOf<T> & object> {
  return { insert: type, rows: Array.isArray(rows) ? rows : [rows] }
}

/** What to write to the rows that match. A column whose value is `undefined` is not named. */
export function updateIn<T extends DbTableType>(
  type: T,
  filter: DbFilter<DbRowOf<T>>,
  patch: DbPatch<DbRowOf<T>>,
): DbUpdate<DbRowOf<T> & object> {
  return { update: type, filter, patch }
}

/** Which rows to delete. */
export function deleteFrom<T extends DbTableType>(
  type: T,
  filter: DbFilter<DbRowOf<T>>,
): DbDelete<DbRowOf<T> & object> {
  return { delete: type, filter }
}
