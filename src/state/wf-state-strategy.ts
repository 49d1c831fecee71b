import type { WfRefusal } from './wf-refusal'
import type { WfState } from './wf-state'

/** What a strategy promises about its tokens. */
export interface WfGuarantees {
  /** A token can be claimed once. */
  readonly singleUse: boolean
  /** A token can be taken back before it expires. */
  readonly revocable: boolean
}

/** A paused state, read but not taken. */
export interface WfPeek {
  readonly state: WfState
  /** Milliseconds since the epoch; `undefined` means that it does not expire. */
  readonly expiresAt?: number | undefined
}

/** Who gets the token of a pause: the caller of this request, or someone else, by mail for example. */
export type WfAudience = 'caller' | 'out-of-band'

/** What is known about a pause. */
export interface WfPauseOptions {
  /** Milliseconds from now; 0 or less is expired at once. Left out: the strategy's default. */
  readonly ttl?: number | undefined
  /** Milliseconds from now where neither `ttl` nor a default of the strategy says. */
  readonly fallbackTtl?: number | undefined
  /** Milliseconds from now that it may not outlive, whatever the default is. */
  readonly atMost?: number | undefined
  readonly audience: WfAudience
}

/**
 * The right to run one paused state. Exactly one of `pause`, `finish`, `fail` and `release` ends it,
 * and whatever happens in them settles it: the caller never has to call a second one.
 */
export interface WfClaim extends WfPeek {
  /** The holder's own: a run may change it. What the claim needs to put it back, it keeps itself. */
  readonly state: WfState
  /** Saves the run between two steps. The context is live: serialise it before the first `await`. */
  checkpoint?(state: WfState): Promise<void>
  /** Says that the run is still alive. */
  heartbeat?(): Promise<void>
  /**
   * Stores `next`, lets `deliver` announce its token, settles the old one. If `deliver` throws, the
   * old token lives and the new one is dead, and the error is thrown on.
   */
  pause<T>(
    next: WfState,
    options: WfPauseOptions,
    deliver: (raw: string, expiresAt?: number) => Promise<T>,
  ): Promise<T>
  /** The workflow ended. */
  finish(result: unknown): Promise<void>
  /** A step threw. */
  fail(error: unknown): Promise<void>
  /** As if the request had never come. */
  release(): Promise<void>
}

/** How a state is claimed. */
export interface WfClaimOptions {
  /** Asked before anything is consumed; a refusal leaves the token as it is. */
  admit(peek: WfPeek): WfRefusal | null
  readonly requestId?: string | undefined
}

/**
 * Where the state of a workflow lives between two requests.
 *
 * Tokens come from requests: whatever is not a live token, a string or not, stands for nothing. A
 * strategy that cannot answer throws. Printing it shows neither a token nor a state.
 *
 * `describeStateStrategy` of `@atscript/moost-wf/testing` tests each of these rules.
 */
export interface WfStateStrategy {
  /**
   * Stores a copy of a state and returns its token, which is a new one each time and made of letters,
   * digits and `. _ ~ -` alone.
   * @param options.ttl milliseconds from now; 0 or less is expired at once
   * @param hint.handle reuse this token's place, if the strategy has places
   */
  persist(
    state: WfState,
    options?: { ttl?: number | undefined; name?: string | undefined },
    hint?: { handle?: string | undefined },
  ): Promise<string>
  /** Reads a state and leaves it. `null`: there is none to be had for this token. */
  retrieve(token: string): Promise<WfState | null>
  /** Takes a state. Of several callers at once one gets it, if tokens are for a single use. */
  consume(token: string): Promise<WfState | null>

  // The public contract ends here. A strategy that has only the three above gets the rest by default.

  readonly guarantees?: WfGuarantees | undefined
  /** One token goes on as another version of itself, so that an older version is known as such. */
  readonly keepsHandle?: boolean | undefined
  /**
   * This strategy under a name of the registry, if its tokens must not open under another. Called
   * whenever a registry is built: the same name gives the same object.
   */
  forName?(name: string): WfStateStrategy
  /** Whether it can hold this state. If not, the registry's overflow strategy takes the pause. */
  fits?(state: WfState): boolean | Promise<boolean>
  /** Reads, and says why not. */
  peek?(token: string): Promise<WfPeek | WfRefusal>
  /** Opens a run that has no token yet. */
  begin?(state: WfState, options: { runKey?: string | undefined }): Promise<WfClaim>
  /** Takes a state for one run. */
  claim?(token: string, options: WfClaimOptions): Promise<WfClaim | WfRefusal>
}
