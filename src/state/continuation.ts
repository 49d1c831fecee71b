import { flowMetaOf } from './flow-meta'
import type { WfDescription } from './wf-description'
import type { WfState } from './wf-state'

/** A workflow app, as far as it tells of its workflows. */
export interface WfDescriber {
  describe?(schemaId: string): WfDescription | undefined
}

/** How a paused state goes on in this build. */
export interface Continuation {
  readonly state: WfState
  /** Set when it does not go on where it was paused, because the workflow has changed. */
  readonly change?: 'moved' | 'migrated'
}

/**
 * Where this build goes on with a paused state; `undefined` when it cannot tell. Never guesses: a
 * state whose workflow has changed goes on at its step only if there is no doubt which step that is.
 *
 * @throws whatever the workflow's `migrate` throws
 */
export function continuationOf(state: WfState, wf: WfDescriber): Continuation | undefined {
  if (!wf.describe) return { state }
  const description = wf.describe(state.schemaId)
  if (!description) return undefined
  return asItWas(state, description) ?? moved(state, description) ?? migrated(state, description)
}

function asItWas(state: WfState, { shape, stepIdAt }: WfDescription): Continuation | undefined {
  const stepId = stepIdAt(state.indexes)
  const flow = flowMetaOf(state)
  if (stepId === undefined) return undefined
  // A state without a note of its shape was written by another trigger.
  const fits = flow?.shape === undefined || (flow.shape === shape && flow.stepId === stepId)
  return fits ? { state } : undefined
}

function moved(state: WfState, description: WfDescription): Continuation | undefined {
  const flow = flowMetaOf(state)
  // In a workflow of the same shape, a state that does not fit is damaged, not outdated.
  if (flow?.stepId === undefined || flow.shape === description.shape) return undefined
  if (flow.repeated) return undefined
  const indexes = onlyPositionOf(flow.stepId, description)
  return indexes && { state: { ...state, indexes }, change: 'moved' }
}

function migrated(state: WfState, description: WfDescription): Continuation | undefined {
  const { stepId, shape } = flowMetaOf(state) ?? {}
  const next = description.migrate?.(structuredClone(state.context), { stepId, shape })
  if (!next) return undefined
  const indexes = onlyPositionOf(next.stepId, description)
  return indexes && { state: { ...state, indexes, context: next.context }, change: 'migrated' }
}

function onlyPositionOf(stepId: string, { steps }: WfDescription): number[] | undefined {
  const [only, ...others] = steps.filter(step => step.stepId === stepId)
  return only && others.length === 0 ? [...only.indexes] : undefined
}
