import { WfError } from '../errors'
import { isRecord, type WfState, type WfStoredState } from '../state'
import { AsWfStoreHooks } from './as-wf-store-hooks'
import { buryRow } from './bury-row'
import { countEach } from './count-each'
import { checkVersion, deleteExactly, findRowById, type WfRowId, writeExactly } from './row-actions'
import { readRowColumns, type WfRowColumn } from './row-column'
import { isUnreadable } from './scan-rows'
import { isHandle, storedHandle, toTime, wholeTime, withExpiry } from './stored-row'
import type { WfCount, WfSql, WfStoredRow, WfTableQuery } from './wf-table'
import { isConflict } from './write-row'

/** Half of what one list of a filter takes. */
const HANDLES_PER_QUERY = 500

/** Which stored flows to list. */
export interface WfListOptions {
  readonly schemaId?: string | undefined
  /** Without the key all rows are meant. `filter: undefined` is refused: it is a mistake. */
  readonly filter?: object
  /** `$limit`, `$skip`, `$sort`, `$select`. */
  readonly controls?: object | undefined
}

/** A row and the state in it; without one if it cannot be read. */
export interface WfRowView {
  readonly row: WfStoredRow
  readonly state: WfState | null
}

/**
 * Rows as an admin sees them: many at once, or one by its id and never by its handle. What changes a
 * row names the version that the admin has seen, and is refused with `WF_CONFLICT` when there is a
 * newer one. All of it stays within the scope.
 */
export abstract class AsWfStoreRows extends AsWfStoreHooks {
  /** The columns that may be shown: those that hold a single value each, but for the handle. */
  columns(): readonly WfRowColumn[] {
    return readRowColumns(this.table.type, this.shadowFields)
  }

  /** Rows for an admin page, expired ones included. With `hashHandles`, handles are hashes. */
  async list(options: WfListOptions = {}): Promise<WfStoredRow[]> {
    return (await this.table.findMany(this.#query(options))) as WfStoredRow[]
  }

  /** How many rows there are, expired ones included. */
  async count(options: Pick<WfListOptions, 'schemaId' | 'filter'> = {}): Promise<number> {
    const { filter } = this.#query(options)
    if (this.table.count) return this.table.count({ filter })
    const controls = { $select: [this.rows.idColumn] }
    return (await this.table.findMany({ filter, controls })).length
  }

  /**
   * How many rows have each value of a column, the most frequent first. A table without `countBy` is
   * asked for that column of all rows.
   */
  async countBy(
    column: string,
    { limit = 100, ...options }: WfListOptions & { readonly limit?: number | undefined } = {},
  ): Promise<readonly WfCount[]> {
    const { filter } = this.#query(options)
    if (this.table.countBy) return this.table.countBy(column, { filter, limit })
    const rows = await this.table.findMany({ filter, controls: { $select: [column] } })
    return countEach(rows as WfStoredRow[], column).slice(0, limit)
  }

  /** The SQL that `list` or `count` would run; `null` if the table cannot tell. */
  toSql(operation: 'list' | 'count', options: WfListOptions = {}): WfSql | null {
    const name = operation === 'list' ? 'findMany' : 'count'
    return this.table.toSql?.(name, this.#query(options)) ?? null
  }

  /**
   * Which of these texts are handles of the table, whatever scope they are of: for whoever shows texts
   * that may hold a live link.
   */
  async handlesAmong(texts: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = new Map<string, string>()
    for (const text of texts) {
      if (isHandle(text)) asked.set(await storedHandle(text, this.options), text)
    }
    const found = new Set<string>()
    const stored = [...asked.keys()]
    for (let at = 0; at < stored.length; at += HANDLES_PER_QUERY) {
      const filter = { handle: { $in: stored.slice(at, at + HANDLES_PER_QUERY) } }
      const rows = await this.table.findMany({ filter, controls: { $select: ['handle'] } })
      for (const { handle } of rows as WfStoredRow[]) found.add(asked.get(handle) ?? handle)
    }
    return found
  }

  /** The row with this id, expired or not, or `null`. Its state is `null` if it cannot be read. */
  async getRow(id: WfRowId): Promise<WfRowView | null> {
    try {
      const row = await findRowById(this.rows, id)
      return row && { row, state: this.assembleResult(row).state }
    } catch (error) {
      if (!isUnreadable(error)) throw error
      const readable = [...this.columns().map(({ name }) => name), 'handle']
      const row = await findRowById(this.rows, id, readable)
      return row && { row, state: null }
    }
  }

  /**
   * Deletes a flow, so that its links are dead.
   *
   * @returns whether there was such a row
   * @throws WfError `WF_CONFLICT`
   */
  async revokeRow(id: WfRowId, version: number): Promise<boolean> {
    // Not the state: a row whose state cannot be read can be revoked.
    const row = await findRowById(this.rows, id, [this.rows.idColumn, 'handle', 'version'])
    if (!row) return false
    checkVersion(row, version)
    const view = this.options.ledger && (await this.getRow(id))
    await deleteExactly(this.rows, row)
    if (view?.state) await buryRow(this.options, view.row, 'revoked')
    return true
  }

  /**
   * Lets a flow expire at another time, also one that has expired. Its links stay the same.
   *
   * @returns the version that it has now; `null` if there is no such row
   * @throws WfError `WF_CONFLICT`
   */
  async extendRow(id: WfRowId, version: number, expiresAt: number): Promise<number | null> {
    if (!Number.isFinite(expiresAt)) throw new TypeError('expiresAt is a number of milliseconds.')
    const row = await findRowById(this.rows, id)
    if (!row) return null
    checkVersion(row, version)
    return this.extendExactly(row, expiresAt)
  }

  /** Lets the row that was read expire at another time, and no later one. @returns its version now */
  protected async extendExactly(row: WfStoredRow, expiresAt: number): Promise<number> {
    const state = withExpiry(this.assembleResult(row).state, expiresAt)
    const written = await this.#write(row, state, { expiresAt: toTime(expiresAt) })
    return written.version
  }

  /**
   * Gives a flow a new handle and lets `deliver` send it; the old one is dead. If `deliver` throws,
   * the old one lives again and the new is dead, unless it was used meanwhile.
   *
   * @returns the version that it has now; `null` if there is no such row
   * @throws WfError `WF_CONFLICT`; what `deliver` throws
   */
  async reissueRow(
    id: WfRowId,
    version: number,
    deliver: (handle: string, stored: WfStoredState) => Promise<void>,
  ): Promise<number | null> {
    const row = await findRowById(this.rows, id)
    if (!row) return null
    checkVersion(row, version)
    return this.reissueExactly(row, deliver)
  }

  /** Gives the row that was read another handle, and no later one. @returns its version now */
  protected async reissueExactly(
    row: WfStoredRow,
    deliver: (handle: string, stored: WfStoredState) => Promise<void>,
  ): Promise<number> {
    const stored = this.assembleResult(row)
    const handle = crypto.randomUUID()
    const kept = await storedHandle(handle, this.options)
    const written = await this.#write(row, stored.state, { handle: kept })
    try {
      await deliver(handle, { ...stored, version: written.version })
    } catch (error) {
      await this.#bringBack(written, stored.state, row.handle, error)
      throw error
    }
    await buryRow(this.options, row, 'superseded')
    return written.version
  }

  async #bringBack(row: WfStoredRow, state: WfState, handle: string, error: unknown) {
    try {
      await this.#write(row, state, { handle })
    } catch (second) {
      // The new one was used: there is nothing left to bring back.
      if (isConflict(second)) return
      const problem = 'An old link could not be brought back.'
      throw new AggregateError([error, second], problem, { cause: second })
    }
  }

  #write(
    row: WfStoredRow,
    state: WfState,
    { handle = row.handle, expiresAt = row.expiresAt ?? undefined },
  ): Promise<WfStoredRow> {
    const options = { expiresAt, now: wholeTime(this.clock), actor: this.getActor(), existing: row }
    return writeExactly(this.rows, row, this.buildSetPayload(handle, state, options))
  }

  #query(options: WfListOptions): WfTableQuery {
    const { schemaId, filter, controls, ...unknown } = { filter: {}, ...options }
    // Without a filter all rows are meant: a column beside it must not be overlooked.
    if (!isEmpty(unknown) || filter === undefined) {
      throw new WfError('WF_DB_FILTER', 'A list takes schemaId, filter and controls.')
    }
    const named = schemaId === undefined ? {} : { schemaId }
    // Without what says nothing: the SQL is shown.
    const $and = [named, filter, this.rows.scope()].filter(part => !isEmpty(part))
    return { filter: $and.length > 0 ? { $and } : {}, controls }
  }
}

function isEmpty(filter: object): boolean {
  return isRecord(filter) && Object.keys(filter).length === 0
}
