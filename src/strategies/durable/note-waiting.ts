import { giveUpAt } from './give-up-at'
import { lastEndOf } from './last-end'
import type { ResolvedDurableOptions } from './durable-options'
import type { RunJournal } from './run-journal'
import { isBetweenSteps } from './run-note'
import { dueAtOf } from './timer-note'

/** What is there of the request that a run waits with. */
interface Waiting {
  /** Sealed. */
  readonly answer: string | undefined
  readonly isAnswered: boolean
  readonly at: number
}

/** Lets a run wait for whoever has a link. One that never had one has nobody to wait for. */
export async function noteWaiting(
  options: Pick<ResolvedDurableOptions, 'runs' | 'expiredRetentionMs'>,
  journal: RunJournal,
  { answer, isAnswered, at }: Waiting,
): Promise<void> {
  const { held, note } = journal
  const { stepId } = held?.run ?? {}
  const end = held && (await lastEndOf(options.runs, held.run, at))
  const lastError = { code: 'WF_NEEDS_REQUEST', at }
  const detail = { code: lastError.code }
  const isAwaited = note.pause !== undefined && held?.run.waitsFor === undefined
  const events = isAwaited
    ? ([{ type: 'waiting', to: 'paused', stepId, detail }] as const)
    : ([{ type: 'workflow_failed', to: 'failed', stepId, detail }] as const)
  // An answer that was accepted counts more than whatever comes too late for it.
  const isGoingOn = isAnswered || isBetweenSteps(journal.standing.state)
  const dueAt = isGoingOn ? giveUpAt(options, end) : dueAtOf(note)
  await journal.commit(events, () => ({ lastError, answer, dueAt: isAwaited ? dueAt : undefined }))
}
