import type { Awaitable } from './awaitable'
import type { WfRefusal } from './wf-refusal'
import type { WfState } from './wf-state'

/** A paused state, read but not taken. */
export interface WfPeek {
  readonly state: WfState
  /** Milliseconds since the epoch; `undefined` means that it does not expire. */
  readonly expiresAt?: number | undefined
}

/** Who gets the token of a pause: the caller of this request, or someone else, by mail for example. */
export type WfAudience = 'caller' | 'out-of-band'

/** What a pause has to say, and on which way, so that it can be delivered later. */
export interface WfOutletMessage {
  /** The name of the outlet. */
  readonly outlet: string
  /** What the outlet is given, as JSON. */
  readonly request: unknown
}

/** What is known about a pause. */
export interface WfPauseOptions {
  /** Milliseconds from now; 0 or less is expired at once. Left out: the strategy's default. */
  readonly ttl?: number | undefined
  /** Milliseconds from now where neither `ttl` nor a default of the strategy says. */
  readonly fallbackTtl?: number | undefined
  /** Milliseconds from now that it may not outlive, whatever the default is. */
  readonly atMost?: number | undefined
  readonly audience: WfAudience
  /** For a strategy that delivers later by itself. */
  readonly message?: WfOutletMessage | undefined
}

/** Announces the token of a pause. What it throws undoes the pause. */
export type WfDeliver<T> = (raw: string, expiresAt?: number) => Awaitable<T>

/** What became of a pause that was not undone. */
export type WfPaused<T> =
  /** It is stored and delivered. */
  | { readonly outcome: 'delivered'; readonly delivered: T }
  /** It is stored, and the strategy will deliver it: an outbox. For pauses that go out of band. */
  | { readonly outcome: 'queued' }
  /**
   * Its delivery has failed, but too late to be undone: the new token has been used, or could not be
   * killed. The flow goes on there, and the old token is dead.
   */
  | { readonly outcome: 'stands'; readonly error: unknown }

/** How a workflow has ended. */
export interface WfResult {
  /** What it came to. */
  readonly data?: unknown
  /** A step has ended it before its end. */
  readonly aborted?: true | undefined
  /** Why, for the program. */
  readonly reason?: string | undefined
}

/** That a run will be tried again by itself. */
export interface WfRetry {
  /** Milliseconds since the epoch. */
  readonly retryAt: number
}

/**
 * The right to run one paused state. Exactly one of `pause`, `stay`, `finish`, `handOver`, `fail` and
 * `release` ends it, and whatever happens in them settles it: nobody has to call a second one.
 */
export interface WfClaim extends WfPeek {
  /** The holder's own: a run may change it. What the claim needs to put it back, it keeps itself. */
  readonly state: WfState
  /**
   * Saves the run between two steps, to go on from there if this process dies. The context is live:
   * serialise it before the first `await`.
   */
  checkpoint?(state: WfState): Awaitable<void>
  /** Says that the run is still alive; called every `heartbeatMs` while steps run. */
  heartbeat?(): Awaitable<void>
  readonly heartbeatMs?: number | undefined
  /**
   * Stores `next` and settles the old token, which is dead then. The new one is announced by `deliver`
   * once it is stored, or later by the strategy itself.
   *
   * @throws what `deliver` has thrown: the old token lives, and the new one is dead
   */
  pause<T>(next: WfState, options: WfPauseOptions, deliver: WfDeliver<T>): Awaitable<WfPaused<T>>
  /**
   * Stores `next` under the same token, with the same end: asked again, and nothing is spent. Only
   * where `guarantees.stays`.
   */
  stay?(next: WfState): Awaitable<void>
  /** The workflow has ended. */
  finish(result: WfResult): Awaitable<void>
  /** The flow goes on in another strategy, which has delivered its token. */
  handOver(): Awaitable<void>
  /** A step threw. @returns when it will be tried again, if it will */
  fail(error: unknown): Awaitable<WfRetry | void>
  /** As if the request had never come. */
  release(): Awaitable<void>
}

/** How a state is claimed. */
export interface WfClaimOptions {
  /** Asked before anything is consumed; a refusal leaves the token as it is. */
  admit(peek: WfPeek): WfRefusal | null
  /** What was answered, for a strategy that keeps it until the first commit. */
  readonly input?: unknown
  readonly action?: string | undefined
  /** Names the request, where its client does. */
  readonly requestId?: string | undefined
}

/** How a run is begun. */
export interface WfBeginOptions {
  /** There may be one active run with this key. Only where `guarantees.runKeys`. */
  readonly runKey?: string | undefined
}
