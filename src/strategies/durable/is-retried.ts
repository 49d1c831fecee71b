import type { WfPeek, WfStoredRun } from '../../state'

/** Whether a run waits for its step to be tried again, or for whoever does that. */
export function isRetried({ status, leaseOwner, dueAt }: WfStoredRun): boolean {
  return status === 'error' && leaseOwner === undefined && dueAt !== undefined
}

/** Whether that is yet to come: until then nobody has to do it by hand. */
export function isRetriedLater({ retryAt = 0 }: WfPeek, now: number): boolean {
  return retryAt > now
}
