import { WfError } from '../errors'
import type { WfOutlet, WfOutletRequest } from '../outlets'
import {
  flowMetaOf,
  isRecord,
  newFlowMeta,
  type WfDescription,
  type WfFlowMeta,
  type WfPauseOptions,
  type WfState,
  withFlowMeta,
} from '../state'
import type { NamedStrategy } from '../strategies'
import { type BrowserMark, browserMark } from './browser-mark'
import type { WfRunOutput, WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import type { RunConfig } from './run-config'
import type { RunScope } from './run-scope'

/** All that is decided about a pause before anything is stored or sent. */
export interface PausePlan extends WfPauseOptions {
  readonly target: NamedStrategy
  readonly outlet: WfOutlet
  readonly request: WfOutletRequest
  readonly next: WfState
  /** How the browser of the caller is to be known again, if it is. */
  readonly mark: BrowserMark | undefined
}

interface PausingRun {
  readonly scope: RunScope
  readonly run: OpenRun
  readonly output: WfRunOutput
  /** What the caller's browser is known by, if it has shown anything. */
  readonly browser: string | undefined
}

/** @throws WfError `WF_CONFIG` when the step asks for what the configuration does not have */
export function planPause(
  config: RunConfig,
  deps: WfTriggerDeps,
  { scope, run, output, browser }: PausingRun,
): PausePlan {
  const request = toOutletRequest(output)
  const outlet = findOutlet(scope, request.outlet)
  const audience = outlet.tokenDelivery ?? 'caller'
  const flow = flowMetaOf(run.claim.state) ?? newFlowMeta(config.clock.now())
  const lifetime = lifetimeOf(config, flow, output.expires)
  const isAnonymous = audience === 'caller' && flow.startedBy === undefined
  const fallbackTtl = isAnonymous ? config.anonymousTtlMs : undefined
  const described = describePause(deps, output)
  const target = scope.registry.named(scope.strategyName)
  // With one handle for all pages of a caller, an older page can be told where the flow is now.
  const shown =
    target.strategy.keepsHandle && audience === 'caller' && outlet.isRepeatable
      ? contentOf(request)
      : undefined
  const isBound = audience === 'out-of-band' && isForSameBrowser(request)
  const mark = shown || isBound ? browserMark(browser) : undefined
  const next = withFlowMeta(described.state, run.claim.state.meta, {
    ...flow,
    ...described.position,
    seq: flow.seq + 1,
    outlet: outlet.name,
    strategy: target.name,
    expiresAt: output.expires,
    problem: undefined,
    outOfBand: audience === 'out-of-band' ? true : undefined,
    shown,
    holder: shown && mark?.hash,
    browser: audience === 'caller' ? flow.browser : mark?.hash,
  })
  if (audience === 'out-of-band') {
    assertSingleUse(target, outlet)
    // The token that led here must die with this pause, so it must be one that can.
    if (!run.isNew) assertSingleUse(scope.registry.named(run.strategyName), outlet)
  }
  return { target, outlet, request, audience, next, mark, fallbackTtl, ...lifetime }
}

function contentOf({ payload, context }: WfOutletRequest) {
  return { payload, context }
}

/** Whether the link can be opened only in the browser in which it was asked for. */
function isForSameBrowser({ link = 'anyDevice' }: WfOutletRequest): boolean {
  if (link === 'anyDevice' || link === 'sameBrowser') return link === 'sameBrowser'
  throw new WfError('WF_CONFIG', `A link is for 'anyDevice' or 'sameBrowser'.`)
}

/** The same pause in the overflow strategy, if its state does not fit where it should go. */
export async function withRoom(plan: PausePlan, overflow: NamedStrategy): Promise<PausePlan> {
  const { target, next, outlet, audience } = plan
  if (!target.strategy.fits || (await target.strategy.fits(next))) return plan
  if (audience === 'out-of-band') assertSingleUse(overflow, outlet)
  const flow = flowMetaOf(next)
  const moved = flow ? withFlowMeta(next, next.meta, { ...flow, strategy: overflow.name }) : next
  return { ...plan, target: overflow, next: moved }
}

function findOutlet({ outlets }: RunScope, name: string): WfOutlet {
  const outlet = outlets.get(name)
  if (outlet) return outlet
  const names = [...outlets.keys()].join(', ')
  throw new WfError('WF_CONFIG', `There is no outlet "${name}"; there is: ${names}.`)
}

function assertSingleUse({ name, strategy }: NamedStrategy, outlet: WfOutlet): void {
  if (strategy.guarantees?.singleUse) return
  throw new WfError(
    'WF_CONFIG',
    `The outlet "${outlet.name}" sends tokens to others, so they must be single-use, and the ` +
      `strategy "${name}" does not promise that: its guarantees.singleUse is not true.`,
  )
}

/** The paused state, and where in this build's workflow it waits. */
function describePause(deps: WfTriggerDeps, { state }: WfRunOutput) {
  const { schemaId, indexes, context } = state
  const description = deps.describe?.(schemaId)
  return {
    state: { schemaId, indexes: [...indexes], context },
    position: positionOf(indexes, description),
  }
}

function positionOf(indexes: readonly number[], description: WfDescription | undefined) {
  const stepId = description?.stepIdAt(indexes)
  const isRepeated = (description?.steps.filter(step => step.stepId === stepId).length ?? 0) > 1
  return { stepId, shape: description?.shape, repeated: isRepeated ? (true as const) : undefined }
}

function toOutletRequest({ inputRequired, errorList }: WfRunOutput): WfOutletRequest {
  const request: WfOutletRequest = isOutletRequest(inputRequired)
    ? inputRequired
    : { outlet: 'http', payload: inputRequired }
  if (errorList === undefined) return request
  return { ...request, context: { errors: errorList, ...request.context } }
}

function isOutletRequest(value: unknown): value is WfOutletRequest & Record<string, unknown> {
  return isRecord(value) && typeof value.outlet === 'string'
}

/** How long the pause may last: as the step says, and never beyond the end of the flow. */
function lifetimeOf(
  { clock, maxLifetime }: RunConfig,
  { startedAt }: WfFlowMeta,
  expires: number | undefined,
): Pick<WfPauseOptions, 'ttl' | 'atMost'> {
  if (expires !== undefined && !Number.isFinite(expires)) {
    throw new WfError('WF_CONFIG', 'A pause expires at a number of milliseconds since the epoch.')
  }
  const now = clock.now()
  return {
    ttl: expires === undefined ? undefined : expires - now,
    atMost: maxLifetime === undefined ? undefined : startedAt + maxLifetime - now,
  }
}
