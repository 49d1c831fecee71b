import type { WfOutletRequest, WfOutletResult } from '../outlets'
import type { WfRetry } from '../state'
import type { BrowserMark } from './browser-mark'
import type { WfFinishedResponse } from './use-wf-finished'
import type { WfFinished } from './wf-finished'

interface OfPause {
  readonly outlet: string
  /** What the outlet has answered. */
  readonly result: WfOutletResult
  /** How the caller's browser is to be known again, if it is. */
  readonly mark?: BrowserMark | undefined
}

/** The workflow waits for the caller, who has the token. */
export interface PausedRun extends OfPause {
  readonly kind: 'paused'
  readonly request: WfOutletRequest
  readonly token: string
  readonly expiresAt?: number | undefined
}

/** The workflow waits for someone else, who has the token. */
export interface SentRun extends OfPause {
  readonly kind: 'sent'
  /**
   * Not for the caller: to be looked for in the answer, and never to be in it. Not known yet where the
   * message goes out later.
   */
  readonly secretToken?: string | undefined
  /** It waits to be sent. */
  readonly isQueued?: true | undefined
  /** By which the caller can see what becomes of it. */
  readonly watch?: string | undefined
  /** The same for what can be typed in place of the link, if there is such. */
  readonly secretCode?: string | undefined
}

/** One of several people has answered, and the others are still asked. */
export interface NotedRun {
  readonly kind: 'noted'
  /** They have nothing more to answer: their link is of no use any more. */
  readonly isSpent: boolean
}

/** The workflow has ended. */
export interface FinishedRun {
  readonly kind: 'finished'
  /** What a step has said about the answer. */
  readonly response?: WfFinishedResponse | undefined
  /** What `onFinished` has said about it, which counts more. */
  readonly data?: unknown
}

/** A step has ended the workflow before its end. */
export interface AbortedRun {
  readonly kind: 'aborted'
  readonly answer: WfFinished
}

/** A step has failed, and will be tried again by itself. */
export interface RetryingRun extends WfRetry {
  readonly kind: 'retrying'
  /** By which the caller can see what becomes of it. */
  readonly watch?: string | undefined
}

/** The workflow waits for a machine. Nobody has a token. */
export interface AwaitingRun {
  readonly kind: 'waiting'
  /** By which the caller can see what becomes of it. */
  readonly watch?: string | undefined
}

/** No run was started: there is one that was started by the same, with the same key. */
export interface JoinedRun {
  readonly kind: 'joined'
  /** By which the caller can see what becomes of it. */
  readonly watch?: string | undefined
}

/** The run rests, and goes on by itself. */
export interface DelayedRun {
  readonly kind: 'delayed'
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** What a run comes to. Nothing of it has been answered yet. */
export type RunOutcome =
  | PausedRun
  | SentRun
  | NotedRun
  | FinishedRun
  | AbortedRun
  | RetryingRun
  | JoinedRun
  | AwaitingRun
  | DelayedRun

/** Which flow a run was about. */
export interface RunSubject {
  readonly wfid: string
  readonly flowId?: string | undefined
  /** A hash of what the browser must know that may have the answer, if the flow is bound to one. */
  readonly browser?: string | undefined
}
