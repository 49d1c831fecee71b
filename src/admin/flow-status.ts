import type { WfAdminStore } from '../store'

/** Which flows are meant. */
export type FlowStatus = 'all' | 'live' | 'expired'

/** The time by which flows expire. Whole, because the columns are. */
export const timeOf = ({ clock }: Pick<WfAdminStore, 'clock'>): number => Math.floor(clock.now())

/** A flow has expired from the moment on, not after it. One that never does is live. */
export function statusAt(
  now: number,
  { expiresAt }: { readonly expiresAt?: number | null | undefined },
): 'live' | 'expired' {
  return typeof expiresAt === 'number' && expiresAt <= now ? 'expired' : 'live'
}

/** Matches the flows of a status. */
export function statusFilter(status: FlowStatus, now: number): object {
  if (status === 'all') return {}
  if (status === 'expired') return { expiresAt: { $lte: now } }
  return { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
}
