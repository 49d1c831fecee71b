import { isEnd, sleep, type WfHeldRun, type WfRunStore, type WfStoredRun } from '../../state'

const MOST_LOOKS = 20
const LOOK_AGAIN_MS = 10

/** A run that another has, as it is now. Whose lease was taken away is about to be cancelled. */
export async function foundLost(
  runs: WfRunStore,
  held: WfHeldRun | undefined,
): Promise<WfStoredRun | null> {
  if (!held) return null
  const { flowId, claimSeq } = held.run
  for (let looks = 1; ; looks++) {
    const run = await runs.find(flowId, { everywhere: true })
    const isFree = run?.claimSeq === claimSeq && run.leaseOwner === undefined
    if (!run || !isFree || isEnd(run.status) || looks === MOST_LOOKS) return run
    await sleep(LOOK_AGAIN_MS)
  }
}
