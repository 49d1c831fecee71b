import { attempt } from '../form-view'

/** What is needed of `sessionStorage`. */
export interface WfTokenStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A text, such as a token, that outlives a reload of the page. */
export interface KeptText {
  get(): string | undefined
  /** The same, or what another page of this tab has left since this one had none. */
  find(): string | undefined
  set(text?: string): void
}

/**
 * Keeps a text in memory, and in the storage if there is one that works: a browser that blocks
 * cookies throws.
 */
export const keepText = (storage: WfTokenStorage | null | undefined, key: string): KeptText => {
  const stored = () => attempt(() => storage!.getItem(key)) || undefined
  let text = stored()
  let former: string | undefined
  return {
    get: () => text,
    find() {
      const found = stored()
      // A storage that removes nothing still has what is gone.
      return (text ??= found === former ? undefined : found)
    },
    set(next) {
      // A page that comes back from the history must not remove what a later one has stored.
      const isOurs = stored() === text
      former = text ?? former
      text = next
      attempt(() => (next ? storage!.setItem(key, next) : isOurs && storage!.removeItem(key)))
    },
  }
}
