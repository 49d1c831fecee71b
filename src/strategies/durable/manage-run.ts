import { WfError } from '../../errors'
import {
  isEnd,
  type WfHeldRun,
  type WfNewRunEvent,
  type WfRunStore,
  type WfStoredRun,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { giveUpAt } from './give-up-at'
import { goesOn } from './goes-on'
import { liveLinks } from './live-links'
import { isBetweenSteps, noteOf, withoutRunNote, withRunNote } from './run-note'
import { dueAtOf } from './timer-note'

/** Who changes a run from outside, and where. */
export interface ManageRunOptions {
  readonly actor?: string | undefined
  /** Why, in the history. */
  readonly reason?: string | undefined
  /** A store within a transaction. */
  readonly within?: WfRunStore | undefined
}

/** Others may write at the same moment, but not for ever. */
const MOST_TRIES = 10

/** @see RunManager.cancel */
export async function cancelRun(
  { runs, ends }: ResolvedDurableOptions,
  flowId: string,
  { actor, reason, within = runs }: ManageRunOptions,
): Promise<boolean | null> {
  const detail = reason === undefined ? {} : { reason }
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const run = await within.find(flowId)
    if (!run) return null
    if (run.status === 'cancelled') return false
    const events: WfNewRunEvent[] = [{ type: 'cancelled', to: 'cancelled', detail }]
    if (await within.commit(whoeverHolds(run), { events, actor, stepId: null })) {
      ends.tell(flowId)
      return true
    }
    await takeFromHolder(within, run)
  }
  throw goesOn()
}

/** Whoever holds a run may commit faster than it can be read: without the lease they commit no more. */
export async function takeFromHolder(runs: WfRunStore, run: WfStoredRun): Promise<void> {
  if (run.status !== 'active' || run.leaseOwner === undefined) return
  await runs.release({ run, owner: run.leaseOwner })
}

/** @see RunManager.extend */
export async function extendRun(
  options: ResolvedDurableOptions,
  flowId: string,
  expiresAt: number,
  { actor, within = options.runs }: ManageRunOptions,
): Promise<true | null> {
  if (!Number.isSafeInteger(expiresAt)) throw new TypeError('expiresAt is a whole number.')
  const run = await within.find(flowId)
  const note = run ? noteOf(run.state) : {}
  const { pause, timer } = note
  if (run?.status !== 'paused' || pause === undefined) return null
  // What waits for a machine has nothing to extend.
  if (run.waitsFor !== undefined) return null
  const live = liveLinks(await within.links(flowId), note)
  // What has no end, or a later one, must not get an earlier one by being extended. Of several people, each
  // has links of their own.
  const isLong = (end: number | undefined) => end === undefined || end >= expiresAt
  const isLongEnough = (note.seats ? Object.keys(note.seats) : [undefined]).every(seat =>
    live.some(link => link.seat === seat && isLong(link.expiresAt)),
  )
  // Whoever is given more time to answer has that time.
  const isTooSoon = timer !== undefined && timer.at < expiresAt
  if (isLongEnough && !isTooSoon) return true
  const { answer } = run
  const later = {
    ...note,
    ...(isTooSoon && { timer: { ...timer, at: expiresAt } }),
    ...(!isLongEnough && { giveUpAt: giveUpAt(options, expiresAt) }),
  }
  const until = isLongEnough ? {} : { until: expiresAt }
  const detail = { ...until, ...(isTooSoon && { deadline: expiresAt }) }
  const extended = await within.commit(
    { run },
    {
      events: [{ type: 'extended', detail }],
      actor,
      linksUntil: isLongEnough
        ? undefined
        : { pauses: [pause, ...Object.values(note.seats ?? {})], expiresAt },
      answer,
      dueAt: answer === undefined ? dueAtOf(later) : run.dueAt,
      state: withRunNote(withoutRunNote(run.state), later),
    },
  )
  if (!extended) throw goesOn()
  return true
}

/** @see RunManager.retry */
export async function retryRun(
  { runs, due }: ResolvedDurableOptions,
  flowId: string,
  { actor, reason, within = runs }: ManageRunOptions,
): Promise<true | null> {
  const run = await within.find(flowId)
  if (!run) return null
  const { status, answer, state, waitsFor } = run
  if (status !== 'failed' && status !== 'error') {
    throw new WfError('WF_TRANSITION', `A run that is ${status} is not tried again.`)
  }
  const detail = reason === undefined ? {} : { reason }
  const retried: WfNewRunEvent = { type: 'retried', to: 'active', detail }
  // Without the answer, its step would do what it did when it asked.
  const signal = waitsFor === undefined ? null : await within.signals?.next(flowId, waitsFor)
  const isAnswered = answer !== undefined || !!signal
  const isAsked = !isBetweenSteps(state) && !isAnswered && state.indexes.length > 0
  const events: WfNewRunEvent[] = isAsked ? [retried, { type: 'waiting', to: 'paused' }] : [retried]
  const dueAt = isAsked ? dueAtOf(noteOf(state)) : undefined
  const change = { events, actor, answer, isDue: !isAsked, dueAt, attempts: 0, lastError: null }
  if (!(await within.commit({ run }, change))) throw goesOn()
  due.tellOf(change)
  return true
}

/** A run as whoever holds it would write it. */
export function whoeverHolds(run: WfStoredRun): WfHeldRun {
  if (isEnd(run.status)) {
    throw new WfError('WF_TRANSITION', `A run that is ${run.status} is not cancelled.`)
  }
  return { run, owner: run.leaseOwner }
}
