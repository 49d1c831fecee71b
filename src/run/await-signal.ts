import { WfError } from '../errors'
import { WfAwaitedSignal } from '../outlets'
import type { WfDeadline, WfState } from '../state'
import type { WfTriggerDeps } from './deps'
import type { RunPlace } from './execute-run'
import { asksWhoIsUnknown } from './like-a-start'
import type { OpenRun } from './open-run'
import { deadlineOf } from './pause-deadline'
import { nextState, type PausingRun } from './plan-pause'
import type { RunConfig } from './run-config'
import { openWatch } from './watch'
import { newWatchToken, type WatchToken } from './watch-token'

/** A pause that a machine ends. */
export interface WaitPlan {
  /** The signal that it waits for. */
  readonly name: string
  readonly next: WfState
  /** Until when it waits. */
  readonly deadline: WfDeadline | undefined
  /** By which the caller can see what becomes of it. */
  readonly watch: WatchToken | undefined
}

/**
 * What is to be stored for a step that waits for a signal; nothing if it does not.
 *
 * @throws WfError `WF_CONFIG` where no signal could come
 */
export function planWait(
  { ledger, clock }: Pick<RunConfig, 'ledger' | 'clock'>,
  deps: WfTriggerDeps,
  { scope, run, output }: PausingRun,
): WaitPlan | undefined {
  const awaited = output.inputRequired
  if (!(awaited instanceof WfAwaitedSignal)) return undefined
  const { strategyName } = run
  if (run.isHidden) throw asksWhoIsUnknown()
  if (scope.strategyName !== strategyName || !run.claim.awaitSignal) {
    throw new WfError(
      'WF_CONFIG',
      'waitFor() is for durable runs whose store keeps signals: AsWfRunStore with a table as `signals`.',
    )
  }
  const watch = ledger && !run.isUnasked ? newWatchToken() : undefined
  const pause = {
    strategy: strategyName,
    watch: watch?.hash,
    recipient: run.notes.pause?.recipient,
  }
  const next = nextState(deps, run, output, pause)
  const target = scope.registry.named(strategyName)
  const description = deps.describe?.(next.schemaId)
  const deadline = deadlineOf(awaited, { target, next, description, now: clock.now() })
  if (deadline?.remindEveryMs !== undefined) {
    throw new WfError(
      'WF_CONFIG',
      'A deadline with remindEveryMs is for a pause that was sent to someone, and a machine sends a signal: there is nobody to remind.',
    )
  }
  return { name: awaited.name, next, deadline, watch }
}

/** Stores it, and tells the caller by what it can be watched. */
export async function awaitSignal<P>(
  config: RunConfig,
  { claim, strategyName, notes }: OpenRun,
  { name, next, deadline, watch }: WaitPlan,
  place: Pick<RunPlace<P>, 'plan'>,
): Promise<{ readonly planned: P }> {
  await claim.awaitSignal!(next, name, deadline)
  const { flowId } = notes.flow
  const watched = { wfid: next.schemaId, flowId, strategy: strategyName }
  const shown = watch && (await openWatch(config, watch, watched))
  return { planned: place.plan({ kind: 'waiting', watch: shown }) }
}
