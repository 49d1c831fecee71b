import { filterError } from './filter-error'

/**
 * The entries of a plain object, read once. Whatever else could be passed for one (a list, a class
 * instance, a Date) or holds what a loop would miss (symbols) is refused.
 */
export function plainEntries(value: unknown, what: string): [string, unknown][] {
  if (!isPlain(value)) throw filterError(`${what} must be a plain object`)
  return Object.entries(value)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null
  return plain && Object.getOwnPropertySymbols(value).length === 0
}
