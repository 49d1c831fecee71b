import type { Awaitable } from './awaitable'
import type { WfClaim, WfDeliver, WfOutletMessage, WfPauseOptions, WfSeatMessage } from './wf-claim'
import type { WfState } from './wf-state'

interface OfPause {
  /** Of the pause that it belongs to. */
  readonly state: WfState
  /** Lets go of the run as if nobody had come. */
  release(): Awaitable<void>
}

/** Nobody has answered a pause in time. The right to end it, which an answer at the same moment would have. */
export interface WfDeadlineTimer extends OfPause {
  readonly timer: 'deadline'
  /** `fail`, `cancel` or a step. */
  readonly onTimeout: string
  /**
   * Ends the run.
   *
   * @param missing the step that it should have gone on at, where there is none such
   * @returns `false` if another was faster: a signal, or a change from outside
   */
  end(missing?: string): Awaitable<boolean>
  /** Leaves the pause, whose links are dead then, and goes on from there. `null` if another was faster. */
  goOn(next: WfState): Awaitable<WfClaim | null>
}

/** The message of a pause is to go out again. */
export interface WfReminderTimer extends OfPause, Pick<WfClaim, 'heartbeat' | 'heartbeatMs'> {
  readonly timer: 'reminder'
  /** Which one it is, from 1. */
  readonly reminder: number
  /** For how long the links of this pause live. */
  readonly ttlMs?: number | undefined
  /**
   * Makes another link of the same pause, and has it sent. If that fails, it is tried again later.
   *
   * @throws what `deliver` or `prepare` has thrown
   */
  remind(expiresAt: number | undefined, sending: WfReminding): Awaitable<void>
  /** The same for a pause that asks several people: each of these gets a message of their own. */
  remindEach?(expiresAt: number | undefined, each: readonly WfSeatMessage[]): Awaitable<void>
}

/** How a reminder is sent: by `deliver`, or later, as a message, behind `prepare`. */
export interface WfReminding extends Required<Pick<WfPauseOptions, 'prepare'>> {
  readonly message: WfOutletMessage
  readonly deliver: WfDeliver<void>
}

/** Nobody may be able to answer a pause any more. */
export interface WfExpiryTimer {
  readonly timer: 'expiry'
  /** Ends the run, if that is so. If somebody can, it is looked at again later. */
  end(): Awaitable<void>
}

export type WfTimer = WfDeadlineTimer | WfReminderTimer | WfExpiryTimer
