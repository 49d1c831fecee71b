import { useHeaders } from '@wooksjs/event-http'
import { HttpRejection } from '../http-rejection'

/**
 * A page of another site can make a browser post here, cookies included. Browsers say where a
 * request comes from; a client that says nothing, such as curl, has no cookies to abuse.
 */
export function checkOrigin(origins: ReadonlySet<string>): void {
  const { origin, host, ':authority': authority, 'sec-fetch-site': site } = useHeaders()
  if (origin !== undefined && origins.has(origin)) return
  // A page that sends no referrer, as those with a token do, posts to its own site as `null`.
  if (origin === 'null' && site === 'same-origin') return
  const foreign = origin !== undefined && !isOwn(origin, host ?? authority?.toString())
  if (foreign || site === 'cross-site') throw foreignOrigin()
}

// By host alone: behind a proxy that ends TLS this server does not know its own scheme.
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

function foreignOrigin(): HttpRejection {
  const message = 'Requests from other sites are not accepted here.'
  return new HttpRejection('WF_FOREIGN_ORIGIN', 403, message)
}
