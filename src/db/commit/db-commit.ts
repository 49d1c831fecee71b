import type { DbInsert, DbUpdate, DbWrite } from './db-write'

/** A conditional write, and what is written if its condition holds. */
export interface DbCommit<Row extends object, Returned extends keyof Row = keyof Row> {
  /**
   * Tells this commit from all others. It is kept in the column `commitId`, which the table of
   * `write` must have, and in that column of every inserted row whose table has one.
   *
   * @default a random one
   */
  readonly commitId?: string | undefined
  /**
   * The row that decides: an update, whose filter must name the id or a unique index and is the
   * condition, or the insert of one row, whose condition is that no unique value of it is taken.
   */
  readonly write: DbUpdate<Row> | DbInsert<Row>
  /** Columns of that row to give back, as they are after the write. */
  readonly returning?: readonly Returned[] | undefined
  /**
   * What belongs to it. Updates and deletes do not see what the commit itself writes, wherever they
   * stand, so there is at most one for each table, and none for that of `write`.
   */
  readonly with?: readonly DbWrite[] | undefined
}

/** What became of a commit. */
export type DbCommitResult<Row> =
  | { readonly held: true; readonly row: Row }
  /** Nothing was written. */
  | { readonly held: false; readonly row?: undefined }
