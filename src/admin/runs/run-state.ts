import type { WfRunView } from '../../runs'

/** How runs stand, in five groups: each run is in one of them. */
export const RUN_STATES = ['live', 'error', 'done', 'cancelled', 'expired'] as const

/**
 * `live`: it goes on, or waits; `expired`: it waits, and nobody can answer any more; `error`: a step has failed,
 * for now or for good; `done`: it has come to its end.
 */
export type WfAdminRunState = (typeof RUN_STATES)[number]

/** Matches the runs of a state. */
export function stateFilter(state: WfAdminRunState, now: number): object {
  const expired = { status: 'paused', expiresAt: { $lte: now } }
  switch (state) {
    case 'expired':
      return expired
    case 'error':
      return { status: { $in: ['error', 'failed'] } }
    case 'done':
      return { status: 'completed' }
    case 'cancelled':
      return { status: 'cancelled' }
    case 'live':
      return { $and: [{ status: { $nin: NOT_LIVE } }, { $not: expired }] }
  }
}

const NOT_LIVE = ['error', 'failed', 'completed', 'cancelled']

/** The state that a run is in. */
export function stateOf(
  { status, expiresAt }: Pick<WfRunView, 'status' | 'expiresAt'>,
  now: number,
): WfAdminRunState {
  if (status === 'error' || status === 'failed') return 'error'
  if (status === 'completed') return 'done'
  if (status === 'cancelled') return 'cancelled'
  return status === 'paused' && expiresAt !== undefined && expiresAt <= now ? 'expired' : 'live'
}
