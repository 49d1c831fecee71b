import type { WfStoredRun } from '../../state'

/** Whether a run waits for its step to be tried again, or for whoever does that. */
export function isRetried({ status, leaseOwner, dueAt }: WfStoredRun): boolean {
  return status === 'error' && leaseOwner === undefined && dueAt !== undefined
}
