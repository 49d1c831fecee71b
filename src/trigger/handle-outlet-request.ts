import { useRequest, useResponse } from '@wooksjs/event-http'
import { WfError } from '../errors'
import { networkOf, useClientAddress } from '../http'
import {
  type Answered,
  describeStart,
  enterCode,
  executeRun,
  orWrongCode,
  readThrough,
  type Rejection,
  type RunPlace,
  runOnce,
  type RunRequest,
  type WfTriggerDeps,
} from '../run'
import { answerError } from './answer/answer-error'
import { dropCookies, secureAnswer } from './answer/answer-headers'
import { carryOut } from './answer/carry-out'
import { asEnvelope, bareEnvelope, type Envelope } from './answer/envelope'
import { type AnswerPlan, planAnswer } from './answer/plan-answer'
import { answerKeeper } from './answer/recorded-answer'
import { wantsHtml } from './answer/wants-html'
import { badRequest, wrongMethod } from './http-rejection'
import { answerPerson } from './links/answer-page'
import { askCode } from './links/ask-code'
import { askFresh } from './links/ask-fresh'
import { peekToken } from './links/peek-token'
import type { WfOutletConfig } from './outlet-config'
import { checkOrigin } from './read/check-origin'
import { NO_BODY, readBody } from './read/read-body'
import { readQuery, readRequest, readSigned, type TriggerRequest, WATCH } from './read/read-request'
import { type ResolvedOutletConfig, resolveOutletConfig } from './resolve-outlet-config'
import { tellState } from './watch/tell-state'
import type { Door } from './webhook/webhook-door'

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

/**
 * @param door who else may come in than a person, and how their requests are known; only they may then
 */
export async function handle(
  option: WfOutletConfig,
  deps: WfTriggerDeps,
  envelope: Envelope,
  door?: Door,
): Promise<unknown> {
  const config = resolveOutletConfig(option, envelope)
  assertDeps(deps)
  secureAnswer()
  const { method } = useRequest()
  const isRead = method === 'GET' || method === 'HEAD'
  let request: TriggerRequest | undefined
  // Only a person's browser asks for HTML. What it has posted is known when it was read.
  let asPage = config.page.isOffered && wantsHtml()
  try {
    if (!isRead) checkOrigin(config.origins)
    if (isRead ? door !== undefined : method !== 'POST') throw wrongMethod()
    const body = isRead ? NO_BODY : await readBody(config.maxBodyBytes)
    const requestId = await door?.(config)
    request =
      requestId === undefined
        ? readRequest(config, body, isRead)
        : { ...readSigned(config, body), requestId }
    if (isRead) return await look(config, deps, request, asPage)
    asPage = config.page.isOffered && request.isConfirmed
    const { answer, ...about } = await answerTo(config, deps, request)
    return asPage ? answerPerson(config, { ...about, body: answer, request }) : answer
  } catch (error) {
    const answer = await answerError(config, error, request)
    return asPage ? answerPerson(config, { body: answer, request }) : answer
  }
}

async function answerTo(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
): Promise<Partial<Answered<unknown>>> {
  if (request.isFresh) return { answer: askFresh(config, request) }
  if (request.isCodeAsked) return { answer: await askCode(config, deps, request) }
  return run(config, deps, request)
}

/** GET and HEAD: what a token stands for, what became of a mail, or what a workflow begins with. */
function look(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
  asPage: boolean,
): Promise<unknown> {
  const { token, wfid } = request
  const watch = readQuery(WATCH)
  if (watch !== null) return tellState(config, watch)
  if (token !== undefined) return peekToken(config, deps, request, asPage)
  if (wfid !== undefined && config.described.has(wfid)) return describe(config, deps, wfid)
  throw wrongMethod()
}

/** The first form of a workflow. Nothing is started, and nothing is stored. */
async function describe(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  wfid: string,
): Promise<object> {
  const form = await describeStart(config, deps, wfid)
  if (!form) throw wrongMethod()
  useResponse().setStatus(200)
  return { describes: true, wfid, ...config.envelope.form(form.schema, {}) }
}

function run(config: ResolvedOutletConfig, deps: WfTriggerDeps, request: TriggerRequest) {
  const { entered } = request
  if (!entered && request.token === undefined && request.wfid === undefined) {
    throw badRequest(`Name a workflow: ${config.wfidName}.`)
  }
  const place = placeOf(config, request)
  const startedWith = async () => [await place.actor(), useRequest().url, othersIn(request)]
  const keeper = answerKeeper(config, startedWith)
  const execute = async (asked: RunRequest) => {
    const { planned, ...subject } = await executeRun(config, deps, asked, place)
    return { ...subject, answer: carryOut(config, planned, request.source) }
  }
  const refuse = (rejection: Rejection) => answerError(config, rejection, request)
  if (entered) return enterCode(config, request, entered, keeper, { run: execute, refuse })
  return runOnce(config, request, keeper, () => orWrongCode(() => execute(request), refuse))
}

/** What `initialContext` may look at, beside the input. */
function othersIn({ body }: TriggerRequest): object {
  const { input: _input, ...others } = readThrough(body) as TriggerRequest['body']
  return others
}

/** An HTTP request as the place of a run. */
function placeOf(
  { envelope, actor, facts, keyOf, initialContext }: ResolvedOutletConfig,
  { body }: TriggerRequest,
): RunPlace<AnswerPlan> {
  let asked: { readonly actor: ReturnType<typeof actor> } | undefined
  return {
    actor: () => (asked ??= { actor: actor() }).actor,
    facts,
    client: () => networkOf(useClientAddress()),
    initialContext: wfid => initialContext(body, wfid),
    ...(keyOf && { key: (wfid: string) => keyOf(body, wfid) }),
    plan: outcome => planAnswer(envelope, outcome),
    undo: dropCookies,
  }
}

function assertDeps(deps: WfTriggerDeps): void {
  if (typeof deps?.start === 'function' && typeof deps.resume === 'function') return
  throw new WfError(
    'WF_CONFIG',
    'No workflow app was passed. If it is injected, is emitDecoratorMetadata on?',
  )
}
