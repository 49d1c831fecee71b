import { Rejection } from './rejection'

const ILLEGAL_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_DEPTH = 64

/**
 * Refuses keys that would reach a prototype if a step merged its input, and nesting that would
 * overflow the stack of whoever walks it. Walks level by level, not recursively, for that reason.
 */
export function assertCleanKeys(body: unknown): void {
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new Rejection('WF_BAD_REQUEST', { message: 'The body is nested too deeply.' })
    }
    level = level.flatMap(childrenOf)
  }
}

function childrenOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value
  const illegal = Object.keys(value).find(key => ILLEGAL_KEYS.has(key))
  if (illegal) {
    throw new Rejection('WF_BAD_REQUEST', { message: `The key "${illegal}" is not allowed.` })
  }
  return Object.values(value)
}
