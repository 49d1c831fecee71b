import { reachesPrototype } from '../state'
import { Rejection } from './rejection'

const MAX_DEPTH = 64

/**
 * Refuses keys that would reach a prototype if a step merged its input, and nesting that would
 * overflow the stack of whoever walks it. Walks level by level, not recursively, for that reason.
 */
export function assertCleanKeys(body: object): void {
  let level = [body]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new Rejection('WF_BAD_REQUEST', { message: 'The body is nested too deeply.' })
    }
    const next: object[] = []
    for (const value of level) collectChildren(value, next)
    level = next
  }
}

function collectChildren(parent: object, into: object[]): void {
  if (!Array.isArray(parent)) for (const key of Object.keys(parent)) assertKey(key)
  for (const value of Object.values(parent)) {
    if (typeof value === 'object' && value !== null) into.push(value)
  }
}

function assertKey(key: string): void {
  if (reachesPrototype(key)) {
    throw new Rejection('WF_BAD_REQUEST', { message: `The key "${key}" is not allowed.` })
  }
}
