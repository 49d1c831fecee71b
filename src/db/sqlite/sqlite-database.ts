/** A value that SQLite binds. */
export type SqliteValue = string | number | null

/** A prepared statement of `node:sqlite`, @photostructure/sqlite or better-sqlite3. */
export interface SqliteStatement {
  all(...values: SqliteValue[]): unknown[]
  run(...values: SqliteValue[]): { readonly changes: number | bigint }
  /** Of the `node:sqlite` API: none for a statement that gives no rows. */
  columns?(): readonly unknown[]
  /** Of better-sqlite3: whether it gives rows. */
  readonly reader?: boolean | undefined
}

/** What is needed of an open SQLite database, whichever package opened it. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  close(): unknown
}
