import { jsonCopy, type WfRunSignals, type WfState } from '../../state'
import type { RunJournal } from './run-journal'
import { stepOf, withRunNote } from './run-note'
import { WENT_WELL } from './went-well'

/** Commits a pause without a link. A signal that was kept makes it due. */
export async function pauseForSignal(
  journal: RunJournal,
  signals: WfRunSignals,
  next: WfState,
  name: string,
): Promise<void> {
  const state = jsonCopy(next)
  const stepId = stepOf(state)
  const { flowId, awaited } = journal
  const kept = await signals.kept(flowId)
  const isDue = kept.some(other => other.name === name && other.seq !== awaited?.seq)
  const detail = { ...(await journal.changeTo(state)), waitsFor: name }
  const events = [{ type: 'paused', to: 'paused', stepId, detail }] as const
  await journal.commit(events, pause => ({
    ...WENT_WELL,
    state: withRunNote(state, { pause }),
    stepId: stepId ?? null,
    waitsFor: name,
    isDue,
  }))
}
