import type { WfNewRunEvent, WfRetry } from '../../state'
import type { FailureNote } from './describe-error'
import type { JudgedFailure } from './judge-failure'
import type { RunJournal } from './run-journal'
import { withRunNote } from './run-note'
import { dueAtOf } from './timer-note'

/**
 * Writes what becomes of a run whose step has failed.
 *
 * @param note what is told of the error
 * @param answer what is kept of the request, sealed
 * @returns when it is tried again, if it is
 */
export async function noteFailure(
  journal: RunJournal,
  { verdict, code, step, stepId, attempts, isAtPause }: JudgedFailure,
  note: FailureNote,
  answer: string | undefined,
  at: number,
): Promise<WfRetry | undefined> {
  const change = { attempts, answer, lastError: { code, at } }
  const failed: WfNewRunEvent = { type: 'step_failed', stepId, detail: { code, ...note } }
  if (verdict.kind === 'stands') {
    const to = isAtPause ? 'paused' : 'error'
    const dueAt = isAtPause ? dueAtOf(journal.note) : undefined
    await journal.commit([{ ...failed, to }], () => ({ ...change, dueAt }))
    return undefined
  }
  const named = step !== undefined && { step }
  const lastError = { ...change.lastError, ...named, ...(stepId !== undefined && { stepId }) }
  if (verdict.kind === 'failed') {
    const detail = { code, attempts, ...named }
    const end = { type: 'workflow_failed', to: 'failed', stepId, detail } as const
    await journal.commit([failed, end], () => ({ ...change, lastError }))
    return undefined
  }
  // Whoever has its key is told that it goes on: it is more than a reservation now.
  const { isReserved: _isReserved, ...ours } = journal.note
  const state = withRunNote(journal.standing.state, ours)
  const { inMs: dueInMs } = verdict
  await journal.commit([{ ...failed, to: 'error' }], () => ({
    ...change,
    lastError,
    state,
    dueInMs,
  }))
  return { retryAt: journal.held?.run.dueAt ?? at + dueInMs }
}
