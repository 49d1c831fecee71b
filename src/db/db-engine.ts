import type { Dialect, Kysely } from 'kysely'
import type { Clock } from '../state'
import type { CarryOutCommit } from './commit/carry-out-commit'
import type { SqlValue } from './row/sql-value'
import type { Column } from './schema/column'
import type { TableSchema } from './schema/table-schema'
import type { TableInDatabase } from './sync/table-in-database'

/** What a driver gave back. */
export interface SqlResult {
  readonly rows: readonly Record<string, unknown>[]
  readonly affected: number
}

/** A statement as it goes to a driver. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

// oxlint-disable-next-line typescript/no-explicit-any -- tables are known at run time only
export type AnyKysely = Kysely<any>

/** What a failure means for the one who asked. */
export type FailureKind =
  /** A unique index already holds such a row. */
  | 'conflict'
  /** Nothing was done, and the same again may succeed: a deadlock, a prepared statement out of date. */
  | 'retry'
  /** The database did not answer; whether it did what was asked is not known. */
  | 'unavailable'
  /** A table or a column is not there. */
  | 'not synced'
  /** A value is not one that its column can hold. The same again fails again. */
  | 'unfit'
  | 'other'

/** What a server turns out to be. */
export interface EngineTraits {
  /** Whether `insert` and `delete` can return rows. */
  readonly returning: boolean
  /** Whether several statements can be sent as one. */
  readonly compound?: boolean | undefined
  /** How text is compared, where servers of one kind have different names for that. */
  readonly collation?: string | undefined
}

/**
 * Everything that is special about one database. Kysely brings the dialect; this says what the
 * table layer needs beyond it. A fourth database is one object of this kind.
 */
export interface DbEngine {
  readonly name: string
  readonly dialect: Dialect
  /** Asked once, when it is first needed. */
  traits(db: AnyKysely): Promise<EngineTraits>
  /** How an upsert is spelled. */
  readonly upsert: 'on conflict' | 'on duplicate key'
  /** Whether `update` can return rows. */
  readonly updateReturning: boolean
  /**
   * Carries out a commit: all of it if its gate lets it through, else nothing. It may run on its own
   * or within a transaction (`session.isTransaction`).
   *
   * @default a transaction of several statements
   */
  readonly commit?: CarryOutCommit | undefined
  /**
   * The function that finds a text in another, byte by byte, and counts from 1.
   *
   * @default 'instr'
   */
  readonly positionFunction?: 'instr' | 'strpos' | undefined
  /** Whether a plain order puts nulls first when ascending. */
  readonly sortsNullsFirst: boolean
  /** Whether an index can leave out rows. */
  readonly sparseIndexes?: boolean | undefined
  /**
   * The moment of a statement, in whole milliseconds since the epoch, as SQL: the time that all
   * processes have in common.
   */
  readonly now: string
  /**
   * The same, read once for a whole search, where `now` is read anew for every row: such a value is
   * compared with each of them, one that is read once is looked up in an index.
   *
   * @default now
   */
  readonly nowOfSearch?: string | undefined
  /** Takes the place of `now`, which is 0 then: for tests. */
  readonly clock?: Clock | undefined
  /** How many values one statement takes. */
  readonly maxParameters: number
  /**
   * Lets a statement with more values than that take them in fewer parameters: for a database whose
   * limit is lower than what a filter may hold, which is 2,000 values.
   */
  packValues?(sql: string, values: readonly SqlValue[]): BoundStatement
  /** Runs a statement on its own. Within a transaction statements run through the dialect. */
  execute(sql: string, values: readonly SqlValue[]): Promise<SqlResult>
  /**
   * Runs statements one after the other, all of them or none: what a database has that keeps no
   * transaction open for its client. With it there are no other transactions.
   *
   * @default a transaction
   */
  batch?(statements: readonly BoundStatement[]): Promise<readonly SqlResult[]>
  failureOf(error: unknown): FailureKind
  /** A statement with this text will come again: worth keeping prepared, as far as there is room. */
  keepPrepared(sql: string): void
  /** Ends what `dialect` has opened, also if it was never used. Can be called twice. */
  close(): Promise<void>
  /** The type of a column as DDL, without nullability and default. */
  columnType(column: Column, traits: EngineTraits): string
  /** Written at the end of each `create table`. */
  tableSuffix?(table: TableSchema): string
  /** Runs `work` while no other process does, so that schemas are changed by one at a time. */
  exclusively<R>(db: AnyKysely, work: (db: AnyKysely) => Promise<R>): Promise<R>
  /** What the database has under this name, or `null`. */
  inspect(db: AnyKysely, table: string): Promise<TableInDatabase | null>
}
