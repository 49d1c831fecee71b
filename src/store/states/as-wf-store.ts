import {
  type Clock,
  type WfDescriber,
  type WfRowColumn,
  type WfSetOptions,
  type WfState,
  type WfStateStore,
  type WfStoredState,
  type WfTakeOptions,
} from '../../state'
import { cleanupRows, type WfCleanupOptions } from '../rows/cleanup-rows'
import type { WfHealOptions } from '../rows/heal-rows'
import { resolvePath } from '../rows/resolve-path'
import { readRowColumns } from '../rows/row-column'
import { RowPages } from '../rows/row-pages'
import type {
  WfColumnName,
  WfColumnValue,
  WfCountByOptions,
  WfCountOptions,
  WfFilter,
  WfListOptions,
} from '../rows/row-query'
import { ShadowColumns, type ShadowHooks } from '../rows/shadow-columns'
import { primitiveOf, type ShadowField, type ShadowPrimitive } from '../rows/shadow-field'
import { startCleanup, type WfStartCleanupOptions } from '../rows/start-cleanup'
import { VersionedRows, type WfRowId } from '../rows/versioned-rows'
import type { WfCount, WfSql, WfTable, WfTableField } from '../rows/wf-table'
import {
  type AsWfStoreOptions,
  type ResolvedAsWfStoreOptions,
  resolveAsWfStoreOptions,
} from './as-wf-store-options'
import { type DeliverHandle, extendHandle, extendSeen, reissueHandle, reissueSeen } from './links'
import { checkPausedRows, type WfCheckPausedOptions } from './check-paused'
import { flowMover } from './move-flow'
import { viewRow } from './find-state-row'
import { healStates } from './heal-states'
import { readExpired, readSnapshot, readState } from './read-state'
import { revokeHandle, revokeRows, revokeSeen, type WfRevokeOptions } from './revoke-rows'
import { handlesAmong, readStates } from './rows-of-handles'
import { StateColumns } from './state-columns'
import type { StateHooks, StateRows, WfSetPayloadOptions } from './state-rows'
import { storedStateOf, type WfListedRow, type WfRowView, type WfStoredRow } from './stored-row'
import { deleteStateRow, takeState } from './take-state-row'
import { stateInSnapshot, type WfRestoreOptions, type WfSnapshot } from './wf-snapshot'
import { writeStateRow } from './write-state-row'

/**
 * Keeps workflow states in a table, one row each, with shadow columns that mirror values of the
 * context, so that paused flows can be found by SQL. They are written in the same statement as the
 * state: a query never lags behind.
 *
 * Public methods keep the promises; the protected ones say what a row looks like and which rows are
 * meant, and may be overridden.
 *
 * @example
 * ```ts
 * import { HandleStateStrategy } from '@atscript/moost-wf'
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 * import { AsWfStore } from '@atscript/moost-wf/store'
 * import { WfStateRow } from './schemas/WfStateRow.as'
 *
 * const space = openSqlite('app.db')
 * const store = new AsWfStore({ table: space.table(WfStateRow) })
 * await space.sync()
 * const strategy = new HandleStateStrategy({ store })
 * ```
 */
export class AsWfStore<Row extends object = object> implements WfStateStore {
  readonly clock: Clock
  /** Only where the table has a column `flowId`. */
  readonly moveFlow: WfStateStore['moveFlow']
  protected readonly table: WfTable
  protected readonly options: ResolvedAsWfStoreOptions
  readonly #rows: VersionedRows<WfStoredRow>
  readonly #states: StateRows
  readonly #pages: RowPages<WfStoredRow>
  readonly #shadows: ShadowColumns
  readonly #columns: StateColumns

  /** @throws WfError `WF_CONFIG` */
  constructor(options: AsWfStoreOptions<Row>) {
    this.options = resolveAsWfStoreOptions(options)
    const { table, clock, warn } = this.options
    this.table = table
    this.clock = clock
    this.#rows = new VersionedRows(table, { key: 'handle', scope: () => this.scope() })
    this.#pages = new RowPages(this.#rows)
    this.#columns = new StateColumns(table)
    const hooks = this.#hooks()
    this.#states = { rows: this.#rows, hooks, options: this.options }
    this.#shadows = new ShadowColumns(table, hooks, warn)
    this.moveFlow = flowMover(this.#states)
    // A subclass is not complete yet: hooks of its own are called when they are first needed.
    if (!hooks.overrides('scanShadowFields', 'resolveFieldPrimitive')) this.scanShadowFields()
  }

  /**
   * Writes or overwrites a state.
   *
   * @throws WfError `WF_STATE_INVALID` for a state that JSON cannot hold, naming the path, before
   * anything is written; `WF_CONFLICT` when another came first, or has this handle
   */
  async set(handle: string, state: WfState, expiresAt?: number, options?: WfSetOptions) {
    await writeStateRow(this.#states, handle, state, { ...options, expiresAt })
  }

  async get(handle: string): Promise<WfStoredState | null> {
    return readState(this.#states, handle)
  }

  /** The states of many handles, in as few queries as can be. What is gone is not in the map. */
  async getMany(handles: readonly string[]): Promise<Map<string, WfStoredState>> {
    return readStates(this.#states, handles)
  }

  async getExpired(handle: string): Promise<WfStoredState | null> {
    return readExpired(this.#states, handle)
  }

  async delete(handle: string): Promise<void> {
    await deleteStateRow(this.#states, handle)
  }

  /** Of any number of callers at once, in any number of processes, exactly one gets the state. */
  async getAndDelete(handle: string, options: WfTakeOptions = {}): Promise<WfStoredState | null> {
    return takeState(this.#states, handle, options)
  }

  /**
   * Revokes a flow, or all that a filter names, so that their links are dead.
   *
   * @returns how many; with `preview`, how many it would be
   * @throws WfError `WF_DB_FILTER` for a filter that names nothing in particular
   *
   * @example
   * ```ts
   * import { wfStore } from './stores/wf-store'
   *
   * const filter = { schemaId: 'users/invite', inviteEmail: 'alice@example.com' }
   * console.log(`${await wfStore.revoke(filter, { preview: true })} invitations`)
   * await wfStore.revoke(filter)
   * ```
   */
  async revoke(flows: string | WfFilter<Row>, options: WfRevokeOptions = {}): Promise<number> {
    return typeof flows === 'string'
      ? revokeHandle(this.#states, flows, options)
      : revokeRows(this.#states, flows, options)
  }

  /**
   * Gives a flow a new handle, in one statement that names the version which was read; the old one is
   * dead. Nothing else of the flow changes, its attempts included.
   *
   * @returns the new handle; `null` if there is no such flow
   * @throws WfError `WF_CONFLICT` when the flow goes on at the same moment
   */
  async reissue(handle: string): Promise<string | null> {
    return reissueHandle(this.#states, handle)
  }

  /**
   * Lets a flow live for `ttl` milliseconds from now, also one that has expired. Its link stays.
   *
   * @returns whether there is such a flow
   * @throws WfError `WF_CONFLICT` when the flow goes on at the same moment
   */
  async extend(handle: string, ttl: number): Promise<boolean> {
    return extendHandle(this.#states, handle, ttl)
  }

  /** A paused flow as plain JSON, or `null`. Expired ones can be looked at until they are cleaned up. */
  async getSnapshot(handle: string): Promise<WfSnapshot | null> {
    return readSnapshot(this.#states, handle)
  }

  /**
   * Brings a flow back from a snapshot, under a handle of its own.
   *
   * @returns the handle, which did not exist before
   * @throws WfError `WF_MISMATCH` for a snapshot of another workflow, `WF_STATE_INVALID` for what is none
   */
  async restore(snapshot: WfSnapshot, options: WfRestoreOptions): Promise<string> {
    const state = stateInSnapshot(snapshot, options)
    const handle = crypto.randomUUID()
    await this.set(handle, state, options.expiresAt, { expectedVersion: 0 })
    return handle
  }

  // Rows as an admin sees them: many at once, or one by its id and never by its handle. What changes a
  // row names the version that the admin has seen, and is refused when there is a newer one.

  /** The columns that may be shown: those that hold a single value each, but for the handle. */
  columns(): readonly WfRowColumn[] {
    return readRowColumns(this.table.type, this.#shadows.fields)
  }

  /** Rows for an admin page, expired ones included. With `hashHandles`, handles are hashes. */
  async list<Selected extends WfColumnName<Row> = WfColumnName<Row>>(
    options: WfListOptions<Row, Selected> = {},
  ): Promise<WfListedRow<Row, Selected>[]> {
    return (await this.#pages.list(options)) as WfListedRow<Row, Selected>[]
  }

  /** How many rows there are, expired ones included. */
  async count(options: WfCountOptions<Row> = {}): Promise<number> {
    return this.#pages.count(options)
  }

  /**
   * How many rows have each value of a column, the most frequent first. A table without `countBy` is
   * asked for that column of all rows.
   */
  async countBy<Column extends WfColumnName<Row>>(
    column: Column,
    options: WfCountByOptions<Row> = {},
  ): Promise<readonly WfCount<WfColumnValue<Row, Column>>[]> {
    return (await this.#pages.countBy(column, options)) as WfCount<WfColumnValue<Row, Column>>[]
  }

  /** The SQL that `list` or `count` would run; `null` if the table cannot tell. */
  toSql(operation: 'list' | 'count', options: WfListOptions<Row> = {}): WfSql | null {
    return this.#pages.toSql(operation, options)
  }

  /**
   * Which of these texts are handles of the table, whatever scope they are of: for whoever shows texts
   * that may hold a live link.
   */
  async handlesAmong(texts: Iterable<string>): Promise<ReadonlySet<string>> {
    return handlesAmong(this.#states, texts)
  }

  /** The row with this id, expired or not, or `null`. Its state is `null` if it cannot be read. */
  async getRow(id: WfRowId): Promise<WfRowView<WfListedRow<Row>> | null> {
    return (await viewRow(this.#states, id)) as WfRowView<WfListedRow<Row>> | null
  }

  /**
   * Deletes a flow, so that its links are dead.
   *
   * @returns whether there was such a row
   * @throws WfError `WF_CONFLICT`
   */
  async revokeRow(id: WfRowId, version: number): Promise<boolean> {
    return revokeSeen(this.#states, { id, version })
  }

  /**
   * Lets a flow expire at another time, also one that has expired. Its links stay the same.
   *
   * @returns the version that it has now; `null` if there is no such row
   * @throws WfError `WF_CONFLICT`
   */
  async extendRow(id: WfRowId, version: number, expiresAt: number): Promise<number | null> {
    return extendSeen(this.#states, { id, version }, expiresAt)
  }

  /**
   * Gives a flow a new handle and lets `deliver` send it; the old one is dead. If `deliver` throws,
   * the old one lives again and the new is dead, unless it was used meanwhile.
   *
   * @returns the version that it has now; `null` if there is no such row
   * @throws WfError `WF_CONFLICT`; what `deliver` throws
   */
  async reissueRow(id: WfRowId, version: number, deliver: DeliverHandle): Promise<number | null> {
    return reissueSeen(this.#states, { id, version }, deliver)
  }

  /**
   * Deletes rows that have expired, in batches, and returns how many. Never deletes a row that can
   * still be resumed; may run on many nodes at once.
   */
  async cleanup(options: WfCleanupOptions = {}): Promise<number> {
    return cleanupRows(this.#rows, this.clock, options)
  }

  /** Cleans up now and then. @returns what stops it */
  startCleanup(options: WfStartCleanupOptions): () => void {
    return startCleanup(each => this.cleanup(each), options)
  }

  /**
   * Writes the shadow columns of all rows anew, for a column that was added later, and returns how
   * many rows that changed. Never overwrites a newer write; leaves `version`, `updatedAt` and
   * `lastUpdatedBy` alone.
   */
  async heal(options: WfHealOptions<Row> = {}): Promise<number> {
    if (this.#shadows.fields.length === 0) return 0
    return healStates(this.#states, options)
  }

  /** How many rows have shadow columns that differ from their context. */
  async drift({ filter }: Pick<WfHealOptions<Row>, 'filter'> = {}): Promise<number> {
    return this.heal({ filter, dryRun: true })
  }

  /**
   * Looks which paused flows this build could not resume, per workflow and step. For a check before a
   * deploy: nothing is changed, and flows that can be moved or migrated are not counted.
   *
   * @example
   * ```ts
   * import type { MoostWf } from '@atscript/moost-wf'
   * import { wfStore } from './stores/wf-store'
   *
   * export async function checkDeploy(wf: MoostWf) {
   *   const { checked, stranded } = await wfStore.checkPaused(wf)
   *   console.log(`${checked} paused flows`, stranded)
   *   if (stranded.length > 0) process.exitCode = 1
   * }
   * ```
   */
  async checkPaused(wf: WfDescriber, options: WfCheckPausedOptions<Row> = {}) {
    return checkPausedRows(this.#states, wf, options)
  }

  // What a row looks like, and which rows are meant. Whatever a subclass overrides from here on, the
  // operations above keep their promises.

  /**
   * Columns that belong to every filter and to every row that is written, such as a tenant's id.
   * Used by all operations, so that no row of another scope is ever given out, written or deleted.
   * Only whether a handle is taken is asked of all rows.
   */
  protected scope(): Record<string, unknown> {
    return {}
  }

  /**
   * The row of a handle, in the scope. If it is overridden, `set`, `get`, `delete` and `getAndDelete`
   * all go through it, and then act on the id and the version of the row that it found.
   */
  protected async findRow(handle: string): Promise<WfStoredRow | null> {
    const row = await this.table.findOne({ filter: { handle, ...this.#rows.scope() } })
    return row as WfStoredRow | null
  }

  /** What is written: the last word on each column. Its version must go up. */
  protected buildSetPayload(
    handle: string,
    state: WfState,
    options: WfSetPayloadOptions,
  ): Record<string, unknown> {
    const payload = this.#columns.of(handle, state, options)
    this.applyShadows(payload, state)
    return Object.assign(payload, this.#rows.scope())
  }

  /**
   * Names the shadow columns of a state in what is written. A column that is not named keeps its
   * default, or what it had. `heal` asks it too, with the row that is there for a payload.
   */
  protected applyShadows(payload: Record<string, unknown>, state: WfState): void {
    this.#shadows.fill(payload, state.context)
  }

  /** The shadow columns that the type declares. */
  protected scanShadowFields(): ShadowField[] {
    return this.#shadows.scan()
  }

  /** What a column holds underneath; nothing for what cannot be a shadow column. */
  protected resolveFieldPrimitive(fieldType: WfTableField): ShadowPrimitive | null | undefined {
    return primitiveOf(fieldType)
  }

  /** The value at a path of the context; `undefined` if there is none. */
  protected resolvePath(obj: unknown, path: string[]): unknown {
    return resolvePath(obj, path)
  }

  /**
   * The value for a shadow column, given what was found, which may be nothing; `undefined` or `null`
   * if it is none that the column takes.
   */
  protected coerceShadowValue(raw: unknown, spec: ShadowField): unknown {
    return this.#shadows.coerce(raw, spec)
  }

  /**
   * Called for each value that a shadow column cannot take, with the names of the types. Two equal
   * ones stand for a value of the right type that does not fit. Logs once per column.
   */
  protected onShadowTypeMismatch(field: string, expected: string, actual: string): void {
    this.#shadows.warn(field, expected, actual)
  }

  /** A row as the strategies see it. */
  protected assembleResult(row: WfStoredRow): WfStoredState {
    return storedStateOf(row, this.#rows.idColumn)
  }

  /** Who writes. */
  protected getActor(): string | undefined {
    return this.options.actor()
  }

  /** What the parts ask of a subclass. */
  #hooks(): StateHooks & ShadowHooks {
    return {
      findRow: handle => this.findRow(handle),
      buildSetPayload: (...written) => this.buildSetPayload(...written),
      applyShadows: (payload, state) => this.applyShadows(payload, state),
      assembleResult: row => this.assembleResult(row),
      getActor: () => this.getActor(),
      scanShadowFields: () => this.scanShadowFields(),
      resolveFieldPrimitive: fieldType => this.resolveFieldPrimitive(fieldType),
      resolvePath: (obj, path) => this.resolvePath(obj, path),
      coerceShadowValue: (raw, spec) => this.coerceShadowValue(raw, spec),
      onShadowTypeMismatch: (...mismatch) => this.onShadowTypeMismatch(...mismatch),
      overrides: (...names) => names.some(name => this[name] !== AsWfStore.prototype[name]),
    }
  }
}
