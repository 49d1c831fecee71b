import { WfError } from '../errors'
import {
  notesOf,
  positionAt,
  positionBehind,
  type WfDelayed,
  type WfState,
  withNotes,
} from '../state'
import type { DelayRequest } from './delay'
import type { WfTriggerDeps } from './deps'
import { asksWhoIsUnknown } from './like-a-start'
import type { PausingRun } from './plan-pause'
import type { RunConfig } from './run-config'

/** A run that rests. */
export interface DelayPlan {
  readonly next: WfState
  readonly delayed: WfDelayed
}

/** @throws WfError `WF_CONFIG` where it cannot rest */
export function planDelay(
  { clock }: Pick<RunConfig, 'clock'>,
  deps: Pick<WfTriggerDeps, 'describe'>,
  { scope, run, output }: PausingRun,
  { time, indexes, behind }: DelayRequest,
): DelayPlan {
  if (run.isHidden) throw asksWhoIsUnknown()
  const { strategyName: name } = scope
  const { guarantees } = scope.registry.named(name).strategy
  if (!guarantees?.timers || name !== run.strategyName || !run.claim.delay || !indexes) {
    throw new WfError(
      'WF_CONFIG',
      `A delay is for runs that wait for time, and those of the strategy "${name}" cannot: its guarantees.timers is not true.`,
    )
  }
  const { schemaId, context } = output.state
  const description = deps.describe?.(schemaId)
  const stepId = description?.stepIdAt(output.state.indexes)
  const position =
    behind?.stepId === undefined
      ? positionBehind(description, indexes)
      : positionAt(description, indexes)
  const { flow, pause: former } = run.notes
  const { browser, recipient } = former ?? {}
  const next = withNotes(
    { schemaId, indexes: [...indexes], context },
    {
      flow: { ...flow, seq: flow.seq + 1 },
      pause: { strategy: name, browser, recipient },
      position,
    },
    run.claim.state.meta,
  )
  const until = time.until ?? Math.floor(clock.now()) + (time.ms ?? 0)
  return { next, delayed: { until, stepId: stepId ?? notesOf(next)?.position?.after } }
}
