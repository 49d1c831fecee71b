import { attempt } from '../form-view'

interface Stirring {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}

// On a server there is nothing of it, and looking for it throws.
declare const document: Stirring & { readonly visibilityState: string }

/** Whether nobody can see the page. */
export const isHidden = (): boolean => attempt(() => document.visibilityState === 'hidden') ?? false

/** Tells when the page is hidden, is seen again or comes back online. Returns what ends that. */
export const onStir = (listener: () => void): (() => void) => {
  const change = (method: keyof Stirring) => {
    attempt(() => document[method]('visibilitychange', listener))
    attempt(() => (globalThis as unknown as Stirring)[method]('online', listener))
  }
  change('addEventListener')
  return () => change('removeEventListener')
}
