import { isRefusal, isRetriedLater, sleep, type WfRefusal } from '../../state'

const PATIENCE_MS = 10_000
const FIRST_WAIT_MS = 2
const LONGEST_WAIT_MS = 50

/**
 * Several people are asked, and may answer at the same moment: one after another gets the run, and nobody is told
 * to come again.
 *
 * @param now of the clock by which a step is tried again: until then nobody's turn comes
 */
export async function inTurn<T extends object>(
  now: () => number,
  claim: () => Promise<T | WfRefusal>,
): Promise<T | WfRefusal> {
  const until = performance.now() + PATIENCE_MS
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const claimed = await claim()
    if (!isCrowded(claimed, now()) || performance.now() >= until) return claimed
    await sleep(waitMs * (0.5 + Math.random()))
  }
}

function isCrowded(claimed: object, now: number): boolean {
  if (!isRefusal(claimed)) return false
  const { refusal, found } = claimed
  const isTaken = refusal === 'busy' || refusal === 'taken'
  return isTaken && found?.seat !== undefined && !isRetriedLater(found, now)
}
