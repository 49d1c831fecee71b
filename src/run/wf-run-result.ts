import type { WfErrorCode } from '../errors'
import type { WfAnswered, WfRefusalReason } from '../state'
import type { WfFinishedResponse } from './use-wf-finished'
import type { WatchedState } from './watch'

interface OfFlow {
  readonly wfid: string
  readonly flowId?: string | undefined
}

/** The workflow waits for whoever has asked. */
export interface WfPausedResult extends OfFlow {
  readonly kind: 'paused'
  /** What is asked for: a form, for example. */
  readonly payload?: unknown
  readonly context?: unknown
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** To be kept by the browser, if it is to be known again: hand it in as `browser` the next time. */
  readonly browser?: string | undefined
}

/** The workflow waits for someone else, who has got a message. */
export interface WfSentResult extends OfFlow {
  readonly kind: 'sent'
  readonly outlet: string
  /** It is not sent yet, and will be. */
  readonly queued?: true | undefined
  /** By which whoever has asked can see what becomes of it. Needs a ledger. */
  readonly watch?: string | undefined
  /** The message has a code, which can be entered with the `watch` and the `browser`. */
  readonly code?: true | undefined
  readonly browser?: string | undefined
}

/** One of several people has answered, and the others are still asked. */
export interface WfNotedResult extends OfFlow {
  readonly kind: 'noted'
  /** They may answer anew, by the same link. */
  readonly canChange?: true | undefined
}

/** The workflow has ended. */
export interface WfFinishedResult extends OfFlow {
  readonly kind: 'finished'
  /** What `onFinished`, or else a step, has answered with. */
  readonly data?: unknown
  /** All that a step has said about the answer: cookies and status too, which are for HTTP. */
  readonly response?: WfFinishedResponse | undefined
  /** A step has ended it before its end. */
  readonly aborted?: true | undefined
}

/** A step has failed, and will be tried again by itself. */
export interface WfRetryingResult extends OfFlow {
  readonly kind: 'retrying'
  /** Milliseconds since the epoch. */
  readonly retryAt: number
  /** By which whoever has asked can see what becomes of it. Needs a ledger. */
  readonly watch?: string | undefined
}

/** The workflow waits for a signal. */
export interface WfAwaitingResult extends OfFlow {
  readonly kind: 'waiting'
  /** By which whoever has asked can see what becomes of it. Needs a ledger. */
  readonly watch?: string | undefined
}

/** No run was started: another one has the key. */
export interface WfJoinedResult {
  readonly kind: 'joined'
  readonly wfid: string
  /** The run that has it. */
  readonly flowId: string
  readonly created: false
}

/** The run rests, and goes on by itself. */
export interface WfDelayedResult extends OfFlow {
  readonly kind: 'delayed'
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** Nothing has happened. */
export interface WfRefusedResult {
  readonly kind: 'refused'
  readonly code: WfErrorCode
  /** A sentence for people. */
  readonly message: string
  readonly reason?: WfRefusalReason | undefined
  /** The workflow that can be started anew. */
  readonly restart?: { readonly wfid: string; readonly carriesOver?: true | undefined } | undefined
  readonly retryAfterSeconds?: number | undefined
  /** The form of a link was answered: when and by whom, as far as others may know. */
  readonly answered?: WfAnswered | undefined
  /** A link can be sent anew to whoever had this one: `askFresh()`. */
  readonly fresh?: true | undefined
  /** How many more codes may be tried. */
  readonly triesLeft?: number | undefined
  /** Where the flow of an older token is now, for the browser that has it. */
  readonly current?: Pick<WfPausedResult, 'payload' | 'context' | 'token'> | undefined
}

/** What a run has come to, as plain data. */
export type WfRunResult =
  | WfPausedResult
  | WfSentResult
  | WfNotedResult
  | WfFinishedResult
  | WfRetryingResult
  | WfDelayedResult
  | WfJoinedResult
  | WfAwaitingResult
  | WfRefusedResult

/** What became of a message that went to someone else. */
export interface WfWatchResult extends WatchedState {
  readonly kind: 'watching'
}

/** A paused flow that was looked at. */
export interface WfPeekResult {
  readonly kind: 'resumable'
  readonly wfid: string
  readonly expiresAt?: number | undefined
  /** The form that it waits for, where its pause has named one. */
  readonly payload?: unknown
  readonly context?: unknown
}
