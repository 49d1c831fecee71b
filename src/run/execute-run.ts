import { useLogger } from '@wooksjs/event-core'
import { isAwaited, type WfFormAnswer } from '../state'
import type { WfTriggerDeps } from './deps'
import { executeKeyed } from './execute-keyed'
import { type OpenRun, openRun } from './open-run'
import { rejectionOf } from './rejection'
import { tellRetrying } from './retry-answer'
import type { RunConfig } from './run-config'
import type { RunOutcome, RunSubject } from './run-outcome'
import type { RunRequest, RunStarter } from './run-request'
import { settleRun } from './settle-run'
import { showForm } from './show-form'
import { settleUnasked } from './take-up-run'
import { keepsLinks, tellOthers } from './tell-others'
import { whileAnswering } from './tombstones'
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
  return place.key
    ? executeKeyed(config, request, place, () => execute(config, deps, request, place))
    : execute(config, deps, request, place)
}

async function execute<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  place: RunPlace<P>,
): Promise<SettledRun<P>> {
  const submit = unwrapped(request)
  // The claim is told what came: whether a form means it otherwise is known only when the step runs.
  const opening = openRun(config, deps, request, submit, place)
  const run = isAwaited(opening) ? await opening : opening
  if ('waiting' in run) return tellRetrying(config, run, place)
  if ('form' in run) return showForm(config, deps, run, request.token!, place)
  if (run.isForEarlier) return executeBehind(config, deps, run, request, place)
  const { wfid, answer } = run
  const { flow, pause } = run.notes
  const settling = () => settleRun(config, deps, run, givenTo(run, submit), place)
  // A strategy that survives its process keeps the link meanwhile, and knows who works on it.
  const isNoted = answer && !keepsLinks(config, run)
  const settled = isNoted
    ? await whileAnswering(config, request.token, wfid, settling)
    : await settling()
  await tellOthers(config, deps, run, settled, request.token)
  const { planned, ended } = settled
  return { wfid, flowId: flow.flowId, browser: pause?.browser, planned, ended }
}

/** First what another of several people had answered before their process died, and then this request. */
async function executeBehind<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  request: RunRequest,
  place: RunPlace<P>,
): Promise<SettledRun<P>> {
  const earlier: OpenRun = { ...run, isUnasked: true, isForEarlier: undefined }
  const settled = await settleUnasked(config, deps, earlier).catch((error: unknown) => {
    useLogger().error('A run could not go on with what was answered before', error)
    return undefined
  })
  // It is still to be gone on with, which is for others to do.
  if (settled?.kind !== 'settled') throw rejectionOf({ reason: 'busy' })
  return execute(config, deps, request, place)
}

/** What the first step that runs is given. */
function givenTo({ claim, answer, notes }: OpenRun, submit: RunRequest): RunRequest {
  if (claim.answer) return withAnswer(submit, claim.answer)
  // What was sent was meant for the pause, which is over.
  if (notes.position?.after !== undefined) return withAnswer(submit, {})
  return answer ? Object.assign({}, submit, answer) : submit
}

function withAnswer(submit: RunRequest, { input, action }: WfFormAnswer): RunRequest {
  return Object.assign({}, submit, { input, action })
}
