import type { WfRuns } from '@atscript/moost-wf'

const EVERY_MS = 60 * 60_000
/** So long an admin can extend what nobody has answered in time. */
const KEEP_EXPIRED_MS = 7 * 24 * 60 * 60_000
const AT_ONCE = 100

/**
 * Ends runs whose links have expired long ago. What waits is kept for ever, and what has ended is
 * removed when its time has come.
 */
export async function endExpiredRuns(runs: WfRuns, now = Date.now()): Promise<number> {
  const until = now - KEEP_EXPIRED_MS
  let ended = 0
  let after: string | undefined
  do {
    const filter = { updatedAt: { $lte: until } }
    const page = await runs.list({ status: 'paused', filter, limit: AT_ONCE, after })
    for (const { flowId } of page.runs) {
      const [link] = await runs.links(flowId)
      if ((link?.expiresAt ?? Infinity) > until) continue
      if (await runs.cancel(flowId, { reason: 'expired', actor: 'housekeeping' })) ended++
    }
    after = page.next
  } while (after)
  return ended
}

/** Does so every hour. Returns what stops it. */
export function startRunHousekeeping(runs: WfRuns): () => void {
  const sweep = () =>
    endExpiredRuns(runs).catch((error: unknown) =>
      console.error('Ending runs that have expired failed:', error),
    )
  const timer = setInterval(sweep, EVERY_MS).unref()
  return () => clearInterval(timer)
}
