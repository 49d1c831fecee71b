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
  const { wfid, flow } = run
  const { ended, planned } = await settle(config, deps, run, request, place)
  // Where a person can come back to: a link in a mail, or the end. A form that was sent is not kept.
  if (!run.isNew && (ended || flow?.outOfBand)) await buryUsed(config, request.token, wfid)
  if (ended) await endCarryOver(config, deps, run)
  return { wfid, flowId: flow?.flowId, browser: flow?.browser, planned, ended }
}

async function settle<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  request: RunRequest,
  place: RunPlace<P>,
): Promise<{ readonly ended: boolean; readonly planned: P }> {
  let next: { readonly pause: PausePlan } | { readonly planned: P }
  try {
    next = await decide(config, deps, run, request, place)
  } catch (error) {
    await giveBack(run, error, place)
    throw error
  }
  if ('pause' in next) return { ended: false, planned: await pauseRun(run, next.pause, place) }
  await run.claim.finish(undefined)
  return { ended: true, planned: next.planned }
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
    return { planned: place.plan({ kind: 'aborted', answer: output.answer }) }
  }
  if (output.finished) {
    const data = await config.onFinished?.(output.state)
    return { planned: place.plan({ kind: 'finished', response: scope.finished, data }) }
  }
  const plan = planPause(config, deps, { scope, run, output, browser: request.browser })
  const { overflow } = config.registry
  return { pause: overflow ? await withRoom(plan, overflow) : plan }
}
