import type { App } from './app'
import { removeExpired } from './database/housekeeping'
import { consumeRuns } from './runs/consume-runs'
import { isLoopback } from './settings/loopback'
import type { Settings } from './settings/settings'
import type { WorkerHandlers } from './worker-events'

/** The cron trigger that looks for what is due; the other one cleans up. As in `wrangler.jsonc`. */
const EACH_MINUTE = '* * * * *'

/** What the Worker does when it is asked. */
export function handleEvents(
  { http, database, longWork }: App,
  settings: Settings,
): WorkerHandlers {
  return {
    async fetch(request, _env, context) {
      const { hostname } = new URL(request.url)
      if (settings.isDemo && !isLoopback(hostname)) return refuseStrangers()
      const address = request.headers.get('cf-connecting-ip') ?? undefined
      const waitUntil = (work: Promise<unknown>) => context.waitUntil(work)
      const response = await http.fetch(request, { address, waitUntil })
      const mayHaveMails = request.method === 'POST' && response.ok
      if (mayHaveMails) context.waitUntil(longWork.sendMessages())
      return withHeaders(response)
    },
    queue: ({ messages }) => consumeRuns(longWork, messages),
    async scheduled({ cron }) {
      if (cron === EACH_MINUTE) await longWork.doDue()
      else await removeExpired(database)
    },
  }
}

/** A demo, with accounts that everybody knows, answers nobody from elsewhere. */
const refuseStrangers = () =>
  new Response('This is a demo for its own machine: set PUBLIC_URL to where users find it.\n', {
    status: 421,
  })

function withHeaders(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  return new Response(response.body, { status: response.status, headers })
}
