import type { WfStoredRun, WfTimer } from '../../state'
import { isRetried } from './is-retried'
import { isBetweenSteps, noteOf } from './run-note'

/** What the moment of a run has come for. */
export type WokenFor = 'retry' | 'delay' | 'deadline' | 'reminder' | 'expiry'

const IDLE = 'idle '

/** Who holds a run without running a step of it: if they die, no answer is lost. */
export function idle(owner: string): string {
  return `${IDLE}${owner}`
}

/**
 * What a run that is due is due for; `undefined` where its process has died.
 *
 * @param isAnswered an answer was accepted, or a signal has come, which counts more than what comes behind it
 */
export function wokenFor(run: WfStoredRun, isAnswered: boolean): WokenFor | undefined {
  if (isRetried(run)) return 'retry'
  const { status, leaseOwner, claimSeq, state } = run
  const isOfStep = leaseOwner !== undefined && !leaseOwner.startsWith(IDLE)
  if (status !== 'paused' || isOfStep) return undefined
  // It was tried, and nobody has come since with what it needs to go on.
  const isGoingOn = isAnswered || isBetweenSteps(state)
  if (isGoingOn && run.lastError?.code === 'WF_NEEDS_REQUEST') return 'expiry'
  if (isAnswered) return undefined
  const { timer, wakeAt, giveUpAt } = noteOf(state)
  if (!timer && wakeAt !== undefined) return 'delay'
  // What waits for a signal is due as soon as one may have come.
  const isTooSoon = run.waitsFor !== undefined && timer !== undefined && (run.dueAt ?? 0) < timer.at
  if (isTooSoon) return undefined
  if (!timer) return giveUpAt === undefined ? undefined : 'expiry'
  // Whoever has made its link has died before the message was out, or it was not noted that it is.
  if (leaseOwner !== undefined && timer.sentBy === claimSeq) return 'reminder'
  return (timer.remindAt ?? Infinity) < timer.at ? 'reminder' : 'deadline'
}

/** Whether a moment is one of a pause, at which no step goes on by itself. */
export const isTimer = (woken: WokenFor | undefined): woken is WfTimer['timer'] =>
  woken === 'deadline' || woken === 'reminder' || woken === 'expiry'
