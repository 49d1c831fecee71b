import { WfError } from '../errors'
import type { WfState } from './wf-state'

/**
 * A state as the text in which it is stored.
 *
 * @throws WfError `WF_STATE_INVALID`, naming the path of what JSON cannot hold, never its value
 */
export function stateToJson(state: WfState): string {
  return inJson(state, JSON.stringify)
}

/**
 * The same in two parts: its context, which is most of it, and the rest.
 *
 * @throws WfError `WF_STATE_INVALID`
 */
export function stateInJson<R>(
  state: WfState,
  writeContext: (context: unknown) => R,
): { readonly rest: string; readonly context: R } {
  return inJson(state, ({ schemaId, indexes, meta, context }) => ({
    rest: JSON.stringify({ schemaId, indexes, meta }),
    context: writeContext(context),
  }))
}

function inJson<R>(state: WfState, write: (state: WfState) => R): R {
  const reason = whyNoState(state)
  if (reason === undefined) {
    try {
      return write(state)
    } catch {
      // Looked for below.
    }
  }
  const problem = reason ?? whyNoJson(state)
  throw new WfError('WF_STATE_INVALID', `The state cannot be stored as JSON: ${problem}.`)
}

function whyNoState({ context }: WfState): string | undefined {
  const type = typeof context
  return NO_JSON.has(type) ? `context is ${type}` : undefined
}

const NO_JSON = new Set<string>(['undefined', 'function', 'symbol'])

/** What throws on the way (a getter, too deep a nesting) may quote a value, so its message is dropped. */
function whyNoJson(state: WfState): string {
  try {
    return findUnserialisable(state, '', new Set()) ?? 'a toJSON() throws'
  } catch {
    return 'it cannot be read, or nests too deeply'
  }
}

function findUnserialisable(
  value: unknown,
  path: string,
  parents: Set<unknown>,
): string | undefined {
  if (typeof value === 'bigint') return `${path} is a BigInt`
  if (typeof value !== 'object' || value === null) return undefined
  if (parents.has(value)) return `${path} refers to something that contains it`
  parents.add(value)
  for (const [key, child] of Object.entries(value)) {
    const found = findUnserialisable(child, path === '' ? key : `${path}.${key}`, parents)
    if (found) return found
  }
  parents.delete(value)
  return undefined
}
