import type { Clock } from './clock'
import type { WfMoveOptions } from './wf-reissue'
import type { WfState } from './wf-state'

/** A state as a store gives it out: a copy of its own for each reader. */
export interface WfStoredState {
  /** Equal to what was set; without `meta` if it had none. */
  readonly state: WfState
  /** As it was set; `undefined` for a state that never expires. */
  readonly expiresAt?: number | undefined
  /** Goes up with every write of this handle; counts anew when it was deleted. */
  readonly version?: number | undefined
  /**
   * Equal for two reads of one write, and for no others of this handle, also after it was deleted and
   * written again. Saves the strategy a copy.
   */
  readonly revision?: string | undefined
}

/** What a write may be bound to. */
export interface WfSetOptions {
  /**
   * The version that the writer has read; 0 for a handle that must be new, or have expired. If another
   * has written or deleted since, the write is refused with `WF_CONFLICT` and changes nothing.
   */
  readonly expectedVersion?: number | undefined
  /** The version of a state that was taken out and that this one goes on from: its own is higher. */
  readonly follows?: number | undefined
}

export interface WfTakeOptions {
  /** Take only this version; any other stays where it is, and the answer is `null`. */
  readonly version?: number | undefined
}

/**
 * Where a handle strategy keeps its states. A store that cannot answer throws; `null` always means
 * that there is no state that could be resumed.
 *
 * Handles come from requests. One that is not a string, that is empty, a megabyte long or has NUL in
 * it stands for nothing: `null`, never an error. Handles are equal byte by byte. A state has expired
 * from the moment `expiresAt` on, cleaned up or not, and is as good as gone then.
 *
 * `describeStateStore` of `@atscript/moost-wf/testing` tests each of these rules.
 */
export interface WfStateStore {
  /**
   * Writes or overwrites the state and its expiry; without `expiresAt` it never expires. Keeps a copy,
   * of any JSON.
   *
   * @throws WfError `WF_STATE_INVALID` for what JSON cannot hold (a BigInt, a cycle, a context that is
   * `undefined` or a function), before the old state is touched; `WF_CONFLICT`, see `expectedVersion`
   */
  set(handle: string, state: WfState, expiresAt?: number, options?: WfSetOptions): Promise<void>
  /** Reads a state and leaves it. */
  get(handle: string): Promise<WfStoredState | null>
  /** Removes a state. It is no error if there is none. */
  delete(handle: string): Promise<void>
  /**
   * Takes a state out. Of any number of callers at once, in any number of processes, exactly one gets
   * it, and the others get `null`. A state that is written between the look and the delete is not
   * lost: it is taken, or it stays.
   */
  getAndDelete(handle: string, options?: WfTakeOptions): Promise<WfStoredState | null>
  /**
   * A state that has expired and was not cleaned up yet: to say so, never to resume it. `null` for one
   * that has not.
   */
  getExpired?(handle: string): Promise<WfStoredState | null>
  /**
   * Gives the state of a flow another handle, expired or not, in one write that names what was read; the
   * old one stands for nothing then. Without it, links of these states cannot be sent anew.
   *
   * @returns SHA-256 of the former handle, in base64url; `null` if there is no such flow, or it was not
   * admitted
   * @throws WfError `WF_CONFLICT` when the flow goes on at the same moment; what `deliver` throws
   */
  readonly moveFlow?:
    | ((flowId: string, options: WfMoveOptions) => Promise<string | null>)
    | undefined
  /** Removes what has expired, and nothing else, and returns how many. */
  cleanup?(): Promise<number>
  /** The clock that decides what has expired. Without it, the strategy takes the machine's. */
  readonly clock?: Clock | undefined
}
