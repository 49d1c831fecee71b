import { WfError } from '../errors'
import type { WfOutlet, WfOutletRequest } from '../outlets'
import type { WfAudience, WfState } from '../state'
import type { NamedStrategy } from '../strategies'
import type { WfRunOutput, WfTriggerDeps } from './deps'
import { flowMetaOf, newFlowMeta, withFlowMeta } from './flow-meta'
import type { ResolvedOutletConfig } from './resolve-outlet-config'
import type { TriggerScope } from './trigger-scope'

/** All that is decided about a pause before anything is stored or sent. */
export interface PausePlan {
  readonly target: NamedStrategy
  readonly outlet: WfOutlet
  readonly request: WfOutletRequest
  readonly audience: WfAudience
  readonly ttl: number | undefined
  readonly next: WfState
}

/** @throws WfError `WF_CONFIG` when the step asks for what the configuration does not have */
export function planPause(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  scope: TriggerScope,
  previous: WfState,
  output: WfRunOutput,
): PausePlan {
  const request = toOutletRequest(output)
  const outlet = scope.outlets.get(request.outlet)
  if (!outlet) throw new WfError('WF_CONFIG', `There is no outlet "${request.outlet}".`)
  const audience = outlet.tokenDelivery ?? 'caller'
  const target = scope.registry.named(scope.strategyName)
  if (audience === 'out-of-band' && target.strategy.guarantees?.singleUse === false) {
    throw new WfError(
      'WF_CONFIG',
      `The outlet "${outlet.name}" sends tokens to others, so they must be single-use; the strategy "${target.name}" does not promise that.`,
    )
  }
  const flow = flowMetaOf(previous) ?? newFlowMeta(config.clock.now())
  const { schemaId, indexes, context } = output.state
  const description = deps.describe?.(schemaId)
  const next = withFlowMeta({ schemaId, indexes: [...indexes], context }, previous.meta, {
    ...flow,
    seq: flow.seq + 1,
    stepId: description?.stepIdAt(indexes),
    shape: description?.shape,
    outlet: outlet.name,
  })
  const ttl = ttlOf(output.expires, flow.startedAt, config)
  return { target, outlet, request, audience, ttl, next }
}

function toOutletRequest({ inputRequired, errorList }: WfRunOutput): WfOutletRequest {
  const request: WfOutletRequest = isOutletRequest(inputRequired)
    ? inputRequired
    : { outlet: 'http', payload: inputRequired }
  if (errorList === undefined) return request
  return { ...request, context: { errors: errorList, ...request.context } }
}

function isOutletRequest(value: unknown): value is WfOutletRequest {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<WfOutletRequest>).outlet === 'string'
  )
}

function ttlOf(
  expires: number | undefined,
  startedAt: number,
  { clock, maxLifetime }: ResolvedOutletConfig,
): number | undefined {
  if (expires !== undefined && !Number.isFinite(expires)) {
    throw new WfError('WF_CONFIG', 'A pause expires at a number of milliseconds since the epoch.')
  }
  const now = clock.now()
  const limits = [
    ...(expires === undefined ? [] : [expires - now]),
    ...(maxLifetime === undefined ? [] : [startedAt + maxLifetime - now]),
  ]
  return limits.length > 0 ? Math.min(...limits) : undefined
}
