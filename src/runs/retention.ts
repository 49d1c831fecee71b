import { WfError } from '../errors'
import type { WfRunStore } from '../state'

const AN_HOUR_MS = 60 * 60_000
/** A process must not be busy with it: what is left is for the next hour, or for another process. */
const MOST_AT_ONCE = 10_000

/** Removes runs that have ended long enough ago, now and then. @returns what stops it */
export function startRetention(runs: WfRunStore, retentionMs: number): () => void {
  if (!(retentionMs > 0)) {
    throw new WfError('WF_CONFIG', 'retentionMs is a positive number of milliseconds.')
  }
  if (retentionMs === Infinity) return () => {}
  const remove = async () => {
    const endedUntil = Math.floor(runs.clock.now() - retentionMs)
    try {
      await runs.removeEnded({ endedUntil, limit: MOST_AT_ONCE })
    } catch (error) {
      console.error('[moost-wf] Runs that have ended could not be removed:', error)
    }
  }
  // Not all processes at once.
  const timer = setInterval(() => void remove(), AN_HOUR_MS * (0.9 + 0.2 * Math.random()))
  ;(timer as { unref?(): void }).unref?.()
  return () => clearInterval(timer)
}
