import {
  type Clock,
  notesOf,
  sha256,
  stateToJson,
  systemClock,
  type WfMoveOptions,
  type WfSetOptions,
  type WfState,
  type WfStateStore,
  type WfStoredState,
  type WfTakeOptions,
} from '../../state'
import { WfError } from '../../errors'
import { ExpiringMap } from '../expiring-map'

interface Row {
  readonly json: string
  readonly expiresAt: number | undefined
  readonly version: number
}

/**
 * Keeps states in this process: for tests, demos and flows that may be lost at a restart. Stores
 * JSON, so what comes back is never the caller's object.
 *
 * @example
 * ```ts
 * import { HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
 *
 * const strategy = new HandleStateStrategy({ store: new WfStateStoreMemory() })
 * ```
 */
export class WfStateStoreMemory implements WfStateStore {
  readonly clock: Clock
  readonly #rows: ExpiringMap<Row>
  #writes = 0

  constructor(options: { readonly clock?: Clock | undefined } = {}) {
    this.clock = options.clock ?? systemClock
    this.#rows = new ExpiringMap(this.clock)
  }

  /** @throws WfError `WF_STATE_INVALID`, `WF_CONFLICT` */
  async set(
    handle: string,
    state: WfState,
    expiresAt?: number,
    { expectedVersion }: WfSetOptions = {},
  ): Promise<void> {
    const version = this.#rows.get(handle)?.version ?? 0
    if (expectedVersion !== undefined && expectedVersion !== version) {
      throw new WfError('WF_CONFLICT', 'The state was written by another meanwhile.')
    }
    // One counter serves all handles, so what is put back has a higher version anyway.
    this.#rows.set(handle, { json: stateToJson(state), expiresAt, version: ++this.#writes })
  }

  async get(handle: string): Promise<WfStoredState | null> {
    return read(this.#rows.get(handle))
  }

  async getExpired(handle: string): Promise<WfStoredState | null> {
    return read(this.#rows.getExpired(handle))
  }

  async delete(handle: string): Promise<void> {
    this.#rows.delete(handle)
  }

  // No await between the read and the delete: within one process that is the gate.
  async getAndDelete(
    handle: string,
    { version }: WfTakeOptions = {},
  ): Promise<WfStoredState | null> {
    const row = this.#rows.get(handle)
    if (!row || (version !== undefined && row.version !== version)) return null
    this.#rows.delete(handle)
    return read(row)
  }

  async moveFlow(flowId: string, { admit, deliver }: WfMoveOptions): Promise<string | null> {
    const [former, row] = this.#rowOfFlow(flowId) ?? []
    const moved = row && admit(read(row)!)
    if (!former || !moved) return null
    const { handle, state, expiresAt } = moved
    const written = { json: stateToJson(state), expiresAt, version: ++this.#writes }
    this.#rows.delete(former)
    this.#rows.set(handle, written)
    try {
      await deliver()
    } catch (error) {
      const isUnused = (this.#rows.get(handle) ?? this.#rows.getExpired(handle)) === written
      if (isUnused) {
        this.#rows.delete(handle)
        this.#rows.set(former, { ...row, version: ++this.#writes })
      }
      throw error
    }
    return sha256(former)
  }

  /** There is no index: rows that do not name the flow are not parsed. */
  #rowOfFlow(flowId: string): [handle: string, row: Row] | undefined {
    for (const [handle, row] of this.#rows.entries()) {
      if (!row.json.includes(flowId)) continue
      if (notesOf(JSON.parse(row.json) as WfState)?.flow.flowId === flowId) return [handle, row]
    }
    return undefined
  }

  async cleanup(): Promise<number> {
    return this.#rows.sweep()
  }
}

function read(row: Row | undefined): WfStoredState | null {
  return row ? new StoredState(row) : null
}

/** Parsed when it is looked at: of the two copies that a claim reads, one is needed only if it fails. */
class StoredState implements WfStoredState {
  // A property of each object, so that it is copied and written as JSON like the others. One getter for
  // all of them: a closure each would cost more than parsing.
  static readonly #stateProperty = {
    enumerable: true,
    get(this: StoredState): WfState {
      this.#state ??= JSON.parse(this.#json) as WfState
      return this.#state
    },
  }

  declare readonly state: WfState
  readonly expiresAt: number | undefined
  readonly version: number
  readonly revision: string
  readonly #json: string
  #state: WfState | undefined

  constructor({ json, expiresAt, version }: Row) {
    this.#json = json
    Object.defineProperty(this, 'state', StoredState.#stateProperty)
    this.expiresAt = expiresAt
    this.version = version
    this.revision = `${version}`
  }
}
