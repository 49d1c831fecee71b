import { stateInJson } from './state-to-json'
import type { WfState } from './wf-state'

/** Copies, and the JSON of their contexts. */
const copies = new WeakMap<WfState, string>()

/**
 * A state as it would be read back from where it is stored, which nobody changes. What is such a copy
 * already is given back as it is: one is enough on the way to a row.
 *
 * @throws WfError `WF_STATE_INVALID`
 */
export function jsonCopy(state: WfState): WfState {
  if (copies.has(state)) return state
  const { rest, context } = stateInJson(state)
  const copy = Object.assign(JSON.parse(rest) as WfState, { context: JSON.parse(context) })
  copies.set(copy, context)
  return copy
}

/** The JSON of the context of such a copy, which is most of a state. */
export function contextInJson(state: WfState): string {
  return copies.get(state) ?? JSON.stringify(state.context)
}

/** A copy of its own for those who change it, of a state that came out of JSON. */
export function changeableCopy(state: WfState): WfState {
  const { schemaId, indexes, meta } = state
  // Several times as fast as structuredClone.
  const copy = JSON.parse(JSON.stringify({ schemaId, indexes, meta })) as WfState
  return Object.assign(copy, { context: JSON.parse(contextInJson(state)) })
}

/** A copy whose `meta` alone is another, which is JSON too. */
export function jsonCopyWith(state: WfState, meta: WfState['meta']): WfState {
  const { schemaId, indexes, context } = state
  const next = { schemaId, indexes, context, meta }
  const text = copies.get(state)
  if (text !== undefined) copies.set(next, text)
  return next
}
