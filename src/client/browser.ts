import { attempt } from '../form-view'
import type { WfTokenStorage } from './kept-text'

// What is used of a browser. On a server there is nothing of it, and looking for it throws.
declare const location: { readonly href: string }
declare const history: {
  readonly state: unknown
  replaceState(state: unknown, unused: string, url: string): void
}
declare const sessionStorage: WfTokenStorage

/** The storage of this tab. A server may have one too, but all its visitors would share it. */
export const tabStorage = (): WfTokenStorage | undefined =>
  attempt(() => location && sessionStorage)

/** Takes a token out of the address bar, where it would be bookmarked, shared and logged. */
export const takeLinkToken = (tokenName: string): string | null | undefined => {
  const url = attempt(() => new URL(location.href))
  const token = url?.searchParams.get(tokenName)
  url?.searchParams.delete(tokenName)
  if (token) attempt(() => history.replaceState(history.state, '', url!.href))
  return token
}
