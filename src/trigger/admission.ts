import {
  flowMetaOf,
  type WfPeek,
  type WfRefusal,
  type WfRefusalReason,
  type WfState,
} from '../state'
import type { WfTriggerDeps } from './deps'
import type { ResolvedOutletConfig } from './resolve-outlet-config'

/** What the caller wants to go on with. */
export interface AdmissionRequest {
  readonly wfid?: string
  /** The strategy that the token names. */
  readonly strategyName: string
}

/** The checks that a paused state must pass before it is taken. */
export function admission(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  { wfid, strategyName }: AdmissionRequest,
): (peek: WfPeek) => WfRefusal | null {
  return ({ state }) => {
    const reason =
      isState(state) && isOf(strategyName, state)
        ? reasonAgainst(state, config, deps, wfid)
        : 'garbled'
    return reason ? { refusal: reason } : null
  }
}

function reasonAgainst(
  state: WfState,
  { allows, maxLifetime, clock }: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  wfid: string | undefined,
): WfRefusalReason | null {
  const flow = flowMetaOf(state)
  if (wfid !== undefined && wfid !== state.schemaId) return 'mismatch'
  if (!allows(state.schemaId)) return 'not-allowed'
  const ends = [flow?.expiresAt, flow && maxLifetime && flow.startedAt + maxLifetime]
  if (ends.some(end => end !== undefined && end <= clock.now())) return 'expired'
  return fits(state, deps) ? null : 'definition-changed'
}

/** Two strategies may share a store; a token still belongs to the one that issued it. */
function isOf(strategyName: string, state: WfState): boolean {
  return (flowMetaOf(state)?.strategy ?? strategyName) === strategyName
}

/** Whether this build has the step at which the state waits, in a workflow of the same shape. */
function fits(state: WfState, deps: WfTriggerDeps): boolean {
  if (!deps.describe) return true
  const description = deps.describe(state.schemaId)
  const stepId = description?.stepIdAt(state.indexes)
  if (!description || stepId === undefined) return false
  const flow = flowMetaOf(state)
  if (flow?.shape === undefined) return true
  return flow.shape === description.shape && flow.stepId === stepId
}

function isState(state: unknown): state is WfState {
  const { schemaId, indexes } = (state ?? {}) as Partial<WfState>
  return (
    typeof schemaId === 'string' &&
    Array.isArray(indexes) &&
    indexes.length > 0 &&
    indexes.every(index => Number.isInteger(index) && index >= 0)
  )
}
