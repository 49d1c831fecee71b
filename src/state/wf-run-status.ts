import { WfError } from '../errors'

/** Where a durable run stands, by its last commit. Whether someone works on it is what its lease says. */
export type WfRunStatus =
  | 'created'
  | 'active'
  | 'paused'
  /** A step has failed behind a checkpoint. */
  | 'error'
  | 'completed'
  | 'failed'
  | 'cancelled'

/** What may follow. A run that has failed goes on only if someone says so. */
const NEXT: Readonly<Record<WfRunStatus, readonly WfRunStatus[]>> = {
  created: ['active', 'cancelled'],
  active: ['paused', 'error', 'completed', 'failed', 'cancelled'],
  paused: ['active', 'cancelled', 'failed'],
  error: ['active', 'failed', 'cancelled'],
  completed: [],
  failed: ['active'],
  cancelled: [],
}

const ENDS: ReadonlySet<WfRunStatus> = new Set(['completed', 'failed', 'cancelled'])

/** Whether a run has ended. */
export const isEnd = (status: WfRunStatus): boolean => ENDS.has(status)

/** Whether anything can follow. */
export const canGoOn = (status: WfRunStatus): boolean => NEXT[status].length > 0

/**
 * @param from `undefined` for a run that is not there yet
 * @throws WfError `WF_TRANSITION`
 */
export function assertTransition(from: WfRunStatus | undefined, to: WfRunStatus): void {
  const next = from === undefined ? ['created', 'active'] : (NEXT[from] ?? [])
  if (next.includes(to)) return
  throw new WfError(
    'WF_TRANSITION',
    from === undefined
      ? `A run does not begin as ${to}.`
      : `A run does not go from ${from} to ${to}.`,
  )
}
