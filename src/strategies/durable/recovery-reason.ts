import type { WfStoredRun } from '../../state'
import { noteOf } from './run-note'

/**
 * Why a run did not go on by itself.
 *
 * `answered`: its answer was accepted, for others to go on with. `timeout`: a step took longer than it may.
 * `lost`: the process died in the step that was answered. `stuck_created`: it never began.
 * `stuck_completed`: the process died behind a completed step. `stuck_failed`: a step has failed, and nobody
 * has tried it again. `stuck_terminal`: all steps were completed, and that was not written down.
 * `handed_on`: whoever went on with it had no more time.
 */
export type WfRecoveryReason =
  | 'answered'
  | 'timeout'
  | 'lost'
  | 'stuck_created'
  | 'stuck_completed'
  | 'stuck_failed'
  | 'stuck_terminal'
  | 'handed_on'

/** Why a run is found that is due. */
export function recoveryReason(
  { status, state, leaseOwner, answer, updatedAt, lastStartedAt = 0 }: WfStoredRun,
  { now, stepTimeoutMs }: { readonly now: number; readonly stepTimeoutMs: number },
): WfRecoveryReason {
  if (status === 'created') return 'stuck_created'
  if (status === 'error' || status === 'failed') return 'stuck_failed'
  if (status === 'paused' && leaseOwner === undefined && answer !== undefined) return 'answered'
  const began = Math.max(updatedAt, lastStartedAt)
  if (leaseOwner !== undefined && now - began >= stepTimeoutMs) return 'timeout'
  if (noteOf(state).isHandedOn && leaseOwner === undefined) return 'handed_on'
  return status === 'active' ? 'stuck_completed' : 'lost'
}
