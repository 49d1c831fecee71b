import { useLogger } from '@wooksjs/event-core'
import {
  type Continuation,
  continuationOf,
  flowMetaOf,
  isRecord,
  isRefusal,
  newFlowMeta,
  type WfClaim,
  type WfFlowMeta,
  type WfRefusal,
  type WfState,
  withFlowMeta,
} from '../state'
import { admission } from './admission'
import { isHolder } from './browser-mark'
import { takeCarriedOver, type TakenOver } from './carry-over'
import type { WfOutletRequest } from '../outlets'
import type { WfTriggerDeps } from './deps'
import { explainRefusal } from './explain-refusal'
import type { RunConfig } from './run-config'
import type { WfMove } from './run-events'
import type { RunRequest, RunStarter } from './run-request'
import { countStart } from './start-limit'
import { type CurrentPause, isGone, Rejection, rejectionOf } from './rejection'

// An app without `describe` looks ids up in a router, which decodes and cuts them. Such an id could
// run a blocked workflow under another name.
const IN_DISGUISE = /[%?#\\\p{Cc}]|(?:^|\/)\.{1,2}(?:\/|$)/u

/** A workflow that this request may run now. */
export interface OpenRun {
  readonly claim: WfClaim
  /** What runs: the claimed state, at the place where this build goes on with it. */
  readonly state: WfState
  readonly strategyName: string
  readonly isNew: boolean
  readonly wfid: string
  /** As it was when it was taken; a run may change the state. */
  readonly flow: WfFlowMeta | undefined
  /** What it has of an expired flow. */
  readonly carriedOver?: TakenOver
}

/** Takes the state that the token names, or begins a new one. Nothing is taken if it refuses. */
export async function openRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  starter: RunStarter,
): Promise<OpenRun> {
  const { token, wfid, browser } = request
  if (token === undefined) return beginRun(config, deps, wfid, starter)
  const found = config.registry.forToken(token)
  if (!found) return replaceOrReject({ refusal: 'garbled' }, config, deps, request, starter)
  const claim = await found.strategy.claim(found.raw, {
    admit: admission(config, deps, { wfid, strategyName: found.name, browser }),
  })
  if (isRefusal(claim)) return replaceOrReject(claim, config, deps, request, starter)
  return {
    claim,
    state: goOn(config, deps, claim),
    strategyName: found.name,
    isNew: false,
    wfid: claim.state.schemaId,
    flow: flowMetaOf(claim.state),
  }
}

async function replaceOrReject(
  refused: WfRefusal,
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  starter: RunStarter,
): Promise<OpenRun> {
  const { wfid, restart, mayBeLeftOver } = request
  const carried = restart ? await takeCarriedOver(config, deps, request, refused) : undefined
  if (carried) return beginWith(config, deps, starter, carried)
  if (mayBeLeftOver && wfid !== undefined && isLeftOver(refused)) {
    return beginRun(config, deps, wfid, starter)
  }
  if (restart && isOfAnother(config, wfid, refused)) {
    throw new Rejection('WF_MISMATCH', { reason: 'mismatch' })
  }
  const verdict = await explainRefusal(config, deps, request, refused)
  throw rejectionOf(verdict, currentOf(config, request, refused))
}

/** Starts a fresh flow with what an expired one has left. */
async function beginWith(
  config: RunConfig,
  deps: WfTriggerDeps,
  starter: RunStarter,
  carriedOver: TakenOver,
): Promise<OpenRun> {
  try {
    const run = await beginRun(config, deps, carriedOver.wfid, starter, carriedOver.context)
    return { ...run, carriedOver }
  } catch (error) {
    await carriedOver.giveBack()
    throw error
  }
}

/** Whether a token is of no use for what is asked for now. */
function isLeftOver({ refusal }: WfRefusal): boolean {
  return isGone(refusal) || refusal === 'mismatch' || refusal === 'definition-changed'
}

/** Whether an expired flow is of another workflow than the one that is to be started anew. */
function isOfAnother(
  { allows }: RunConfig,
  wfid: string | undefined,
  { refusal, found }: WfRefusal,
): boolean {
  if (refusal !== 'expired' || !found || wfid === undefined) return false
  return found.state.schemaId !== wfid && allows(found.state.schemaId)
}

/**
 * Where the flow of an older page is now, for the browser that has the newer one as well. Whoever has
 * an older token only, perhaps because they have started the flow for someone else, is not told.
 */
function currentOf(
  { registry, allows }: RunConfig,
  { token, browser }: RunRequest,
  { current, found }: WfRefusal,
): CurrentPause | undefined {
  const flow = found && flowMetaOf(found.state)
  if (current === undefined || !flow?.shown || !flow.outlet) return undefined
  if (!allows(found!.state.schemaId) || !isHolder(browser, flow)) return undefined
  const name = registry.forToken(token)?.name
  const request = { ...flow.shown, outlet: flow.outlet } as WfOutletRequest
  return { token: `${name}.${current}`, request }
}

async function beginRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  wfid: string | undefined,
  starter: RunStarter,
  carried: Readonly<Record<string, unknown>> = {},
): Promise<OpenRun> {
  const { startLimit, ledger, clock } = config
  if (wfid === undefined) throw new Rejection('WF_BAD_REQUEST', { message: 'Name a workflow.' })
  if (deps.describe ? !deps.describe(wfid) : IN_DISGUISE.test(wfid)) {
    throw new Rejection('WF_UNKNOWN')
  }
  if (!config.allows(wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  const actor = await starter.actor()
  if (startLimit && ledger) {
    await countStart(startLimit, { ledger, clock }, actor, () => starter.client())
  }
  const initial = await starter.initialContext(wfid)
  const context = isRecord(initial) ? { ...carried, ...initial } : initial
  const bare: WfState = { schemaId: wfid, indexes: [], context }
  const flow = newFlowMeta(clock.now(), actor)
  const state = withFlowMeta(bare, undefined, flow)
  const { name, strategy } = config.registry.forWorkflow(wfid)
  const claim = await strategy.begin(state, {})
  return { claim, state: claim.state, strategyName: name, isNew: true, wfid, flow }
}

/** The claimed state where this build goes on with it. `admission` has seen that there is such a place. */
function goOn(config: RunConfig, deps: WfTriggerDeps, claim: WfClaim): WfState {
  const { state, change }: Continuation = continuationOf(claim.state, deps) ?? claim
  if (change) tellOfMove(config, claim.state, change)
  return state
}

function tellOfMove({ onMoved }: RunConfig, state: WfState, change: WfMove['change']): void {
  const { flowId, stepId } = flowMetaOf(state) ?? {}
  const logger = useLogger()
  logger.info(`Flow ${flowId} of ${state.schemaId}, paused at ${stepId}, was ${change}.`)
  Promise.resolve({ schemaId: state.schemaId, flowId, stepId, change })
    .then(onMoved)
    .catch((error: unknown) => logger.error('onMoved failed', error))
}
