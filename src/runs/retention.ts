import type { Logger } from '@wooksjs/event-core'
import { WfError } from '../errors'
import type { WfRunStore } from '../state'

const AN_HOUR_MS = 60 * 60_000
const A_MINUTE_MS = 60_000
/** A process must not be busy with it: what is left is for the next minute, or for another process. */
const MOST_AT_ONCE = 10_000

/** Removes runs that have ended long enough ago, now and then. @returns what stops it */
export function startRetention(runs: WfRunStore, retentionMs: number, logger: Logger): () => void {
  if (!(retentionMs > 0)) {
    throw new WfError('WF_CONFIG', 'retentionMs is a positive number of milliseconds.')
  }
  if (retentionMs === Infinity) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const remove = async () => {
    const endedUntil = Math.floor(runs.clock.now() - retentionMs)
    let isMore = false
    try {
      const removed = await runs.removeEnded({ endedUntil, limit: MOST_AT_ONCE })
      isMore = removed >= MOST_AT_ONCE
    } catch (error) {
      logger.error('Runs that have ended could not be removed', error)
    }
    if (!isStopped) next(isMore ? A_MINUTE_MS : AN_HOUR_MS)
  }
  const next = (ms: number) => {
    // Not all processes at once.
    timer = setTimeout(() => void remove(), ms * (0.9 + 0.2 * Math.random()))
    ;(timer as { unref?(): void }).unref?.()
  }
  next(AN_HOUR_MS)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
