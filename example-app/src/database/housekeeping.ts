import type { Database } from './database'

const EVERY_MS = 5 * 60_000
const KEEP_EXPIRED_FLOWS_MS = 24 * 60 * 60_000

/** Removes what has expired, every few minutes. Returns what stops it. */
export function startHousekeeping({ wfStore, ledger, sessions }: Database): () => void {
  const stopFlows = wfStore.startCleanup({ everyMs: EVERY_MS, retention: KEEP_EXPIRED_FLOWS_MS })
  const sweep = () =>
    Promise.all([ledger.cleanup(), sessions.deleteMany({ expiresAt: { $lte: Date.now() } })]).catch(
      (error: unknown) => console.error('Cleaning up failed:', error),
    )
  const timer = setInterval(sweep, EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    stopFlows()
  }
}
