import type { WfHeldRun } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import type { RunNote } from './run-note'
import { dueAtOf } from './timer-note'

/** Lets go of a run without a word: it stands as it was committed. */
export async function releaseRun(
  { runs, due }: ResolvedDurableOptions,
  note: RunNote,
  held: WfHeldRun,
  isAnswered: boolean,
): Promise<void> {
  const { status, dueAt: wasDueAt } = held.run
  // Between two steps, or where an answer was left by a process that died, somebody has to look.
  const isBetween = status === 'active' || status === 'created'
  const timed = isAnswered ? undefined : dueAtOf(note)
  const dueAt = isBetween ? Math.floor(runs.clock.now()) : (timed ?? wasDueAt)
  await runs.release({ ...held, run: { ...held.run, dueAt } })
  if (dueAt !== undefined) due.tell()
}
