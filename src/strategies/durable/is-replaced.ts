import type { WfRunEvent, WfRunLink } from '../../state'
import type { RunNote } from './run-note'

/**
 * Whether a link that is dead was replaced by another of the same pause, at which the run still waits.
 *
 * @param present the number of the run's present pause
 */
export function isReplaced(
  history: readonly WfRunEvent[],
  { pause }: Pick<WfRunLink, 'pause'>,
  present: number | undefined,
): boolean {
  if (present === undefined || present <= pause) return false
  const isUndone = ({ seq }: WfRunEvent) =>
    history.some(later => later.seq === seq + 1 && later.type === 'undelivered')
  const isOver = history.some(
    event => event.seq > pause && event.type === 'paused' && !isUndone(event),
  )
  return !isOver && history.some(({ seq, type }) => seq === present && type === 'reissued')
}

/** Whether somebody else has the part of a link by now, or nobody has, while the others are still asked. */
export function isTakenAway(
  { pause, seat }: Pick<WfRunLink, 'pause' | 'seat'>,
  note: RunNote,
): boolean {
  return seat !== undefined && note.seats !== undefined && pause >= (note.pause ?? Infinity)
}
