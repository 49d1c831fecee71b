import { findPosition, isAt, onlyPositionOf } from './position'
import type { WfDescription } from './wf-description'
import { notesOf } from './wf-notes'
import type { WfState } from './wf-state'

/** A workflow app, as far as it tells of its workflows. */
export interface WfDescriber {
  describe?(schemaId: string): WfDescription | undefined
}

/** How a state goes on in this build: one that was paused, or one that was saved between two steps. */
export interface Continuation {
  readonly state: WfState
  /** Set when it does not go on where it was, because the workflow has changed. */
  readonly change?: 'moved' | 'migrated'
}

/**
 * Where this build goes on with a state; `undefined` when it cannot tell. Never guesses: a state whose
 * workflow has changed goes on at its step only if there is no doubt which step that is.
 *
 * @throws whatever the workflow's `migrate` throws
 */
export function continuationOf(state: WfState, wf: WfDescriber): Continuation | undefined {
  if (!wf.describe) return { state }
  const description = wf.describe(state.schemaId)
  if (!description) return undefined
  return asItWas(state, description) ?? moved(state, description) ?? migrated(state, description)
}

function asItWas(state: WfState, description: WfDescription): Continuation | undefined {
  const position = notesOf(state)?.position
  // A state without a note of its shape was written by another trigger.
  const fits =
    position?.shape === undefined
      ? description.stepIdAt(state.indexes) !== undefined
      : position.shape === description.shape && isAt(position, state.indexes, description)
  return fits ? { state } : undefined
}

function moved(state: WfState, description: WfDescription): Continuation | undefined {
  const position = notesOf(state)?.position
  // In a workflow of the same shape, a state that does not fit is damaged, not outdated.
  if (!position || position.shape === description.shape) return undefined
  const indexes = findPosition(position, description)
  return indexes && { state: { ...state, indexes }, change: 'moved' }
}

function migrated(state: WfState, description: WfDescription): Continuation | undefined {
  const { stepId, after, shape } = notesOf(state)?.position ?? {}
  const from = { stepId, shape, ...(after !== undefined && { after }) }
  const next = description.migrate?.(structuredClone(state.context), from)
  if (!next) return undefined
  const indexes = onlyPositionOf(next.stepId, description)
  return indexes && { state: { ...state, indexes, context: next.context }, change: 'migrated' }
}
