import { WfError } from '../errors'
import type { WfState } from './wf-state'

/**
 * A state as the text in which it is stored.
 *
 * @throws WfError `WF_STATE_INVALID`, naming the path of what JSON cannot hold, never its value
 */
export function stateToJson(state: WfState): string {
  let reason: string | undefined
  try {
    const type = typeof state.context
    if (['undefined', 'function', 'symbol'].includes(type)) reason = `context is ${type}`
    else return JSON.stringify(state)
  } catch {
    reason = findUnserialisable(state, '', new Set()) ?? 'a toJSON() throws'
  }
  throw new WfError('WF_STATE_INVALID', `The state cannot be stored as JSON: ${reason}.`)
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
