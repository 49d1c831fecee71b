import type { WfStoredRun } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { noteOf } from './run-note'

/** Whether a run has done nothing but take a key, for someone who was not told of it. */
export function isIdleReservation({ status, state }: WfStoredRun): boolean {
  return status === 'created' && noteOf(state).isReserved === true
}

/** Ends it, if nobody is about to begin it. @returns whether it could be */
export async function cancelReservation(
  { runs, owner, leaseMs }: Pick<ResolvedDurableOptions, 'runs' | 'owner' | 'leaseMs'>,
  run: WfStoredRun,
  actor: string | undefined,
): Promise<boolean> {
  const dead = await runs.claim(run, { owner, ms: leaseMs })
  const events = [{ type: 'cancelled', to: 'cancelled' }] as const
  return dead !== null && (await runs.commit(dead, { events, actor })) !== null
}
