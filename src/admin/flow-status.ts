/** Which flows are meant. */
export type FlowStatus = 'all' | 'live' | 'expired'

/** Matches the flows of a status. A flow that never expires is live. */
export function statusFilter(status: FlowStatus, now: number): object {
  if (status === 'all') return {}
  if (status === 'expired') return { expiresAt: { $lte: now } }
  return { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
}
