import {
  sleep,
  type WfHeldRun,
  type WfOnConflict,
  type WfRunStore,
  type WfStoredRun,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { goesOn } from './goes-on'
import { cancelReservation, isIdleReservation } from './idle-reservation'
import { takeFromHolder } from './manage-run'

const FIRST_WAIT_MS = 2
const LONGEST_WAIT_MS = 50
const PATIENCE_MS = 10_000
/** Within a transaction of the caller's nobody is waited for: it may hold what they wait for. */
const MOST_TRIES_WITHIN = 3

/** A run that is to have a key. */
export interface KeyTaker {
  readonly runKey: string
  readonly onConflict?: WfOnConflict | undefined
  readonly actor?: string | undefined
  /** A store within a transaction. */
  readonly within?: WfRunStore | undefined
  /** Whether whoever starts it may end the run that has the key. */
  mayEnd(owner: WfStoredRun): boolean
  /** Writes it. `null` if its key is taken. */
  begin(): Promise<WfHeldRun | null>
  /** Writes it in place of another, which ends. `null` if that has gone on since. */
  beginInPlaceOf(owner: WfStoredRun): Promise<WfHeldRun | null>
}

/** The run that has taken a key, or the one that has it. */
export type KeyTaken = { readonly held: WfHeldRun } | { readonly owner: WfStoredRun }

/**
 * Takes a key for a run. The unique index decides: nobody asks first whether it is free.
 *
 * @throws WfError `WF_CONFLICT` if others were always faster
 */
export function takeKey(options: ResolvedDurableOptions, taker: KeyTaker): Promise<KeyTaken> {
  const take = () => tryToTake(options, taker)
  // Those who would end one another in this process need not race.
  return taker.onConflict === 'supersede' && !taker.within
    ? options.turns.take(taker.runKey, take)
    : take()
}

async function tryToTake(options: ResolvedDurableOptions, taker: KeyTaker): Promise<KeyTaken> {
  const { runKey, actor, within, onConflict } = taker
  const runs = within ?? options.runs
  const until = performance.now() + PATIENCE_MS
  let waitMs = FIRST_WAIT_MS
  for (let tries = 1; ; tries++) {
    const held = await taker.begin()
    if (held) return { held }
    const owner = await runs.findByKey(runKey)
    const isForgotten = owner && isIdleReservation(owner)
    if (owner && !(isForgotten && (await cancelReservation({ ...options, runs }, owner, actor)))) {
      if (onConflict !== 'supersede' || !taker.mayEnd(owner)) return { owner }
      const superseding = await taker.beginInPlaceOf(owner)
      if (superseding) {
        options.ends.tell(owner.flowId)
        return { held: superseding }
      }
      await takeFromHolder(runs, owner)
    }
    const isEnough = within ? tries >= MOST_TRIES_WITHIN : performance.now() >= until
    if (isEnough) throw goesOn()
    await sleep(waitMs * (0.5 + Math.random()))
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
  }
}
