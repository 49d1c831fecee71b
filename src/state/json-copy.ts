import { jsonByKey, type JsonByKey, joinJson } from './json-by-key'
import { stateInJson } from './state-to-json'
import type { WfState } from './wf-state'

/** Gives the private fields of a class to an object that is not of it. */
const Given = function (given: object) {
  return given
} as unknown as new (given: object) => object

/** The JSON of a context: all of it, and by its keys where it has such. */
interface ContextJson {
  readonly text: string
  readonly byKey: JsonByKey | undefined
}

/**
 * The JSON of a context, kept in its copy where neither a spread nor JSON sees it. A `WeakMap` of copies grows
 * with every step of every run until the next big collection, and slows down each small one.
 */
class CopyOfJson extends Given {
  readonly #json: ContextJson

  constructor(copy: WfState, json: ContextJson) {
    super(copy)
    this.#json = json
  }

  static jsonOf(state: WfState): ContextJson | undefined {
    return #json in state ? state.#json : undefined
  }
}

const { jsonOf } = CopyOfJson

/**
 * A state as it would be read back from where it is stored, which nobody changes. What is such a copy
 * already is given back as it is: one is enough on the way to a row.
 *
 * @param former an earlier copy of the same: what of its context has stayed the same is a part of both
 * @throws WfError `WF_STATE_INVALID`
 */
export function jsonCopy(state: WfState, former?: WfState): WfState {
  if (jsonOf(state)) return state
  const { rest, context: json } = stateInJson(state, jsonOfContext)
  const { schemaId, indexes, meta } = JSON.parse(rest) as WfState
  return copyWith({ schemaId, indexes, context: readBack(json, former), meta }, json)
}

/** The JSON of the context of such a copy, which is most of a state. */
export function contextInJson(state: WfState): string {
  return jsonOf(state)?.text ?? JSON.stringify(state.context)
}

/** A copy of its own for those who change it, of a state that came out of JSON. */
export function changeableCopy(state: WfState): WfState {
  const { schemaId, indexes, meta } = state
  // Several times as fast as structuredClone.
  const copy = JSON.parse(JSON.stringify({ schemaId, indexes, meta })) as WfState
  return Object.assign(copy, { context: JSON.parse(contextInJson(state)) })
}

/** A copy of what others will change, also where it is a copy already: to measure later ones against. */
export function copyToKeep(state: WfState): WfState {
  const json = jsonOf(state) ?? jsonOfContext(state.context)
  const { schemaId, indexes, meta } = state
  const copy = JSON.parse(JSON.stringify({ schemaId, indexes, meta })) as WfState
  return copyWith(Object.assign(copy, { context: JSON.parse(json.text) }), json)
}

/** A copy whose `meta` alone is another, which is JSON too. */
export function jsonCopyWith(state: WfState, meta: WfState['meta']): WfState {
  const { schemaId, indexes, context } = state
  const next = meta ? { schemaId, indexes, context, meta } : { schemaId, indexes, context }
  const json = jsonOf(state)
  return json ? copyWith(next, json) : next
}

const copyWith = (copy: WfState, json: ContextJson): WfState =>
  new CopyOfJson(copy, json) as unknown as WfState

function jsonOfContext(context: unknown): ContextJson {
  const byKey = jsonByKey(context)
  // What says that it is nothing comes back as nothing.
  return { text: byKey ? joinJson(byKey) : (JSON.stringify(context) ?? 'null'), byKey }
}

/** Most of what a step leaves behind is what it has found, and need not be read again. */
function readBack({ text, byKey }: ContextJson, former: WfState | undefined): unknown {
  const before = former && jsonOf(former)?.byKey
  if (!byKey || !before) return JSON.parse(text)
  const known = former!.context as Readonly<Record<string, unknown>>
  const context: Record<string, unknown> = {}
  for (const [key, json] of byKey) {
    context[key] = before.get(key) === json ? known[key] : JSON.parse(json)
  }
  return context
}
