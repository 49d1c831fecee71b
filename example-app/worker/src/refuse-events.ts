import type { WorkerHandlers } from './worker-events'

/** What a Worker does that cannot work: it says why, and loses nothing. */
export function refuseEvents(sentence: string): WorkerHandlers {
  return {
    fetch: async () => {
      console.error(sentence)
      return new Response(`${sentence}\n`, {
        status: 503,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      })
    },
    queue: async ({ messages }) => {
      console.error(sentence)
      for (const message of messages) message.retry({ delaySeconds: 60 })
    },
    scheduled: async () => console.error(sentence),
  }
}
