import { jsonCopy, type WfDeadline, type WfRunSignals, type WfState } from '../../state'
import type { RunJournal } from './run-journal'
import { stepOf, withRunNote } from './run-note'
import { dueAtOf, timerOf } from './timer-note'
import { WENT_WELL } from './went-well'

/** Commits a pause without a link. A signal that was kept makes it due. */
export async function pauseForSignal(
  journal: RunJournal,
  signals: WfRunSignals,
  next: WfState,
  name: string,
  deadline?: WfDeadline,
): Promise<void> {
  const state = jsonCopy(next)
  const stepId = stepOf(state)
  const { flowId, awaited } = journal
  const kept = await signals.kept(flowId)
  const isDue = kept.some(other => other.name === name && other.seq !== awaited?.seq)
  const detail = { ...(await journal.changeTo(state)), waitsFor: name }
  const former = journal.standing.isUntouched ? journal.note.timer : undefined
  const timer = timerOf(deadline, { stepId, expiresAt: undefined, former })
  const events = [{ type: 'paused', to: 'paused', stepId, detail }] as const
  await journal.commit(events, pause => ({
    ...WENT_WELL,
    state: withRunNote(state, { pause, timer }),
    dueAt: dueAtOf({ timer }),
    stepId: stepId ?? null,
    waitsFor: name,
    isDue,
  }))
}
