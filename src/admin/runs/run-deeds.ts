import type { WfRuns, WfRunView } from '../../runs'
import type { Admin } from '../admin-routes'
import { stateOf } from './run-state'
import { isSameAddress, partsOf } from './asked-parts'
import { sendAgain } from './send-again'
import { toAdminMessage } from './to-admin-message'

/** What can be done with many runs at once. */
export const RUN_DEEDS = ['cancel', 'retry', 'extend', 'resend', 'remind', 'reassign'] as const

export type WfAdminRunDeed = (typeof RUN_DEEDS)[number]

/** Why something is not done with a run. */
export type WfAdminRunObstacle =
  | 'gone'
  | 'moved-on'
  | 'ended'
  | 'not-failed'
  | 'asks-nobody'
  | 'asks-several'
  | 'asks-others'
  | 'answered'
  | 'asked-already'
  | 'expired'

/** Whose parts go to whom. */
export interface HandOver {
  readonly from: string
  readonly to: string
  /** Who must be signed in, where somebody must. @default `to` */
  readonly user?: string | undefined
}

/** Why a run is left alone; `null` if it is not. */
export function obstacleTo(
  { deed, handOver }: { readonly deed: WfAdminRunDeed; readonly handOver?: HandOver | undefined },
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
      if (run.asked) return 'asks-several'
      return obstacleToMail(run, now)
    case 'remind':
      return obstacleToMail(run, now)
    case 'reassign':
      return handOver ? obstacleToHandOver(run, handOver, now) : 'asks-others'
  }
}

function obstacleToMail(run: WfRunView, now: number): WfAdminRunObstacle | null {
  if (run.outlet === undefined) return 'asks-nobody'
  return stateOf(run, now) === 'expired' ? 'expired' : null
}

function obstacleToHandOver(
  run: WfRunView,
  { from, to }: HandOver,
  now: number,
): WfAdminRunObstacle | null {
  const parts = partsOf(run)
  if (parts.length === 0) return 'asks-nobody'
  const theirs = parts.filter(part => isSameAddress(part.to, from))
  if (theirs.length === 0) return 'asks-others'
  if (theirs.every(({ hasAnswered }) => hasAnswered)) return 'answered'
  if (parts.some(part => isSameAddress(part.to, to))) return 'asked-already'
  return stateOf(run, now) === 'expired' ? 'expired' : null
}

/** Who does it, and how. */
export interface DeedOptions {
  readonly actor?: string | undefined
  readonly reason?: string | undefined
  readonly ttlMs: number
  readonly handOver?: HandOver | undefined
}

/** Does it with one run. @returns whether there was something to do */
export async function doDeed(
  admin: Admin,
  runs: WfRuns,
  deed: WfAdminRunDeed,
  run: WfRunView,
  { actor, reason, ttlMs, handOver }: DeedOptions,
): Promise<boolean> {
  const { flowId } = run
  switch (deed) {
    case 'cancel':
      return (await runs.cancel(flowId, { actor, reason })) === true
    case 'retry':
      return runs.retry(flowId, { actor, reason })
    case 'extend':
      return runs.extend(flowId, { actor, ttlMs })
    case 'resend':
      return (await sendAgain(admin, flowId, actor)) !== null
    case 'remind':
      return remind(runs, run, actor)
    case 'reassign':
      return handOver !== undefined && reassign(runs, run, { ...handOver, actor, reason })
  }
}

/** Sends the last message again of each whom the run still waits for. */
async function remind(runs: WfRuns, run: WfRunView, actor: string | undefined): Promise<boolean> {
  const links = await runs.links(run.flowId)
  const messages = await runs.messages(run.flowId)
  const awaited = messages.filter(message => toAdminMessage(message, links, run).isAwaited)
  const lastTo = new Map(awaited.map(({ recipient, messageId }) => [recipient, messageId]))
  let isSent = false
  for (const messageId of lastTo.values()) {
    if ((await runs.resend(messageId, { actor })) !== null) isSent = true
  }
  return isSent
}

/** Somebody may have the parts of several. */
async function reassign(
  runs: WfRuns,
  run: WfRunView,
  { from, ...how }: HandOver & Pick<DeedOptions, 'actor' | 'reason'>,
): Promise<boolean> {
  let isGiven = false
  for (const { id, to, hasAnswered } of partsOf(run)) {
    if (hasAnswered || !isSameAddress(to, from)) continue
    if ((await runs.reassign(run.flowId, { ...how, from: id })) !== null) isGiven = true
  }
  return isGiven
}
