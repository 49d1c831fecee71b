import type { Awaitable } from './awaitable'
import type { WfDeliver, WfOutletMessage, WfPauseOptions, WfPeek } from './wf-claim'
import type { WfState } from './wf-state'
import type { WfStoredState } from './wf-state-store'

/** How the present pause of a flow gets a new token. */
export interface WfReissueOptions {
  /** Whose part gets a new token, where several people are asked: those of the others live on. */
  readonly seat?: string | undefined
  /**
   * Asked before anything changes, with the pause as it is, expired or not.
   *
   * @returns what will wait under the new token, and until when; `null` leaves all as it is
   */
  admit(found: WfPeek): WfPeek | null
  /** Announces the new token. What it throws undoes it: the old one is as it was, and the new one dead. */
  readonly deliver: WfDeliver<void>
  /**
   * What is to be sent, for a strategy that delivers later by itself: it calls `prepare` then, and not
   * `deliver`. Asked once it is admitted.
   */
  message?(next: WfPeek): Awaitable<WfOutletMessage>
  readonly prepare?: WfPauseOptions['prepare'] | undefined
}

/** A pause that has got a new token. */
export interface WfReissued {
  /**
   * SHA-256 of what the former token was known by, in base64url, so that its holders can be told. Not
   * there where a strategy tells them itself.
   */
  readonly formerHash?: string | undefined
}

/** Where the state of a flow goes on waiting. */
export interface WfMovedState {
  readonly handle: string
  readonly state: WfState
  readonly expiresAt?: number | undefined
}

/** How the state of a flow gets another handle. */
export interface WfMoveOptions {
  /** Asked with the state as it is, expired or not; `null` leaves it where it is. */
  admit(stored: WfStoredState): WfMovedState | null
  /** Called once it is there. What it throws brings it back, unless someone has used the new handle. */
  deliver(): Awaitable<void>
}
