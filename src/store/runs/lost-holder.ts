import type { WfStoredRun } from '../../state'

const CODE = 'WF_LOST'

/** What is noted of a run whose holder has not been heard of for too long, when another takes it. */
export function lossOf(
  { leaseOwner, attempts, lastError }: WfStoredRun,
  at: number,
): Pick<WfStoredRun, 'attempts' | 'lastError'> {
  if (leaseOwner === undefined) return { attempts, lastError }
  const before = lastError?.code === CODE ? Number(lastError.times) || 0 : 0
  return { attempts: attempts + 1, lastError: { code: CODE, at, times: before + 1 } }
}
