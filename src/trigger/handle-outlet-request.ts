import { useRequest } from '@wooksjs/event-http'
import { answerError, answerFinish, answerPause, secureAnswer } from './answer'
import { checkOrigin } from './check-origin'
import type { WfTriggerDeps } from './deps'
import { asEnvelope, bareEnvelope, type Envelope } from './envelope'
import { openRun } from './open-run'
import type { WfOutletConfig, WfTokenSource } from './outlet-config'
import { pauseRun } from './pause-run'
import { methodRejection, peekToken } from './peek-token'
import { type PausePlan, planPause } from './plan-pause'
import { NO_BODY, readBody } from './read-body'
import { readRequest, type TriggerRequest } from './read-request'
import { type ResolvedOutletConfig, resolveOutletConfig } from './resolve-outlet-config'
import { runWorkflow } from './run-workflow'
import { giveBack } from './give-back'
import { openTriggerScope } from './trigger-scope'

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
  let source: WfTokenSource | undefined
  secureAnswer()
  try {
    const { method } = useRequest()
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead) checkOrigin(config.origins)
    if (!isRead && method !== 'POST') throw methodRejection()
    const body = isRead ? NO_BODY : await readBody(config.maxBodyBytes)
    const request = readRequest(config, body)
    source = request.token?.source
    return isRead ? await peekToken(config, deps, request) : await execute(config, deps, request)
  } catch (error) {
    return answerError(config, error, source)
  }
}

async function execute(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
): Promise<unknown> {
  const run = await openRun(config, deps, request)
  const { claim } = run
  const scope = openTriggerScope({
    registry: config.registry,
    outlets: config.outlets,
    action: request.action,
    strategyName: run.strategyName,
  })
  let plan: PausePlan | undefined
  let data: unknown
  try {
    const output = await runWorkflow(deps, run, request.input)
    if (output.finished) data = await config.onFinished?.(output.state)
    else plan = planPause(config, deps, scope, claim.state, output)
  } catch (error) {
    await giveBack(claim, error)
    throw error
  }
  if (plan) return answerPause(config, await pauseRun(run, plan), request.token?.source)
  await claim.finish(data)
  return answerFinish(config, scope.finished, data, request.token?.source)
}
