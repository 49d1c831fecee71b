import { isAwaited, type WfResult, type WfState } from '../../state'
import { resultToKeep } from './history-detail'
import type { RunJournal } from './run-journal'
import { withRunNote } from './run-note'
import { WENT_WELL } from './went-well'

/**
 * Commits the end of a workflow.
 *
 * @param state behind its last completed step, where that is not committed
 */
export async function commitFinish(
  journal: RunJournal,
  result: WfResult,
  state: WfState | undefined,
): Promise<void> {
  const keeping = resultToKeep(result, journal.digest)
  const kept = isAwaited(keeping) ? await keeping : keeping
  const { data: _data, ...ended } = kept
  const { note } = journal
  const detail = state ? { ...ended, ...(await journal.changeTo(state)) } : ended
  const events = [{ type: 'workflow_completed', to: 'completed', detail }] as const
  // Neither what was answered nor the lease of a step that is written with the end outlives it.
  const end = { stepId: null, result: kept, answer: undefined, lease: undefined, ...WENT_WELL }
  await journal.commit(events, () => (state ? { ...end, state: withRunNote(state, note) } : end))
}
