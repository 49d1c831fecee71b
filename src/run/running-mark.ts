import { unref } from '../state'
import type { RunConfig } from './run-config'

const RUNNING = 'request'
/** How long a mark outlives a process that has died. */
const MARK_MS = 5000
const BEAT_MS = 1000

/** Says to all who send the same request that it is under way. */
export interface RunningMark {
  /** Lets the next one run, or see the answer. */
  remove(): Promise<void>
}

export async function isRunning({ ledger }: RunConfig, id: string): Promise<boolean> {
  return (await ledger?.get(RUNNING, id)) != null
}

/**
 * Marks a request as under way, for exactly one caller; `undefined` for all others. The mark lives as
 * long as the process that runs it says so, however long that takes: one that has died leaves it for
 * seconds. A ledger that cannot extend an entry keeps it as long as answers.
 */
export async function markAsRunning(
  { ledger, clock, replayWindow }: RunConfig,
  id: string,
): Promise<RunningMark | undefined> {
  if (!ledger) return undefined
  const lifeMs = ledger.extend ? MARK_MS : replayWindow
  if (!(await ledger.spend(RUNNING, id, clock.now() + lifeMs))) return undefined
  let isOurs = true
  const beats = setInterval(() => {
    ledger.extend?.(RUNNING, id, clock.now() + lifeMs).then(
      isAlive => {
        if (isAlive) return
        // It has ended, because this process was busy for too long: whatever is there now is another's.
        isOurs = false
        clearInterval(beats)
      },
      // A beat that fails costs nothing yet: the next one may succeed.
      () => undefined,
    )
  }, BEAT_MS)
  unref(beats)
  return {
    remove: async () => {
      clearInterval(beats)
      if (isOurs) await ledger.restore(RUNNING, id)
    },
  }
}
