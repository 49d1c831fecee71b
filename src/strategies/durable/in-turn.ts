import { isRefusal, sleep, type WfClaim, type WfRefusal } from '../../state'

const PATIENCE_MS = 10_000
const FIRST_WAIT_MS = 2
const LONGEST_WAIT_MS = 50

/**
 * Several people are asked, and may answer at the same moment: one after another gets the run, and nobody is told
 * to come again.
 */
export async function inTurn(
  claim: () => Promise<WfClaim | WfRefusal>,
): Promise<WfClaim | WfRefusal> {
  const until = performance.now() + PATIENCE_MS
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const claimed = await claim()
    const isCrowded = isRefusal(claimed) && claimed.refusal === 'busy' && claimed.found?.seat
    if (!isCrowded || performance.now() >= until) return claimed
    await sleep(waitMs * (0.5 + Math.random()))
  }
}
