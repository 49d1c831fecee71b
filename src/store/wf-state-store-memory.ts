import {
  type Clock,
  systemClock,
  type WfState,
  type WfStateStore,
  type WfStoredState,
} from '../state'

interface Row {
  readonly json: string
  readonly expiresAt: number | undefined
}

/** Expired rows are swept when the store has grown by this many. */
const SWEEP_EVERY = 1000

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
  readonly #rows = new Map<string, Row>()
  #sweepAt = SWEEP_EVERY

  constructor(options: { readonly clock?: Clock } = {}) {
    this.clock = options.clock ?? systemClock
  }

  async set(handle: string, state: WfState, expiresAt?: number): Promise<void> {
    this.#rows.set(handle, { json: JSON.stringify(state), expiresAt })
    if (this.#rows.size >= this.#sweepAt) {
      this.#sweep()
      this.#sweepAt = this.#rows.size + SWEEP_EVERY
    }
  }

  async get(handle: string): Promise<WfStoredState | null> {
    const row = this.#rows.get(handle)
    return row && !this.#isExpired(row) ? read(row) : null
  }

  async delete(handle: string): Promise<void> {
    this.#rows.delete(handle)
  }

  // No await between the read and the delete: within one process that is the gate.
  async getAndDelete(handle: string): Promise<WfStoredState | null> {
    const row = this.#rows.get(handle)
    this.#rows.delete(handle)
    return row && !this.#isExpired(row) ? read(row) : null
  }

  async cleanup(): Promise<number> {
    return this.#sweep()
  }

  #sweep(): number {
    const expired = [...this.#rows].filter(([, row]) => this.#isExpired(row))
    for (const [handle] of expired) this.#rows.delete(handle)
    return expired.length
  }

  #isExpired({ expiresAt }: Row): boolean {
    return expiresAt !== undefined && expiresAt <= this.clock.now()
  }
}

function read({ json, expiresAt }: Row): WfStoredState {
  return { state: JSON.parse(json) as WfState, expiresAt }
}
