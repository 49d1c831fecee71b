import {
  isRefusal,
  newFlowMeta,
  type WfClaim,
  type WfRefusalReason,
  type WfState,
  withFlowMeta,
} from '../state'
import { admission } from './admission'
import type { WfTriggerDeps } from './deps'
import type { TriggerRequest } from './read-request'
import { isGone, Rejection, rejectionOf } from './rejection'
import type { ResolvedOutletConfig } from './resolve-outlet-config'

// An app without `describe` looks ids up in a router, which decodes and cuts them. Such an id could
// run a blocked workflow under another name.
const IN_DISGUISE = /[%?#\\\p{Cc}]|(?:^|\/)\.{1,2}(?:\/|$)/u

/** A workflow that this request may run now. */
export interface OpenRun {
  readonly claim: WfClaim
  readonly strategyName: string
  readonly isNew: boolean
}

/** Takes the state that the token names, or begins a new one. Nothing is taken if it refuses. */
export async function openRun(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
): Promise<OpenRun> {
  const { token, wfid } = request
  if (!token) return beginRun(config, deps, request)
  const found = config.registry.forToken(token.value)
  if (!found) return replaceOrReject('garbled', config, deps, request)
  const claim = await found.strategy.claim(found.raw, {
    admit: admission(config, deps, { wfid, strategyName: found.name }),
  })
  if (isRefusal(claim)) return replaceOrReject(claim.refusal, config, deps, request)
  return { claim, strategyName: found.name, isNew: false }
}

/** A left-over cookie must not keep anyone from starting what they ask for. */
function replaceOrReject(
  reason: WfRefusalReason,
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
): Promise<OpenRun> {
  const isCookie = request.token?.source === 'cookie'
  const isLeftOver =
    isCookie && (isGone(reason) || reason === 'mismatch' || reason === 'definition-changed')
  if (isLeftOver && request.wfid !== undefined) return beginRun(config, deps, request)
  throw rejectionOf(reason, isCookie)
}

async function beginRun(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  { wfid, body }: TriggerRequest,
): Promise<OpenRun> {
  if (wfid === undefined) {
    throw new Rejection('WF_BAD_REQUEST', { message: `Name a workflow: ${config.wfidName}.` })
  }
  if (deps.describe ? !deps.describe(wfid) : IN_DISGUISE.test(wfid)) {
    throw new Rejection('WF_UNKNOWN')
  }
  if (!config.allows(wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  const context = await config.initialContext(body, wfid)
  const bare: WfState = { schemaId: wfid, indexes: [], context }
  const flow = newFlowMeta(config.clock.now(), config.actor())
  const state = withFlowMeta(bare, undefined, flow)
  const { name, strategy } = config.registry.forWorkflow(wfid)
  return { claim: await strategy.begin(state, {}), strategyName: name, isNew: true }
}
