import { WfError } from '../../errors'
import {
  stateToJson,
  type WfDescriber,
  type WfSetOptions,
  type WfState,
  type WfStateStore,
  type WfStoredState,
  type WfTakeOptions,
} from '../../state'
import { AsWfStoreRows } from './as-wf-store-rows'
import { buryRow } from './bury-row'
import { checkPausedRows, type WfCheckPausedOptions, type WfPausedReport } from './check-paused'
import { cleanupRows, type WfCleanupOptions } from '../rows/cleanup-rows'
import { changesOf, healRows, type WfHealOptions } from '../rows/heal-rows'
import { revokeRows, type WfRevokeOptions } from './revoke-rows'
import { startCleanup, type WfStartCleanupOptions } from '../rows/start-cleanup'
import { isExpired, isHandle, storedHandle, toTime, wholeTime } from './stored-row'
import { deleteStateRow, takeStateRow } from './take-state-row'
import { snapshotOf, stateInSnapshot, type WfSnapshot } from './wf-snapshot'
import type { WfStoredRow } from '../rows/wf-table'
import { findAndWriteStateRow, upsertStateRow, writeStateRowOfVersion } from './write-state-row'

/** Half of what one list of a filter takes. */
const HANDLES_PER_QUERY = 500

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
export class AsWfStore extends AsWfStoreRows implements WfStateStore {
  /**
   * Writes or overwrites a state.
   *
   * @throws WfError `WF_STATE_INVALID` for a state that JSON cannot hold, naming the path, before
   * anything is written; `WF_CONFLICT` when another came first, or has this handle
   */
  async set(
    handle: string,
    state: WfState,
    expiresAt?: number,
    { expectedVersion, follows }: WfSetOptions = {},
  ): Promise<void> {
    if (!isHandle(handle)) throw new WfError('WF_STATE_INVALID', 'This cannot be a handle.')
    if (typeof state.schemaId !== 'string' || !Array.isArray(state.indexes)) {
      throw new WfError('WF_STATE_INVALID', 'This is not the state of a workflow.')
    }
    const json = stateToJson(state)
    const isBlind = expectedVersion === undefined && this.#writesBlindly()
    // What is not written at once is copied: the caller may go on changing it.
    const copy = isBlind ? state : (JSON.parse(json) as WfState)
    const hashed = this.#hash(handle)
    const stored = typeof hashed === 'string' ? hashed : await hashed
    const now = this.#now()
    const options = { expiresAt: toTime(expiresAt), now, actor: this.getActor() }
    const payloadFor = (existing: WfStoredRow | null) =>
      this.buildSetPayload(stored, copy, { ...options, existing, follows })
    if (isBlind) await upsertStateRow(this.rows, payloadFor(null))
    else if (expectedVersion === undefined)
      await findAndWriteStateRow(this.rows, stored, payloadFor)
    else
      await writeStateRowOfVersion(this.rows, stored, payloadFor, { version: expectedVersion, now })
  }

  async get(handle: string): Promise<WfStoredState | null> {
    if (!isHandle(handle)) return null
    const row = await this.findRow(await this.#hash(handle))
    return row && !isExpired(row, this.#now()) ? this.assembleResult(row) : null
  }

  /** The states of many handles, in as few queries as can be. What is gone is not in the map. */
  async getMany(handles: readonly string[]): Promise<Map<string, WfStoredState>> {
    const found = new Map<string, WfStoredState>()
    if (this.rows.looksUp()) {
      for (const handle of handles) {
        const state = await this.get(handle)
        if (state) found.set(handle, state)
      }
      return found
    }
    const asked = new Map<string, string>()
    for (const handle of handles) if (isHandle(handle)) asked.set(await this.#hash(handle), handle)
    const stored = [...asked.keys()]
    for (let at = 0; at < stored.length; at += HANDLES_PER_QUERY) {
      const $in = stored.slice(at, at + HANDLES_PER_QUERY)
      for (const row of await this.#find({ handle: { $in } })) {
        const handle = asked.get(row.handle)
        if (handle === undefined || isExpired(row, this.#now())) continue
        found.set(handle, this.assembleResult(row))
      }
    }
    return found
  }

  async getExpired(handle: string): Promise<WfStoredState | null> {
    if (!isHandle(handle)) return null
    const row = await this.findRow(await this.#hash(handle))
    return row && isExpired(row, this.#now()) ? this.assembleResult(row) : null
  }

  async delete(handle: string): Promise<void> {
    if (isHandle(handle)) await deleteStateRow(this.rows, await this.#hash(handle))
  }

  /** Of any number of callers at once, in any number of processes, exactly one gets the state. */
  async getAndDelete(
    handle: string,
    { version }: WfTakeOptions = {},
  ): Promise<WfStoredState | null> {
    if (!isHandle(handle)) return null
    const now = this.#now()
    const row = await takeStateRow(this.rows, await this.#hash(handle), { now, version })
    if (!row) return null
    try {
      return this.assembleResult(row)
    } catch (error) {
      // What cannot be given out is put back.
      await this.table.insertOne(row)
      throw error
    }
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
  async revoke(flows: string | object, options: WfRevokeOptions = {}): Promise<number> {
    const isOne = typeof flows === 'string'
    const filter = isOne ? await this.#filterFor(flows) : flows
    if (isOne && !filter) return 0
    return revokeRows(this.rows, filter ?? {}, options, row =>
      buryRow(this.options, row, 'revoked'),
    )
  }

  /**
   * Gives a flow a new handle, in one statement that names the version which was read; the old one is
   * dead. Nothing else of the flow changes, its attempts included.
   *
   * @returns the new handle; `null` if there is no such flow
   * @throws WfError `WF_CONFLICT` when the flow goes on at the same moment
   */
  async reissue(handle: string): Promise<string | null> {
    if (!isHandle(handle)) return null
    const row = await this.findRow(await this.#hash(handle))
    if (!row) return null
    let fresh = ''
    await this.reissueExactly(row, async given => {
      fresh = given
    })
    return fresh
  }

  /**
   * Lets a flow live for `ttl` milliseconds from now, also one that has expired. Its link stays.
   *
   * @returns whether there is such a flow
   * @throws WfError `WF_CONFLICT` when the flow goes on at the same moment
   */
  async extend(handle: string, ttl: number): Promise<boolean> {
    if (!Number.isFinite(ttl) || ttl <= 0) throw new TypeError('ttl is a positive number.')
    if (!isHandle(handle)) return false
    const row = await this.findRow(await this.#hash(handle))
    if (!row) return false
    await this.extendExactly(row, this.#now() + ttl)
    return true
  }

  /** A paused flow as plain JSON, or `null`. Expired ones can be looked at until they are cleaned up. */
  async getSnapshot(handle: string): Promise<WfSnapshot | null> {
    if (!isHandle(handle)) return null
    const row = await this.findRow(await this.#hash(handle))
    return row && this.#snapshot(row)
  }

  /**
   * Brings a flow back from a snapshot, under a handle of its own.
   *
   * @returns the handle, which did not exist before
   * @throws WfError `WF_MISMATCH` for a snapshot of another workflow, `WF_STATE_INVALID` for what is none
   */
  async restore(
    snapshot: WfSnapshot,
    options: { readonly schemaId: string; readonly expiresAt?: number | undefined },
  ): Promise<string> {
    const state = stateInSnapshot(snapshot, options)
    const handle = crypto.randomUUID()
    await this.set(handle, state, options.expiresAt, { expectedVersion: 0 })
    return handle
  }

  /**
   * Deletes rows that have expired, in batches, and returns how many. Never deletes a row that can
   * still be resumed; may run on many nodes at once.
   */
  async cleanup(options: WfCleanupOptions = {}): Promise<number> {
    return cleanupRows(this.rows, this.#now(), options)
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
  async heal(options: WfHealOptions = {}): Promise<number> {
    if (this.shadowFields.length === 0) return 0
    return healRows(this.rows, row => this.#correct(row), options)
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
  async checkPaused(wf: WfDescriber, options: WfCheckPausedOptions = {}): Promise<WfPausedReport> {
    const now = this.#now()
    const stateOf = (row: WfStoredRow) =>
      isExpired(row, now) ? null : this.assembleResult(row).state
    return checkPausedRows(this.rows, wf, stateOf, options)
  }

  /** How many rows have shadow columns that differ from their context. */
  async drift({ filter }: Pick<WfHealOptions, 'filter'> = {}): Promise<number> {
    return this.heal({ filter, dryRun: true })
  }

  /** Whether a row can be written in one statement, without knowing what is there. */
  #writesBlindly(): boolean {
    const { table, looksUp, needsExisting, scope } = this.rows
    const inScope = Object.keys(scope()).length > 0
    return table.upsertOne !== undefined && !looksUp() && !needsExisting() && !inScope
  }

  /** The row of a handle, as `findRow` finds it, by its id. */
  async #filterFor(handle: string): Promise<object | null> {
    const row = isHandle(handle) ? await this.findRow(await this.#hash(handle)) : null
    return row && { [this.rows.idColumn]: row[this.rows.idColumn], handle: row.handle }
  }

  async #find(filter: object): Promise<WfStoredRow[]> {
    const inScope = { $and: [filter, this.rows.scope()] }
    return (await this.table.findMany({ filter: inScope })) as WfStoredRow[]
  }

  #correct(row: WfStoredRow): Record<string, unknown> {
    const payload: Record<string, unknown> = { ...row }
    this.applyShadows(payload, this.assembleResult(row).state)
    return changesOf(row, payload)
  }

  #snapshot(row: WfStoredRow): WfSnapshot {
    return snapshotOf(row, this.assembleResult(row).state, this.#now())
  }

  #now(): number {
    return wholeTime(this.clock)
  }

  #hash(handle: string): string | Promise<string> {
    return storedHandle(handle, this.options)
  }
}
