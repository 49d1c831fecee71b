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

/**
 * Takes a token out of the address bar, where it would be bookmarked, shared and logged. One in the
 * fragment, which no server has seen, comes before one in the query.
 */
export const takeLinkToken = (tokenName: string): string | null | undefined => {
  const url = attempt(() => new URL(location.href))
  if (!url) return
  const tokenIn = (text: string) => new URLSearchParams(text).get(tokenName)
  const fragment = url.hash.slice(1)
  const token = tokenIn(fragment) || tokenIn(url.search)
  if (token) {
    // What else stands there stays as it is written: it may be a route, or an anchor.
    const others = (text: string) =>
      text
        .split('&')
        .filter(part => tokenIn(part) === null)
        .join('&')
    url.hash = others(fragment)
    url.search = others(url.search.slice(1))
    attempt(() => history.replaceState(history.state, '', url.href))
  }
  return token
}
