import { shallowRef } from 'vue'
import { isLocalPath } from './local-path'

/** Where the user is. The query is read when it is needed: it may hold a token for a moment. */
export interface Place {
  readonly path: string
  /** Differs for each visit, so that each is a new page. */
  readonly visit: number
}

const place = shallowRef<Place>({ path: location.pathname, visit: 0 })

/** The page that is shown. */
export const usePlace = () => place

const arrive = () => {
  place.value = { path: location.pathname, visit: place.value.visit + 1 }
}

addEventListener('popstate', arrive)

/** Goes to a page of this site. What is no path of it leads home. */
export function navigate(to: string, { replace = false } = {}): void {
  const path = isLocalPath(to, location.origin) ? to : '/'
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  scrollTo(0, 0)
  arrive()
}

export const currentQuery = (): URLSearchParams => new URLSearchParams(location.search)

/** Changes the query of the page that is shown, so that a reload and a link show the same. */
export function replaceQuery(query: URLSearchParams): void {
  const text = query.toString()
  history.replaceState(history.state, '', `${location.pathname}${text && `?${text}`}`)
}
