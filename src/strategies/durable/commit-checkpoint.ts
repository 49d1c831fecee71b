import { isAwaited, notesOf, type WfState, type WfStepBehind } from '../../state'
import type { RunJournal } from './run-journal'
import { withRunNote } from './run-note'
import { WENT_WELL } from './went-well'

/** A completed step, and what is kept behind it. */
interface CheckpointToCommit extends WfStepBehind {
  /** What is left of the request, sealed. */
  readonly answer: string | undefined
  /** Steps that were completed without being committed, this one included. */
  readonly steps: number
}

/** Commits a completed step; the last one with the end, if that follows. */
export async function commitCheckpoint(
  journal: RunJournal,
  state: WfState,
  { stepId: asked, isLast, isHandedOn, answer, steps }: CheckpointToCommit,
): Promise<void> {
  const stepId = asked ?? notesOf(state)?.position?.after
  const { since, note } = journal
  const change = journal.changeTo(state)
  const detail = isAwaited(change) ? await change : change
  const events = [
    { type: 'step_started', stepId, at: since },
    { type: 'step_completed', stepId, detail },
  ] as const
  const stepsDone = (note.stepsDone ?? 0) + steps
  const changeAt = () => ({
    state: withRunNote(state, { pause: note.pause, stepsDone, isHandedOn }),
    stepId: stepId ?? null,
    answer,
    isDue: isHandedOn,
    lease: isHandedOn ? undefined : journal.lease,
    ...WENT_WELL,
  })
  if (isLast) journal.defer(events, changeAt)
  else await journal.commit(events, changeAt)
}
