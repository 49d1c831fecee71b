import type { WfRunLink } from '../../state'
import type { RunNote } from './run-note'

/** Whether a run can be answered by a link: its pause is not over, and nobody else has its part. */
export function isLive({ pause, seat }: Pick<WfRunLink, 'pause' | 'seat'>, note: RunNote): boolean {
  return presentFor(seat, note) === pause
}

/** The number of the event with which the live links of a pause were made, or those of one of its parts. */
export function presentFor(
  seat: string | undefined,
  { pause, seats }: RunNote,
): number | undefined {
  if (seat === undefined) return seats ? undefined : pause
  return seats && Object.hasOwn(seats, seat) ? seats[seat] : undefined
}
