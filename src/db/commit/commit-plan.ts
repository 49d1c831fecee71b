import type { Comparison, Condition } from '../filter/condition'
import type { SqlRow } from '../row/sql-row'
import type { SqlValue } from '../row/sql-value'
import type { TableSchema } from '../schema/table-schema'

/** The column that keeps the id of a commit. */
export const COMMIT_ID = 'commitId'

/** An update that decides whether a commit is carried out. */
export interface GateUpdate {
  readonly schema: TableSchema
  readonly where: Condition
  readonly patch: SqlRow
  /** Which row it is after the write. */
  readonly key: Condition
  /**
   * The condition names a version that the write raises, so that it can hold once and never again,
   * and no other commit has been in between.
   */
  readonly isPinned: boolean
}

/** An insert that decides whether a commit is carried out. */
export interface GateInsert {
  readonly schema: TableSchema
  readonly row: SqlRow
  readonly key: Condition
  readonly isPinned: true
}

/** An update or, without a patch, a delete. */
export interface PlannedChange {
  readonly schema: TableSchema
  readonly where: Condition
  readonly patch?: SqlRow | undefined
}

export interface PlannedInsert {
  readonly schema: TableSchema
  readonly rows: readonly SqlRow[]
}

/** A commit, checked and encoded. */
export interface CommitPlan {
  readonly commitId: string
  readonly gate: GateUpdate | GateInsert
  readonly returning: readonly string[]
  /** At most one for each table, and none for that of the gate. */
  readonly changes: readonly PlannedChange[]
  /** One for each table. */
  readonly inserts: readonly PlannedInsert[]
}

export const isInsert = (gate: CommitPlan['gate']): gate is GateInsert => 'row' in gate

export const keepsCommits = ({ columns }: TableSchema): boolean => columns.has(COMMIT_ID)

/** Which row it is. */
export const rowKey = ({ primaryKey }: TableSchema, row: SqlRow): Condition => ({
  all: primaryKey.map(column => equals(column, row.get(column) as SqlValue)),
})

/** A column that has a value, which is not null. */
export const equals = (column: string, value: SqlValue): Comparison => ({
  column,
  operator: '=',
  values: [value],
  orNull: false,
})
