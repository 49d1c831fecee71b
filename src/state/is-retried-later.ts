import type { WfPeek } from './wf-claim'

/** Whether a flow goes on by itself, and not yet: until then whoever comes is told to wait. */
export function isRetriedLater({ retryAt = 0 }: WfPeek, now: number): boolean {
  return retryAt > now
}
