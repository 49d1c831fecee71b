import type { Clock } from './clock'
import type { WfState } from './wf-state'

/** A state as a store gives it out: a copy of its own for each reader. */
export interface WfStoredState {
  readonly state: WfState
  readonly expiresAt?: number | undefined
  /** Goes up with every write of this handle; counts anew when it was deleted. */
  readonly version?: number | undefined
  /** Equal for two reads of one write, and for no others. */
  readonly revision?: string | undefined
}

/** What a write may be bound to. */
export interface WfSetOptions {
  /**
   * The version that the writer has read; 0 for a handle that must be new. If another has written
   * since, the write is refused with `WF_CONFLICT`.
   */
  readonly expectedVersion?: number | undefined
  /** The version of a state that was taken out and that this one goes on from. */
  readonly follows?: number | undefined
}

export interface WfTakeOptions {
  /** Take only this version. */
  readonly version?: number | undefined
}

/**
 * Where a handle strategy keeps its states. A store that cannot answer throws; `null` always means
 * that there is no state that could be resumed.
 */
export interface WfStateStore {
  /** Writes or overwrites. Keeps a copy. */
  set(handle: string, state: WfState, expiresAt?: number, options?: WfSetOptions): Promise<void>
  get(handle: string): Promise<WfStoredState | null>
  delete(handle: string): Promise<void>
  /** Of any number of callers at once, in any number of processes, exactly one gets the state. */
  getAndDelete(handle: string, options?: WfTakeOptions): Promise<WfStoredState | null>
  /** A state that has expired and was not cleaned up yet: to say so, never to resume it. */
  getExpired?(handle: string): Promise<WfStoredState | null>
  /** Removes what has expired and returns how many. */
  cleanup?(): Promise<number>
  /** The clock that decides what has expired. */
  readonly clock?: Clock | undefined
}
