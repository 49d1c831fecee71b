import type { Clock } from './clock'
import type { WfState } from './wf-state'

/** A state as a store gives it out: a copy of its own for each reader. */
export interface WfStoredState {
  readonly state: WfState
  readonly expiresAt?: number
  /** Goes up with every write of this handle. Two reads of one version are equal. */
  readonly version?: number
}

/**
 * Where a handle strategy keeps its states. A store that cannot answer throws; `null` always means
 * that there is no state that could be resumed.
 */
export interface WfStateStore {
  /** Writes or overwrites. Keeps a copy. */
  set(handle: string, state: WfState, expiresAt?: number): Promise<void>
  get(handle: string): Promise<WfStoredState | null>
  delete(handle: string): Promise<void>
  /** Of any number of callers at once, in any number of processes, exactly one gets the state. */
  getAndDelete(handle: string): Promise<WfStoredState | null>
  /** Removes what has expired and returns how many. */
  cleanup?(): Promise<number>
  /** The clock that decides what has expired. */
  readonly clock?: Clock
}
