import type { WfOutlet } from '../outlets'
import type { Clock, WfLedger } from '../state'
import type { StrategyRegistry, WfStateOption } from '../strategies'
import type { PacedSending, WfFreshLinks } from './fresh-options'
import type { WfFinish, WfMove } from './run-events'
import type { StartPace } from './start-pace'
import type { WfStartLimit } from './start-limit'

/** How workflows are run, whoever asks for it. */
export interface WfRunConfig<N extends string = string> {
  /**
   * The workflows that may be started *and resumed* here. An empty list allows none.
   * @default every registered workflow
   */
  readonly allow?: readonly string[] | undefined
  /** Workflows that may not, even if they are allowed. */
  readonly block?: readonly string[] | undefined
  /** Where the state lives: one strategy, or `{ strategies, default }`. */
  readonly state: WfStateOption<N>
  /** @default one that answers the caller */
  readonly outlets?: readonly WfOutlet[] | undefined
  /** Called when a workflow has ended, before its token dies. What it returns is sent as `data`. */
  readonly onFinished?: ((finish: WfFinish) => unknown) | undefined
  /** Told of a flow that goes on at another place, because its workflow was changed meanwhile. */
  readonly onMoved?: ((move: WfMove) => unknown) | undefined
  /**
   * Milliseconds from the start of a flow after which it cannot be resumed, however often it pauses.
   * @default no limit
   */
  readonly maxLifetime?: number | undefined
  /**
   * Milliseconds for which a form waits that was shown to nobody in particular, in a flow without an
   * `actor`, where neither its step nor the strategy's `defaultTtl` says otherwise. `Infinity` keeps it
   * for ever.
   * @default 1 day
   */
  readonly anonymousTtlMs?: number | undefined
  /**
   * How many flows one actor, or one address, may start. Needs a ledger.
   * @default no limit
   */
  readonly startLimit?: WfStartLimit | undefined
  /**
   * Where `useWfAttempts()` counts, and where answers are kept for requests that are sent again.
   * @default none; a step that counts attempts needs one
   */
  readonly ledger?: WfLedger | undefined
  /**
   * Milliseconds for which a request that is sent again, with the same token, `requestId` and input,
   * gets the answer that it got before. Needs a ledger.
   * @default 2 minutes
   */
  readonly replayWindow?: number | undefined
  /**
   * Milliseconds for which a used token is told from one that never was. Needs a ledger.
   * @default 7 days
   */
  readonly tombstoneTtl?: number | undefined
  /**
   * Whether a person whose link is dead, and whose turn it is, can have it sent anew to the address that the
   * flow has. Needs a ledger, and a strategy that finds flows by their ids.
   * @default true with a ledger
   */
  readonly freshLinks?: boolean | WfFreshLinks | undefined
  readonly clock?: Clock | undefined
}

/** The same with every default filled in. */
export interface RunConfig {
  allows(wfid: string): boolean
  readonly registry: StrategyRegistry
  readonly outlets: ReadonlyMap<string, WfOutlet>
  readonly onFinished: ((finish: WfFinish) => unknown) | undefined
  readonly onMoved: ((move: WfMove) => unknown) | undefined
  readonly maxLifetime: number | undefined
  readonly anonymousTtlMs: number
  readonly startLimit: WfStartLimit | undefined
  readonly ledger: WfLedger | undefined
  readonly replayWindow: number
  readonly tombstoneTtl: number
  /** Without it, no link is sent anew. */
  readonly fresh: PacedSending | undefined
  /** Without it, no code is sent to whoever has opened a link that needs one. */
  readonly codes: PacedSending | undefined
  readonly clock: Clock
  readonly pace: StartPace
}
