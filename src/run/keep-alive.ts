import { useLogger } from '@wooksjs/event-core'
import { unref, type WfClaim } from '../state'

type Beating = Pick<WfClaim, 'heartbeat' | 'heartbeatMs'>

const DEFAULT_BEAT_MS = 10_000

/**
 * Says again and again that a run is alive, while something is done. A beat that fails costs nothing
 * yet: the next one may succeed, and the commit decides in the end.
 */
export function keepAlive<R>(claim: Beating, work: () => Promise<R>): Promise<R> {
  return claim.heartbeat ? withBeats(claim, work) : work()
}

async function withBeats<R>(claim: Beating, work: () => Promise<R>): Promise<R> {
  const logger = useLogger()
  const beat = async () => {
    try {
      await claim.heartbeat?.()
    } catch (error) {
      logger.warn('A heartbeat of a run failed', error)
    }
  }
  const beats = unref(setInterval(() => void beat(), claim.heartbeatMs ?? DEFAULT_BEAT_MS))
  try {
    return await work()
  } finally {
    clearInterval(beats)
  }
}
