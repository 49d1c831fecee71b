import type { WfResult } from '../state'
import { endCarryOver } from './carry-over'
import type { WfTriggerDeps } from './deps'
import { giveBack } from './give-back'
import { type OpenRun, openRun } from './open-run'
import { pauseRun } from './pause-run'
import { type PausePlan, planPause, withRoom } from './plan-pause'
import type { RunConfig } from './run-config'
import type { RunOutcome, RunSubject } from './run-outcome'
import type { RunRequest, RunStarter } from './run-request'
import { openRunScope } from './run-scope'
import { runWorkflow } from './run-workflow'
import { buryUsed } from './tombstones'
import { WfAbort } from './wf-abort'
import { isWfFinished } from './wf-finished'

/** Where a run takes place: an HTTP request, a queue, a test. */
export interface RunPlace<P> extends RunStarter {
  /**
   * Decides how an outcome will be answered, while it can still be undone: what it throws undoes the
   * run. Answers nothing yet.
   */
  plan(outcome: RunOutcome): P
  /** Forgets what steps have prepared for an answer that will not be given. */
  undo?(): void
}

/** A run that is settled, and the answer that was planned for it. */
export interface SettledRun<P> extends RunSubject {
  readonly planned: P
  /** The flow has come to its end. */
  readonly ended: boolean
}

/**
 * Starts or resumes a workflow, runs it up to its next pause or its end, and settles what it came to.
 *
 * @throws Rejection when it is refused; whatever a step throws, once the state is back where it was
 */
export async function executeRun<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  place: RunPlace<P>,
): Promise<SettledRun<P>> {
  const run = await openRun(config, deps, request, place)
  const { wfid } = run
  const { flow, pause } = run.notes
  const { ended, spent, planned } = await settle(config, deps, run, request, place)
  // Where a person can come back to: a link in a mail, or the end. A form that was sent is not kept.
  if (!run.isNew && spent && (ended || pause?.outOfBand))
    await buryUsed(config, request.token, wfid)
  if (ended) await endCarryOver(config, deps, run)
  return { wfid, flowId: flow.flowId, browser: pause?.browser, planned, ended }
}

/** What became of a run. */
interface Settled<P> {
  readonly planned: P
  readonly ended: boolean
  /** The token that it was claimed by is dead. */
  readonly spent: boolean
}

async function settle<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  request: RunRequest,
  place: RunPlace<P>,
): Promise<Settled<P>> {
  let next: { readonly pause: PausePlan } | { readonly planned: P; readonly result: WfResult }
  try {
    next = await decide(config, deps, run, request, place)
  } catch (error) {
    const retry = await giveBack(run, error, place)
    if (!retry) throw error
    return { ended: false, spent: true, planned: place.plan({ kind: 'retrying', ...retry }) }
  }
  if ('pause' in next) {
    const planned = await pauseRun(run, next.pause, place)
    return { ended: false, spent: !next.pause.stays, planned }
  }
  await run.claim.finish(next.result)
  return { ended: true, spent: true, planned: next.planned }
}

/** Runs the steps, and decides what becomes of the flow. Nothing is settled yet. */
async function decide<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  request: RunRequest,
  place: RunPlace<P>,
) {
  const scope = openRunScope(config, run.strategyName, request.action)
  const output = await runWorkflow(deps, run, scope, request.input)
  if (output instanceof WfAbort) {
    // What earlier steps have set does not count: neither their cookies nor their answer.
    place.undo?.()
    const { answer } = output
    return { planned: place.plan({ kind: 'aborted', answer }), result: resultOf(answer) }
  }
  if (output.finished) {
    const data = await config.onFinished?.(output.state)
    const response = scope.finished
    const result = resultOf(data === undefined && response?.type === 'data' ? response.value : data)
    return { planned: place.plan({ kind: 'finished', response, data }), result }
  }
  const plan = planPause(config, deps, { scope, run, output, browser: request.browser })
  const { overflow } = config.registry
  return { pause: overflow ? await withRoom(plan, overflow) : plan }
}

/** What a workflow came to, without how it is answered over HTTP. */
function resultOf(value: unknown): WfResult {
  if (!isWfFinished(value)) return value === undefined ? {} : { data: value }
  const { data, aborted, reason } = value
  return { data, aborted, reason }
}
