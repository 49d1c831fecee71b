import type { Clock, WfRowColumn, WfState, WfStoredState } from '../../state'
import type { WfCleanupOptions } from './cleanup-rows'
import type { WfHealProgress } from './heal-rows'
import type { VersionedRow, WfRowId } from './versioned-rows'
import type { WfCount, WfSql } from './wf-table'

/** A row as the admin API reads it; columns of its own come on top. */
export interface WfAdminStoredRow extends VersionedRow {
  readonly schemaId: string
  readonly updatedAt: number
  readonly expiresAt?: number | null | undefined
  /** Whoever has it may go on with the flow, if it is not a hash. Never shown. */
  readonly handle?: string | undefined
}

/** Which rows the admin API asks for, by columns that may be shown. */
export interface WfAdminQuery {
  readonly filter?: object | undefined
  readonly controls?:
    | {
        readonly $limit?: number | undefined
        readonly $skip?: number | undefined
        readonly $sort?: object | undefined
        readonly $select?: readonly string[] | undefined
      }
    | undefined
}

/**
 * What the admin API needs of a store: {@link AsWfStore} has it. Rows are named by their ids, and
 * what changes one names the `version` that was seen, and is refused with `WF_CONFLICT` when there is
 * a newer one. All of it stays within the scope of the store, but for `handlesAmong`.
 */
export interface WfAdminStore {
  /** Decides what has expired. */
  readonly clock: Clock
  /** The columns that may be shown, filtered and sorted by. One of them `isId`. */
  columns(): readonly WfRowColumn[]
  list(query?: WfAdminQuery): Promise<readonly WfAdminStoredRow[]>
  count(query?: Pick<WfAdminQuery, 'filter'>): Promise<number>
  /** How many rows have each value of a column, the most frequent first. */
  countBy(
    column: string,
    query?: Pick<WfAdminQuery, 'filter'> & { readonly limit?: number | undefined },
  ): Promise<readonly WfCount[]>
  /** What `list` or `count` would run; `null` if it cannot be told. */
  toSql(operation: 'list' | 'count', query?: WfAdminQuery): WfSql | null
  /** Which of these texts are live links, of whatever scope. */
  handlesAmong(texts: Iterable<string>): Promise<ReadonlySet<string>>
  /** The row with this id, expired or not; `null` for a state that cannot be read. */
  getRow(id: WfRowId): Promise<WfAdminRowView | null>
  /** Ends a flow. @returns whether there was such a row */
  revokeRow(id: WfRowId, version: number): Promise<boolean>
  /** @returns the version that the row has now; `null` if there is none */
  extendRow(id: WfRowId, version: number, expiresAt: number): Promise<number | null>
  /**
   * Makes a new handle for `deliver` to send, and the old one dead; if `deliver` throws, the old one
   * lives again.
   *
   * @returns the version that the row has now; `null` if there is none
   */
  reissueRow(
    id: WfRowId,
    version: number,
    deliver: (handle: string, stored: WfStoredState) => Promise<void>,
  ): Promise<number | null>
  /** Writes the shadow columns of all rows anew. @returns how many rows that changed */
  heal(options?: {
    readonly onProgress?: ((progress: WfHealProgress) => void) | undefined
  }): Promise<number>
  /** Deletes what has expired. @returns how many rows that were */
  cleanup(options?: WfCleanupOptions): Promise<number>
}

export interface WfAdminRowView {
  readonly row: WfAdminStoredRow
  readonly state: WfState | null
}
