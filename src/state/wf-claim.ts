import type { Awaitable } from './awaitable'
import type { WfRefusal } from './wf-refusal'
import type { WfDeadline } from './deadline'
import type { WfRetryPolicy } from './retry-policy'
import type { WfState } from './wf-state'
import type { WfFormAnswer } from './wf-step-form'

/** A paused state, read but not taken. */
export interface WfPeek {
  readonly state: WfState
  /** Milliseconds since the epoch; `undefined` means that it does not expire. */
  readonly expiresAt?: number | undefined
  /** Whose part this token answers, where several people are asked. */
  readonly seat?: string | undefined
  /** A step has failed, and is tried again by itself then: nobody has to do anything. */
  readonly retryAt?: number | undefined
}

/** Who gets the token of a pause: the caller of this request, or someone else, by mail for example. */
export type WfAudience = 'caller' | 'out-of-band'

/** What a pause has to say, and on which way, so that it can be delivered later. */
export interface WfOutletMessage {
  /** The name of the outlet. */
  readonly outlet: string
  /** What the outlet is given, as JSON. */
  readonly request: unknown
  /** What can be typed in place of the link. As secret as the token. */
  readonly code?: string | undefined
}

/** A message to one of the people that a pause asks, with a link of their own. */
export interface WfSeatMessage extends Required<Pick<WfPauseOptions, 'prepare'>> {
  readonly seat: string
  readonly message: WfOutletMessage
}

/** What becomes of the links of a pause that asks several people, and stays. */
export interface WfStayOptions {
  /** Who gets a link: those that they had are dead. */
  readonly each?: readonly WfSeatMessage[] | undefined
  /** Whose links are dead. */
  readonly ended?: readonly string[] | undefined
  /** A part that was handed on, for the history. */
  readonly reassigned?: WfReassigned | undefined
}

/** That somebody else has the part of one of those who are asked. */
export interface WfReassigned {
  /** Whose part, where several people are asked. */
  readonly seat?: string | undefined
  readonly from: string
  readonly to: string
  readonly reason?: string | undefined
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
  /** Until when it waits, and what happens then. Only where `guarantees.timers`. */
  readonly deadline?: WfDeadline | undefined
  /** For a strategy that delivers later by itself. */
  readonly message?: WfOutletMessage | undefined
  /** In its place, where several people are asked. Only where `guarantees.panels`. */
  readonly each?: readonly WfSeatMessage[] | undefined
  /**
   * Called by such a strategy with the token, before the pause is stored: what belongs to the token is
   * noted. What it throws undoes the pause.
   */
  readonly prepare?: ((raw: string, expiresAt?: number) => Awaitable<void>) | undefined
}

/** Announces the token of a pause. What it throws undoes the pause. */
export type WfDeliver<T> = (raw: string, expiresAt?: number) => Awaitable<T>

/** What became of a pause that was not undone. */
export type WfPaused<T> =
  /** It is stored and delivered. */
  | { readonly outcome: 'delivered'; readonly delivered: T }
  /** It is stored, and the strategy will deliver it: an outbox. For pauses that go out of band. */
  | { readonly outcome: 'queued'; readonly expiresAt?: number | undefined }
  /**
   * Its delivery has failed, but too late to be undone: the new token has been used, or could not be
   * killed. The flow goes on there, and the old token is dead.
   */
  | { readonly outcome: 'stands'; readonly error: unknown }

/** When a run goes on by itself. */
export interface WfDelayed {
  /** Milliseconds since the epoch. */
  readonly until: number
  /** The step that has said so, and is behind it. */
  readonly stepId?: string | undefined
}

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

/** Who asks for a run to go on, and what is known of the request, as JSON. */
export interface WfAsker {
  readonly actor?: string | undefined
  readonly facts?: WfFacts | undefined
}

/** What a step may need to know of a request once that is over. */
export type WfFacts = Readonly<Record<string, unknown>>

/** How far a run is beyond its last pause, where its strategy saves it between two steps. */
export interface WfProgress {
  /** How many steps were completed since. */
  readonly stepsDone: number
  /** How often the step has been begun at which it stands, this time included. */
  readonly attempt: number
}

/** A step that a run has left behind. */
export interface WfStepBehind {
  /** Its id, where the run goes on at a step that does not stand behind it. */
  readonly stepId?: string | undefined
  /** Nothing runs any more: it may be saved together with the end. */
  readonly isLast?: boolean | undefined
  /** Whoever goes on with the run lets go of it there: somebody has to look at once. */
  readonly isHandedOn?: boolean | undefined
}

/**
 * The right to run one paused state. Exactly one of `pause`, `stay`, `awaitSignal`, `delay`, `finish`, `handOver`,
 * `wait`, `fail` and `release` ends it, and whatever happens in them settles it: nobody has to call a second one.
 */
export interface WfClaim extends WfPeek {
  /** The holder's own: a run may change it. What the claim needs to put it back, it keeps itself. */
  readonly state: WfState
  /**
   * What was answered by an earlier request, whose process has died since. It was accepted: the run
   * goes on with it, whatever this request brings.
   */
  readonly answer?: WfFormAnswer | undefined
  /** Who had asked by then. */
  readonly asker?: WfAsker | undefined
  /** @default it stands at its pause, for the first time */
  readonly progress?: WfProgress | undefined
  /** Fires when another has the run, or it was cancelled: what steps still do comes to nothing. */
  readonly signal?: AbortSignal | undefined
  /**
   * Saves the run between two steps, to go on from there if this process dies. The context is live:
   * serialise it before the first `await`.
   *
   * @param behind the step that it has left behind
   */
  checkpoint?(state: WfState, behind?: WfStepBehind): Awaitable<void>
  /**
   * A transaction of the database that the run is in, the same as long as a step runs: what is done in it is
   * committed with what becomes of the step, or not at all.
   *
   * @param space refuses another database
   * @throws WfError `WF_CONFIG` where there are none
   */
  transaction?(space?: object): Promise<object>
  /** The step has come to nothing, although its run comes to an end: so does its transaction. */
  undoStep?(): Awaitable<void>
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
   *
   * @param options of a pause that asks several people; only where `guarantees.panels`
   */
  stay?(next: WfState, options?: WfStayOptions): Awaitable<void>
  /**
   * Stores `next`, which waits for a signal of this name and has no token. Only where the strategy keeps
   * signals. What has come already is handed to the step by whoever takes the run up next.
   *
   * @param deadline until when it waits; only where `guarantees.timers`
   */
  awaitSignal?(next: WfState, name: string, deadline?: WfDeadline): Awaitable<void>
  /** Stores `next`, which goes on by itself later: it waits for nobody. Only where `guarantees.timers`. */
  delay?(next: WfState, delayed: WfDelayed): Awaitable<void>
  /** The workflow has ended. */
  finish(result: WfResult): Awaitable<void>
  /** The flow goes on in another strategy, which has delivered its token. */
  handOver(): Awaitable<void>
  /**
   * A run that was taken up by itself needs someone who is not there: whoever answers over HTTP, or the
   * request. It stands where it was saved last, and its links live.
   */
  wait?(): Awaitable<void>
  /**
   * A step threw, which this one if that is known.
   *
   * @param retry what that step says of it
   * @returns when it will be tried again, if it will
   */
  fail(error: unknown, stepId?: string, retry?: WfRetryPolicy): Awaitable<WfRetry | void>
  /** As if the request had never come. */
  release(): Awaitable<void>
}

/** How a state is claimed. */
export interface WfClaimOptions {
  /** Called before `admit` for the token of one of several people: finds out who asks. */
  identify?(peek: WfPeek): Awaitable<void>
  /** Asked before anything is consumed; a refusal leaves the token as it is. */
  admit(peek: WfPeek): WfRefusal | null
  /** What was answered, for a strategy that keeps it until the first commit. */
  readonly input?: unknown
  readonly action?: string | undefined
  /**
   * What of it may be kept, asked once it is admitted: nothing where a form asks for a secret.
   */
  keep?(): WfFormAnswer | undefined
  /** Who asks. Looked up only for a strategy that wants to know, once it is admitted. */
  asker?(): Awaitable<WfAsker>
  /** Names the request, where its client does. */
  readonly requestId?: string | undefined
}

/** How a run is taken up that nobody has asked for: its process has died, or its time has come. */
export interface WfTakeUpOptions {
  /**
   * Asked before anything is consumed; a refusal leaves the run as it is.
   *
   * @param timer what its pause has come to, where no step of it is run
   */
  admit(peek: WfPeek, timer?: 'deadline' | 'reminder'): WfRefusal | null
  /** Who does it, in the history: a worker's name. */
  readonly actor?: string | undefined
  /** Why, in the history. */
  readonly reason?: string | undefined
}

/** How a run is begun. */
export interface WfBeginOptions extends Pick<
  WfClaimOptions,
  'input' | 'action' | 'keep' | 'asker'
> {
  /** There may be one active run with this key. Only where `guarantees.runKeys`. */
  readonly runKey?: string | undefined
  /**
   * What becomes of it if another run has the key. Whoever starts ends only what they have started
   * themselves. Who joins a run is for whoever asks to say: it is refused with the `owner` of the key.
   *
   * @default 'reject'
   */
  readonly onConflict?: WfOnConflict | undefined
}

/**
 * What a start comes to whose key another run has. `reject`: nothing. `join`: that run. `supersede`: that run
 * is cancelled, and this one has its key.
 */
export type WfOnConflict = 'reject' | 'join' | 'supersede'
