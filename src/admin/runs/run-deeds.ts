import type { WfRuns, WfRunView } from '../../runs'
import type { Admin } from '../admin-routes'
import { stateOf } from './run-state'
import { sendAgain } from './send-again'

/** What can be done with many runs at once. */
export const RUN_DEEDS = ['cancel', 'retry', 'extend', 'resend', 'remind'] as const

export type WfAdminRunDeed = (typeof RUN_DEEDS)[number]

/** Why something is not done with a run. */
export type WfAdminRunObstacle =
  | 'gone'
  | 'moved-on'
  | 'ended'
  | 'not-failed'
  | 'asks-nobody'
  | 'expired'

/** Why a run is left alone; `null` if it is not. */
export function obstacleTo(
  deed: WfAdminRunDeed,
  run: WfRunView,
  now: number,
): WfAdminRunObstacle | null {
  switch (deed) {
    case 'cancel':
      return run.isTerminal ? 'ended' : null
    case 'retry':
      return run.status === 'failed' || run.status === 'error' ? null : 'not-failed'
    case 'extend':
      return run.expiresAt === undefined ? 'asks-nobody' : null
    case 'resend':
    case 'remind':
      if (run.outlet === undefined) return 'asks-nobody'
      return stateOf(run, now) === 'expired' ? 'expired' : null
  }
}

/** Who does it, and how. */
export interface DeedOptions {
  readonly actor?: string | undefined
  readonly reason?: string | undefined
  readonly ttlMs: number
}

/** Does it with one run. @returns whether there was something to do */
export async function doDeed(
  admin: Admin,
  runs: WfRuns,
  deed: WfAdminRunDeed,
  { flowId }: WfRunView,
  { actor, reason, ttlMs }: DeedOptions,
): Promise<boolean> {
  switch (deed) {
    case 'cancel':
      return (await runs.cancel(flowId, { actor, reason })) === true
    case 'retry':
      return runs.retry(flowId, { actor, reason })
    case 'extend':
      return runs.extend(flowId, { actor, ttlMs })
    case 'resend':
      return (await sendAgain(admin, flowId, actor)) !== null
    case 'remind': {
      const message = (await runs.messages(flowId)).at(-1)
      return message !== undefined && (await runs.resend(message.messageId, { actor })) !== null
    }
  }
}
