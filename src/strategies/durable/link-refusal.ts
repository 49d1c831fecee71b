import {
  isEnd,
  type WfPeek,
  type WfRefusal,
  type WfRefusalReason,
  type WfRunLink,
  type WfRunStore,
  type WfStoredRun,
} from '../../state'
import { answerThrough } from './answer-through'
import { isLive, presentFor } from './is-live'
import { isTakenAway, replacedBy } from './is-replaced'
import { isRetried } from './is-retried'
import { isBetweenSteps, noteOf, withoutRunNote } from './run-note'

/** A link, and the run that it belongs to. */
export interface Found {
  readonly link: WfRunLink
  readonly run: WfStoredRun
}

/** What a link stands for. */
export function peekOf({ run, link }: Found): WfPeek {
  const retryAt = isRetried(run) ? run.dueAt : undefined
  const { expiresAt, seat } = link
  return { state: withoutRunNote(run.state), expiresAt, retryAt, seat }
}

/** Why a link is of no use, if it is not. Whether someone works on the run is for the claim to see. */
export async function refusalOf(runs: WfRunStore, found: Found): Promise<WfRefusal | null> {
  const { run, link } = found
  const refusal = reasonAgainst(found, runs.clock.now())
  if (!refusal) return null
  const peek = peekOf(found)
  if (refusal !== 'used') return { refusal, found: peek }
  const history = await runs.history(link.flowId)
  const note = noteOf(run.state)
  if (!isEnd(run.status)) {
    const by = replacedBy(history, link, presentFor(link.seat, note))
    if (by === 'reissued') return { refusal: 'superseded', found: peek }
    if (by || isTakenAway(link, note)) return { refusal: 'revoked', found: peek }
  }
  return { refusal, found: peek, answered: answerThrough(history, link) }
}

function reasonAgainst({ run, link }: Found, now: number): WfRefusalReason | undefined {
  if (isEnd(run.status)) return endOf(run.status)
  if (!isLive(link, noteOf(run.state))) return 'used'
  return link.expiresAt !== undefined && link.expiresAt <= now ? 'expired' : undefined
}

export function endOf(status: WfStoredRun['status']): WfRefusalReason {
  return status === 'cancelled' ? 'revoked' : 'used'
}

/** Whether what is sent now is for the step at which the run waits. */
export function isAnswerable({ status, state }: WfStoredRun): boolean {
  return status === 'paused' && !isBetweenSteps(state)
}
