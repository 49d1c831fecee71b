import { attempt } from '../form-view'

/** What is needed of `sessionStorage`. */
export interface WfTokenStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A token that outlives a reload of the page. */
export interface KeptToken {
  get(): string | undefined
  set(token?: string): void
}

/**
 * Keeps a token in memory, and in the storage if there is one that works: a browser that blocks
 * cookies throws.
 *
 * @param initial comes before what is stored
 */
export const keepToken = (
  storage: WfTokenStorage | null | undefined,
  key: string,
  initial: string | null | undefined,
): KeptToken => {
  let token = attempt(() => storage!.getItem(key)) || undefined
  const set = (next?: string) => {
    token = next
    attempt(() => (next ? storage!.setItem(key, next) : storage!.removeItem(key)))
  }
  if (initial) set(initial)
  return { get: () => token, set }
}
