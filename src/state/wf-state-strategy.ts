import type { Awaitable } from './awaitable'
import type { WfBeginOptions, WfClaim, WfClaimOptions, WfPeek, WfTakeUpOptions } from './wf-claim'
import type { WfFirstPause } from './wf-first-pause'
import type { WfReissued, WfReissueOptions } from './wf-reissue'
import type { WfRefusal } from './wf-refusal'
import type { WfRunStatus } from './wf-run-status'
import type { WfTimer } from './wf-timer'
import type { WfState } from './wf-state'

/** What a strategy promises about its tokens. */
export interface WfGuarantees {
  /** A token can be claimed once. */
  readonly singleUse: boolean
  /** A token can be taken back before it expires. */
  readonly revocable: boolean
  /** What a token stands for can change while the token lives on: claims can `stay`. */
  readonly stays?: boolean | undefined
  /** There is one active run per `runKey`: a second one is refused when it begins. */
  readonly runKeys?: boolean | undefined
  /**
   * A run survives the process that runs it, with what was answered. Its flow does not leave the
   * strategy any more.
   */
  readonly crashSafe?: boolean | undefined
  /** A run can wait for time: pauses have deadlines, and steps can be delayed. */
  readonly timers?: boolean | undefined
  /** A pause can ask several people, each by a link of their own. */
  readonly panels?: boolean | undefined
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
  fits?(state: WfState): Awaitable<boolean>
  /** Reads, and says why not. */
  peek?(token: string): Awaitable<WfPeek | WfRefusal>
  /** Counts that a link was shown, for a strategy that counts it. Nobody waits for that. */
  readonly noteOpened?: ((token: string) => Promise<void>) | undefined
  /** Whether a flow was revoked, for a strategy that does not keep its states itself. */
  isRevoked?(flowId: string): Awaitable<boolean>
  /**
   * How a flow has paused for the first time: `undefined` if it has not yet, `null` if it has ended. Only
   * where `guarantees.runKeys`, for an endpoint that answers strangers.
   */
  firstPauseOf?(flowId: string): Awaitable<WfFirstPause | undefined | null>
  /** Where a run stands, for whoever may know that much. Only where `guarantees.crashSafe`. */
  statusOf?(flowId: string): Awaitable<WfRunStatus | undefined>
  /**
   * Gives the present pause of a flow a new token, and kills the ones that it had: whoever shows one is told
   * that it was replaced. Nothing else of the flow changes. A flow that has ended, was revoked, or is being
   * worked on has no pause.
   *
   * @returns `null` if there is none, or it was not admitted
   * @throws WfError `WF_CONFLICT` when it goes on at the same moment; what `deliver` throws
   */
  readonly reissue?:
    | ((flowId: string, options: WfReissueOptions) => Awaitable<WfReissued | null>)
    | undefined
  /** Opens a run that has no token yet. Refuses with `taken` if another run has its key. */
  begin?(state: WfState, options: WfBeginOptions): Awaitable<WfClaim | WfRefusal>
  /** Takes a state for one run. */
  claim?(token: string, options: WfClaimOptions): Awaitable<WfClaim | WfRefusal>
  /** Takes a run by its id, for a worker. Only where `guarantees.crashSafe`. */
  takeUp?(flowId: string, options: WfTakeUpOptions): Awaitable<WfClaim | WfTimer | WfRefusal>
}
