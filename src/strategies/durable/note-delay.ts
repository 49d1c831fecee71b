import { jsonCopy, type WfDelayed, type WfState } from '../../state'
import type { RunJournal } from './run-journal'
import { withRunNote } from './run-note'
import { WENT_WELL } from './went-well'

/**
 * Writes a run that goes on later by itself, behind the step that has said so. It waits for nobody: it has no
 * links.
 *
 * @param answer what is kept of whoever has asked, sealed
 */
export async function noteDelay(
  journal: RunJournal,
  next: WfState,
  { until, stepId }: WfDelayed,
  answer: string | undefined,
): Promise<void> {
  const state = jsonCopy(next)
  const detail = await journal.changeTo(state)
  const { since } = journal
  const events = [
    { type: 'step_started', stepId, at: since },
    { type: 'step_completed', stepId, detail },
    { type: 'delayed', to: 'paused', stepId, detail: { until } },
  ] as const
  await journal.commit(events, () => ({
    ...WENT_WELL,
    state: withRunNote(state, { wakeAt: until }),
    stepId: stepId ?? null,
    answer,
    dueAt: until,
  }))
}
