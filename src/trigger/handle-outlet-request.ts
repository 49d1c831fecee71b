import { useRequest } from '@wooksjs/event-http'
import { WfError } from '../errors'
import { answerError } from './answer/answer-error'
import { answerFinish, type FinishPlan, planAbort, planFinish } from './answer/answer-finish'
import { secureAnswer } from './answer/answer-headers'
import { answerPause } from './answer/answer-pause'
import { checkOrigin } from './read/check-origin'
import type { WfTriggerDeps } from '../run/deps'
import { asEnvelope, bareEnvelope, type Envelope } from './answer/envelope'
import { giveBack } from '../run/give-back'
import { openRun } from '../run/open-run'
import type { WfOutletConfig } from './outlet-config'
import { answerPerson } from './links/answer-page'
import { pauseRun } from '../run/pause-run'
import { peekToken } from './links/peek-token'
import { type PausePlan, planPause, withRoom } from '../run/plan-pause'
import { NO_BODY, readBody } from './read/read-body'
import { readRequest, type TriggerRequest } from './read/read-request'
import { methodRejection } from '../run/rejection'
import { type ResolvedOutletConfig, resolveOutletConfig } from './resolve-outlet-config'
import { runWorkflow } from '../run/run-workflow'
import { type Outcome, runOnce } from '../run/safe-retry'
import { buryUsed } from '../run/tombstones'
import { openTriggerScope } from '../run/run-scope'
import { wantsHtml } from './answer/wants-html'
import { WfAbort } from '../run/wf-abort'

/**
 * Starts and resumes workflows for one HTTP route, in the envelope that form clients speak.
 *
 * Mount it for POST, and for GET and HEAD too if links lead to it: reading a token never uses it.
 *
 * @throws WfError `WF_CONFIG` for a wrong configuration; everything else is an answer
 *
 * @example
 * ```ts
 * import { handleAsOutletRequest, HandleStateStrategy, MoostWf, WfStateStoreMemory } from '@atscript/moost-wf'
 * import { Post } from '@atscript/moost-wf/http'
 * import { Controller } from 'moost'
 *
 * const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
 *
 * @Controller('api')
 * export class WfController {
 *   constructor(private wf: MoostWf) {}
 *
 *   @Post('wf')
 *   handle() {
 *     return handleAsOutletRequest({ allow: ['auth/login'], state }, this.wf)
 *   }
 * }
 * ```
 */
export function handleAsOutletRequest<const N extends string>(
  config: WfOutletConfig<N>,
  deps: WfTriggerDeps,
): Promise<unknown> {
  return handle(config as WfOutletConfig, deps, asEnvelope)
}

/**
 * The same without an envelope: a pause is answered with the outlet's response and the token, an
 * end with the workflow's own data.
 *
 * @throws WfError `WF_CONFIG` for a wrong configuration; everything else is an answer
 *
 * @example
 * ```ts
 * import { handleWfOutletRequest, type MoostWf, type WfOutletConfig } from '@atscript/moost-wf'
 *
 * export const handle = (config: WfOutletConfig, wf: MoostWf) => handleWfOutletRequest(config, wf)
 * ```
 */
export function handleWfOutletRequest<const N extends string>(
  config: WfOutletConfig<N>,
  deps: WfTriggerDeps,
): Promise<unknown> {
  return handle(config as WfOutletConfig, deps, bareEnvelope)
}

async function handle(
  option: WfOutletConfig,
  deps: WfTriggerDeps,
  envelope: Envelope,
): Promise<unknown> {
  const config = resolveOutletConfig(option, envelope)
  assertDeps(deps)
  secureAnswer()
  const { method } = useRequest()
  const isRead = method === 'GET' || method === 'HEAD'
  let request: TriggerRequest | undefined
  let asPage = isRead && config.page.isOffered && wantsHtml()
  try {
    if (!isRead) checkOrigin(config.origins)
    if (!isRead && method !== 'POST') throw methodRejection()
    const read = readRequest(config, isRead ? NO_BODY : await readBody(config.maxBodyBytes))
    request = read
    if (isRead) return await peekToken(config, deps, read, asPage)
    asPage = config.page.isOffered && read.isConfirmed
    const { body, wfid } = await runOnce(config, read, () => execute(config, deps, read))
    return asPage ? answerPerson(config, body, wfid) : body
  } catch (error) {
    const body = await answerError(config, error, request)
    return asPage ? answerPerson(config, body, undefined) : body
  }
}

async function execute(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
): Promise<Outcome> {
  const run = await openRun(config, deps, request)
  const source = request.token?.source
  const scope = openTriggerScope({
    registry: config.registry,
    outlets: config.outlets,
    action: request.action,
    ledger: config.ledger,
    clock: config.clock,
    strategyName: run.strategyName,
  })
  let pause: PausePlan | undefined
  let finish: FinishPlan | undefined
  try {
    const output = await runWorkflow(deps, run, scope, request.input)
    if (output instanceof WfAbort) {
      finish = planAbort(config, output)
    } else if (output.finished) {
      finish = planFinish(config, scope.finished, await config.onFinished?.(output.state))
    } else {
      const { overflow } = config.registry
      pause = planPause(config, deps, scope, run, output)
      if (overflow) pause = await withRoom(pause, overflow)
    }
  } catch (error) {
    await giveBack(run.claim, error)
    throw error
  }
  const { flow, wfid } = run
  const delivery = pause && (await pauseRun(run, pause))
  if (!delivery) await run.claim.finish(finish!.body)
  // Where a person can come back to: a link in a mail, or the end. A form that was sent is not kept.
  const mayComeBack = flow?.outOfBand || !delivery
  if (!run.isNew && mayComeBack) await buryUsed(config, request.token?.value, wfid)
  const body = delivery
    ? answerPause(config, delivery, source)
    : answerFinish(config, finish!, source)
  return { wfid, flowId: flow?.flowId, browser: flow?.browser, body }
}

function assertDeps(deps: WfTriggerDeps): void {
  if (typeof deps?.start === 'function' && typeof deps.resume === 'function') return
  throw new WfError(
    'WF_CONFIG',
    'No workflow app was passed. If it is injected, is emitDecoratorMetadata on?',
  )
}
