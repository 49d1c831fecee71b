import type { WfOutlet } from '../outlets'
import type { Clock, WfLedger } from '../state'
import type { StrategyRegistry } from '../strategies'
import type { WfStartLimit } from './start-limit'
import type { WfFinish, WfMove } from './run-events'

/** All that decides how workflows are run, whoever asks for it. Every default is filled in. */
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
  readonly clock: Clock
}
