import type { WfPeek, WfRefusal, WfRefusalReason, WfState } from '../state'
import type { WfTriggerDeps } from './deps'
import { flowMetaOf } from './flow-meta'
import type { ResolvedOutletConfig } from './resolve-outlet-config'

/** The checks that a paused state must pass before it is taken. */
export function admission(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  wfid: string | undefined,
): (peek: WfPeek) => WfRefusal | null {
  return ({ state }) => {
    const reason = isState(state) ? reasonAgainst(state, config, deps, wfid) : 'garbled'
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
  if (flow && maxLifetime !== undefined && flow.startedAt + maxLifetime <= clock.now()) {
    return 'expired'
  }
  return fits(state, deps) ? null : 'definition-changed'
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
