import type { WfRunEvent, WfRunLink } from '../../state'
import type { RunNote } from './run-note'

/**
 * By what a link that is dead was replaced by another of the same pause, at which the run still waits; `undefined`
 * if it was not.
 *
 * @param present the number of the run's present pause
 */
export function replacedBy(
  history: readonly WfRunEvent[],
  { pause }: Pick<WfRunLink, 'pause'>,
  present: number | undefined,
): 'reissued' | 'reassigned' | undefined {
  if (present === undefined || present <= pause) return undefined
  const isUndone = ({ seq }: WfRunEvent) =>
    history.some(later => later.seq === seq + 1 && later.type === 'undelivered')
  const isOver = history.some(
    event => event.seq > pause && event.type === 'paused' && !isUndone(event),
  )
  const type = isOver ? undefined : history.find(({ seq }) => seq === present)?.type
  return type === 'reissued' || type === 'reassigned' ? type : undefined
}

/** Whether somebody else has the part of a link by now, or nobody has, while the others are still asked. */
export function isTakenAway(
  { pause, seat }: Pick<WfRunLink, 'pause' | 'seat'>,
  note: RunNote,
): boolean {
  return seat !== undefined && note.seats !== undefined && pause >= (note.pause ?? Infinity)
}
