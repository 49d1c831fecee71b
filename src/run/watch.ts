import { useLogger } from '@wooksjs/event-core'
import {
  findWatch,
  findWatchEnd,
  isEnd,
  noteWatch,
  noteWatchEnd,
  type WatchedPause,
  watchUntil,
  type WfFlow,
  type WfNotes,
  type WfPause,
  type WfRunStatus,
} from '../state'
import { rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import { readWatchToken, type WatchToken } from './watch-token'

type Noting = Pick<RunConfig, 'ledger' | 'clock' | 'tombstoneTtl'>

/** How many of those who have watched a flow are told of its end, however often it sends a mail. */
const MOST_WATCHED = 8

/** What can be seen of a pause that went to someone else. */
export interface WatchedState {
  /**
   * `answered`: the flow goes on; `ended` follows when it ends. `expired`, `revoked`: nobody has answered.
   * `failed`: a step has failed for good, or nobody has answered in time.
   */
  readonly state: 'waiting' | 'answered' | 'ended' | 'failed' | 'expired' | 'revoked'
  /** Since when, in milliseconds since the epoch; not there while it waits, nor where it is not known. */
  readonly at?: number | undefined
  /** When what waits will expire. */
  readonly expiresAt?: number | undefined
}

/**
 * Lets the caller see what becomes of a pause that goes to someone else.
 *
 * @returns what the caller watches it by; `undefined` where that is not possible
 */
export async function openWatch(
  { ledger, clock, tombstoneTtl }: Noting,
  { text, hash }: WatchToken,
  pause: WatchedPause,
): Promise<string | undefined> {
  if (!ledger) return undefined
  const until = watchUntil(pause.expiresAt, clock.now(), tombstoneTtl)
  const isNoted = await orLog(() => noteWatch(ledger, hash, pause, until))
  return isNoted ? text : undefined
}

/**
 * Tells those who watch a flow that it has gone on, or ended.
 *
 * @param expiresAt of the pause that it has gone on from
 */
export async function tellWatchers(
  { ledger, clock, tombstoneTtl }: Noting,
  { flow, pause }: WfNotes,
  ended: boolean,
  expiresAt: number | undefined,
): Promise<void> {
  if (!ledger) return
  const at = clock.now()
  const until = watchUntil(expiresAt, at, tombstoneTtl)
  const { watch } = pause ?? {}
  if (watch !== undefined) {
    const state = ended ? 'ended' : 'answered'
    await orLog(() => noteWatchEnd(ledger, watch, { state, at }, until))
  }
  if (!ended) return
  for (const hash of watchersOf(flow)) {
    await orLog(async () => {
      const answered = await findWatchEnd(ledger, hash)
      await noteWatchEnd(ledger, hash, { state: 'ended', at }, answered?.until ?? until)
    })
  }
}

/** Those who are told of the end of a flow that goes on from this pause. */
export function watchersAfter(flow: WfFlow, former: WfPause): readonly string[] {
  const watched = watchersOf(flow)
  const isOneMore = former.watch !== undefined && watched.length < MOST_WATCHED
  return isOneMore ? [...watched, former.watch!] : watched
}

/** Stored content is not trusted. */
function watchersOf({ watched }: WfFlow): readonly string[] {
  return Array.isArray(watched) ? watched.slice(0, MOST_WATCHED) : []
}

/**
 * What became of a pause, for whoever watches it.
 *
 * @throws Rejection, the same for whatever is not a token that was given for a workflow of this endpoint
 */
export async function watchPause(
  { ledger, registry, allows, clock }: RunConfig,
  text: unknown,
): Promise<WatchedState> {
  const token = readWatchToken(text)
  const pause = ledger && token && (await findWatch(ledger, token.hash))
  if (!pause || !allows(pause.wfid) || !registry.has(pause.strategy)) {
    throw rejectionOf({ reason: 'garbled' })
  }
  const end = await findWatchEnd(ledger, token.hash)
  if (end) return { state: end.state, at: end.at }
  const { flowId, expiresAt } = pause
  const { strategy } = registry.named(pause.strategy)
  const status = flowId === undefined ? undefined : await strategy.statusOf?.(flowId)
  // Whoever has joined a flow is told of no pause.
  const hasEnded = status !== undefined && isEnd(status)
  if (pause.isOfRun || hasEnded) return { state: STATE_OF[status ?? 'completed'] }
  if (flowId !== undefined && (await strategy.isRevoked?.(flowId))) return { state: 'revoked' }
  const isOver = expiresAt !== undefined && expiresAt <= clock.now()
  return isOver ? { state: 'expired', at: expiresAt } : { state: 'waiting', expiresAt }
}

/** How a run stands, for whoever waits for one of its steps. */
const STATE_OF: Readonly<Record<WfRunStatus, WatchedState['state']>> = {
  created: 'waiting',
  active: 'waiting',
  error: 'waiting',
  paused: 'answered',
  completed: 'ended',
  failed: 'failed',
  cancelled: 'revoked',
}

/** The flow goes on, whatever happens here. @returns whether it could be noted */
async function orLog(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    useLogger().error('Those who watch a flow could not be told', error)
    return false
  }
}
