import { type Awaitable, isAwaited, whenKnown, type WfResult } from '../state'
import { endCarryOver } from './carry-over'
import type { WfRunOutput, WfTriggerDeps } from './deps'
import { giveBackOrRetry } from './give-back'
import { type OpenRun, openRun } from './open-run'
import { pauseRun } from './pause-run'
import { type PausePlan, type PausingRun, planPause, withRoom } from './plan-pause'
import type { RunConfig } from './run-config'
import type { RunOutcome, RunSubject } from './run-outcome'
import type { RunRequest, RunStarter } from './run-request'
import { openRunScope } from './run-scope'
import { runWorkflow } from './run-workflow'
import { showForm } from './show-form'
import { buryUsed, whileAnswering } from './tombstones'
import { tellWatchers } from './watch'
import { WfAbort } from './wf-abort'
import { isWfFinished } from './wf-finished'
import { unwrapped } from './wrapped-input'

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
  /** Nothing has happened: the form was shown, or shown again. */
  readonly isOnlyShown?: true
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
  const submit = unwrapped(request)
  // The claim is told what came: whether a form means it otherwise is known only when the step runs.
  const opening = openRun(config, deps, request, submit, place)
  const run = isAwaited(opening) ? await opening : opening
  if ('form' in run) return showForm(config, deps, run, request.token!, place)
  const { wfid, answer } = run
  const { flow, pause } = run.notes
  const answered = answer ? Object.assign({}, submit, answer) : submit
  const settling = () => settle(config, deps, run, answered, place)
  const { ended, spent, planned } = answer
    ? await whileAnswering(config, request.token, wfid, settling)
    : await settling()
  // Where a person can come back to: a link in a mail, or the end. A form that was sent is not kept.
  const isPlace = spent && (ended || pause?.outOfBand)
  if (!run.isNew && isPlace) await buryUsed(config, request.token, wfid, pause)
  if (spent && (pause?.watch || (ended && flow.watched))) {
    await tellWatchers(config, run.notes, ended, run.claim.expiresAt)
  }
  if (ended) await endCarryOver(config, deps, run)
  return { wfid, flowId: flow.flowId, browser: pause?.browser, planned, ended }
}

/** A run whose steps have run. */
interface RanWorkflow extends Omit<PausingRun, 'output'> {
  readonly output: WfRunOutput | WfAbort
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
  let next: Decision<P>
  try {
    const scope = openRunScope(config, run.strategyName, request.action)
    const output = await runWorkflow(deps, run, scope, request.input)
    const deciding = decide(config, deps, { run, scope, output, browser: request.browser }, place)
    next = isAwaited(deciding) ? await deciding : deciding
  } catch (error) {
    // Whoever has the token keeps it: the strategy has it, until it has tried again.
    return { ended: false, spent: false, planned: await giveBackOrRetry(run, error, place) }
  }
  if ('pause' in next) {
    const pausing = pauseRun(config, run, next.pause, place)
    const planned = isAwaited(pausing) ? await pausing : pausing
    return { ended: false, spent: next.pause.keptRaw === undefined, planned }
  }
  await run.claim.finish(next.result)
  return { ended: true, spent: true, planned: next.planned }
}

/** What is to become of a flow. */
type Decision<P> =
  | { readonly pause: PausePlan }
  | { readonly planned: P; readonly result: WfResult }

/** Decides what becomes of the flow. Nothing is settled yet. */
function decide<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  ran: RanWorkflow,
  place: RunPlace<P>,
): Awaitable<Decision<P>> {
  const { output, scope } = ran
  if (output instanceof WfAbort) {
    // What earlier steps have set does not count: neither their cookies nor their answer.
    place.undo?.()
    const { answer } = output
    return { planned: place.plan({ kind: 'aborted', answer }), result: resultOf(answer) }
  }
  if (output.finished) {
    return whenKnown(config.onFinished?.(output.state), data => {
      const response = scope.finished ?? scope.heard
      const value = data === undefined && response?.type === 'data' ? response.value : data
      const planned = place.plan({ kind: 'finished', response, data })
      return { planned, result: resultOf(value) }
    })
  }
  const plan = planPause(config, deps, { ...ran, output })
  const { overflow } = config.registry
  return overflow ? whenKnown(withRoom(plan, overflow), pause => ({ pause })) : { pause: plan }
}

/** What a workflow came to, without how it is answered over HTTP. */
function resultOf(value: unknown): WfResult {
  if (!isWfFinished(value)) return value === undefined ? {} : { data: value }
  const { data, aborted, reason } = value
  return { data, aborted, reason }
}
