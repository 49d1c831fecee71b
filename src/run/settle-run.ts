import { WfError } from '../errors'
import { type Awaitable, isAwaited, whenKnown, type WfClaim, type WfResult } from '../state'
import { factsOf } from './asker'
import type { WfRunOutput, WfTriggerDeps } from './deps'
import type { RunPlace } from './execute-run'
import { giveBackOrRetry } from './give-back'
import type { OpenRun } from './open-run'
import { DelayRequest } from './delay'
import { isOnlyNoted, panelTurnOf } from './panel-turn'
import { pauseRun } from './pause-run'
import { awaitSignal, planWait, type WaitPlan } from './await-signal'
import { type DelayPlan, planDelay } from './plan-delay'
import { type PausePlan, type PausingRun, planPause } from './plan-pause'
import { withRoom } from './with-room'
import { Rejection, rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { openRunScope, type ScopeOptions } from './run-scope'
import { runWorkflow } from './run-workflow'
import { planNoted, planStay, type StayPlan } from './stay-asking'
import { WfAbort } from './wf-abort'
import { isWfFinished } from './wf-finished'

/** What the steps of a run are given. */
export type RunInput = Pick<RunRequest, 'input' | 'action' | 'browser'>

/** What became of a run. */
export interface Settled<P> {
  readonly planned: P
  readonly ended: boolean
  /** The token that it was claimed by is dead. */
  readonly spent: boolean
}

/**
 * Runs the steps of an open run, and settles what they come to.
 *
 * @throws Rejection when the run was cancelled meanwhile, or another has it; whatever a step throws
 */
export async function settleRun<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  given: RunInput,
  place: RunPlace<P>,
): Promise<Settled<P>> {
  try {
    return await runAndSettle(config, deps, run, given, place)
  } catch (error) {
    throw isLost(run.claim, error) ? lossOf(run, error) : error
  }
}

/** Whether it is the loss of the run that has ended it. */
function isLost({ signal }: WfClaim, error: unknown): error is WfError {
  return signal?.aborted === true && error instanceof WfError && error === signal.reason
}

function lossOf({ wfid }: OpenRun, cause: WfError): Rejection {
  if (cause.code === 'WF_REVOKED') return rejectionOf({ reason: 'revoked', provenWfid: wfid })
  return new Rejection('WF_CONFLICT', { reason: 'busy', cause })
}

async function runAndSettle<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  given: RunInput,
  place: RunPlace<P>,
): Promise<Settled<P>> {
  const { input, action, browser } = given
  let next: Decision<P>
  const panel = panelTurnOf(run, config.clock.now())
  if (panel && isOnlyNoted(panel)) return noteAnswer(run, planNoted(run, panel), place)
  let scope = openRunScope(config, run.strategyName, { action, panel, ...scopeOf(run, place) })
  try {
    const output = await runWorkflow(config, deps, run, scope, input)
    const deciding = decide(config, deps, { run, scope, output, browser }, place)
    next = isAwaited(deciding) ? await deciding : deciding
    if ('stay' in next && next.stay.decided) {
      // It has had its answer, and is told what has come of it.
      const { next: state, decided } = next.stay
      scope = openRunScope(config, run.strategyName, { panel: decided, ...scopeOf(run, place) })
      const behind = await runWorkflow(config, deps, { ...run, state }, scope, undefined)
      next = await decide(config, deps, { run, scope, output: behind, browser }, place)
    }
  } catch (error) {
    // Whoever has the token keeps it: the strategy has it, until it has tried again.
    const planned = await giveBackOrRetry(config, run, error, place, scope.failedStep)
    return { ended: false, spent: false, planned }
  }
  if ('delay' in next) {
    await run.claim.delay?.(next.delay.next, next.delay.delayed)
    return { ended: false, spent: true, planned: next.planned }
  }
  if ('pause' in next) {
    const pausing = pauseRun(config, run, next.pause, place)
    const planned = isAwaited(pausing) ? await pausing : pausing
    return { ended: false, spent: next.pause.keptRaw === undefined, planned }
  }
  if ('stay' in next) return noteAnswer(run, next.stay, place)
  if ('wait' in next)
    return { ended: false, spent: true, ...(await awaitSignal(config, run, next.wait, place)) }
  await run.claim.finish(next.result)
  return { ended: true, spent: true, planned: next.planned }
}

/** One of several people has answered, and the pause goes on. */
async function noteAnswer<P>(
  { claim }: OpenRun,
  { next, links, isSpent }: StayPlan,
  place: RunPlace<P>,
): Promise<Settled<P>> {
  const planned = place.plan({ kind: 'noted', isSpent })
  await claim.stay!(next, links)
  // The pause is not over: those who watch it are told nothing yet.
  return { ended: false, spent: false, planned }
}

/** What the steps can know of their run. */
function scopeOf<P>({ claim, notes, isUnasked, term }: OpenRun, place: RunPlace<P>): ScopeOptions {
  const { flowId, seq } = notes.flow
  let either: AbortSignal | undefined
  // Few steps ask for it, and a signal costs as much as the rest of a step.
  const signal = () => (either ??= eitherOf(claim.signal, term?.cut.signal))
  const step = { flowId, seq, ...claim.progress, signal }
  const facts = () => claim.asker?.facts ?? factsOf(place)
  return { step, isUnasked, facts, transaction: claim.transaction?.bind(claim) }
}

/** What a step does comes to nothing, or it has no more time. */
function eitherOf(lost: AbortSignal | undefined, cut: AbortSignal | undefined) {
  return lost && cut ? AbortSignal.any([lost, cut]) : (lost ?? cut)
}

/** A run whose steps have run. */
interface RanWorkflow extends Omit<PausingRun, 'output'> {
  readonly output: WfRunOutput | WfAbort
}

/** What is to become of a flow. */
type Decision<P> =
  | { readonly pause: PausePlan }
  | { readonly stay: StayPlan }
  | { readonly wait: WaitPlan }
  | { readonly planned: P; readonly delay: DelayPlan }
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
  const pausing = { ...ran, output }
  const { inputRequired } = output
  if (inputRequired instanceof DelayRequest) {
    const delay = planDelay(config, deps, pausing, inputRequired)
    return { planned: place.plan({ kind: 'delayed', until: delay.delayed.until }), delay }
  }
  const wait = planWait(config, deps, pausing)
  if (wait) return { wait }
  const stay = planStay(config, deps, pausing)
  if (stay) return { stay }
  const plan = planPause(config, deps, pausing)
  const { overflow } = config.registry
  return overflow ? whenKnown(withRoom(plan, overflow), pause => ({ pause })) : { pause: plan }
}

/** What a workflow came to, without how it is answered over HTTP. */
function resultOf(value: unknown): WfResult {
  if (!isWfFinished(value)) return value === undefined ? {} : { data: value }
  const { data, aborted, reason } = value
  return { data, aborted, reason }
}
