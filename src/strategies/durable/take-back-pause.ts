import type { WfNewRunEvent, WfRunChange, WfRunSignal, WfRunStore } from '../../state'
import { isIdleReservation } from './idle-reservation'
import type { Standing } from './journalled-run'
import type { RunJournal } from './run-journal'
import { noteOf, withRunNote } from './run-note'
import { dueAtOf } from './timer-note'

const CODE = 'WF_OUTLET_FAILED'

/**
 * Takes a pause back whose link could not be delivered: the run stands where it stood before, and so the
 * links of then are alive, and the new one is not. A run that had just begun, for someone who is told now,
 * ends.
 *
 * @param kept who has done it, what is still needed to go on, sealed, and the signal that was taken
 * @returns `false` if someone has used the new link already
 */
export async function takeBackPause(
  runs: WfRunStore,
  journal: RunJournal,
  before: Standing,
  {
    actor,
    answer,
    taken,
  }: Pick<WfRunChange, 'actor' | 'answer'> & {
    readonly taken?: WfRunSignal | undefined
  },
): Promise<boolean> {
  const paused = journal.standing.held!
  const { run: former } = before.held ?? {}
  if (!former || isIdleReservation(former)) {
    const events: WfNewRunEvent[] = [
      { type: 'undelivered' },
      { type: 'cancelled', to: 'cancelled' },
    ]
    return (await runs.commit(paused, { events, stepId: null, actor })) !== null
  }
  const { waitsFor } = former
  const isAtPause = before.isUntouched && former.status === 'paused' && waitsFor === undefined
  const detail = await journal.changeTo(before.state)
  const { stepId } = former
  const events: WfNewRunEvent[] = isAtPause
    ? [{ type: 'undelivered', stepId, detail }]
    : [
        { type: 'undelivered', to: 'active', stepId, detail },
        { type: 'step_failed', to: 'error', detail: { code: CODE } },
      ]
  const undone = await runs.commit(paused, {
    events,
    actor,
    answer,
    state: withRunNote(before.state, noteOf(former.state)),
    dueAt: isAtPause ? dueAtOf(noteOf(former.state)) : undefined,
    stepId: stepId ?? null,
    attempts: former.attempts + 1,
    waitsFor: waitsFor ?? null,
    signals: taken && before.isUntouched ? [taken] : undefined,
    lastError: { code: CODE, at: Math.floor(runs.clock.now()) },
  })
  return undone !== null
}
