import type { WfStoredRun, WfTimer } from '../../state'
import { DeadlineTimer } from './deadline-timer'
import type { ResolvedDurableOptions } from './durable-options'
import { ExpiryTimer } from './expiry-timer'
import { ReminderTimer } from './reminder-timer'
import { noteOf } from './run-note'
import { idle } from './woken-for'

/**
 * Takes a run whose pause has run out of time, or is to be announced again: by the claim that an answer
 * would have, so that one of the two wins. `null` if another was faster.
 */
export async function ringTimer(
  options: ResolvedDurableOptions,
  run: WfStoredRun,
  timer: WfTimer['timer'],
  actor: string | undefined,
): Promise<WfTimer | null> {
  const { runs, owner, leaseMs } = options
  const { answer, claimSeq, leaseOwner, state } = run
  const held = await runs.claim(run, { owner: idle(owner), ms: leaseMs, answer, isDue: true })
  if (!held) return null
  if (timer === 'expiry') return new ExpiryTimer(options, held, actor)
  if (timer === 'deadline') return new DeadlineTimer(options, held, actor)
  const isAgain = leaseOwner !== undefined && noteOf(state).timer?.sentBy === claimSeq
  return new ReminderTimer(options, held, actor, isAgain)
}
