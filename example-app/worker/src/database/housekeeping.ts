import type { Database } from './database'

const A_MONTH_MS = 30 * 24 * 60 * 60_000
/** Each is a commit of its own, and an event has a thousand statements. */
const MOST_RUNS = 200

/** Removes what has expired, and runs that have ended long ago. */
export async function removeExpired({ ledger, runs, sessions }: Database): Promise<void> {
  await ledger.cleanup()
  await sessions.deleteMany({ expiresAt: { $lte: Date.now() } })
  await runs.removeEnded({ endedUntil: Date.now() - A_MONTH_MS, limit: MOST_RUNS })
}
