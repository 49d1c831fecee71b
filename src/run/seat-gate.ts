import { panelIn, seatOf, type WfPause, type WfRefusalReason } from '../state'

/** What is known of whoever asks. */
export interface KnownPerson {
  /** Who is signed in. */
  readonly actor?: string | undefined
  /** The address at which they have got a code: it proves the same of who they are. */
  readonly provenBy?: string | undefined
}

/**
 * Why somebody does not get what they ask for by the link of one of several people.
 *
 * @param seatId whose link it is
 */
export function reasonAgainstSeat(
  pause: WfPause | undefined,
  seatId: string | undefined,
  { actor, provenBy }: KnownPerson,
): WfRefusalReason | null {
  const panel = panelIn(pause)
  // The link of a pause that asks one.
  if (!panel && seatId === undefined) return null
  const seat = panel && seatOf(panel, seatId)
  if (!seat) return 'used'
  if (seat.user !== undefined && seat.user !== actor) return 'wrong-user'
  const person = actor ?? provenBy
  if (person !== undefined) {
    if (panel.except?.includes(person)) return 'wrong-user'
    // Whoever has got the link of another as well has one voice.
    const another = panel.seats.find(other => other.id !== seat.id && other.answer?.by === person)
    if (another) return 'wrong-user'
  }
  // Whoever comes late has nothing to prove: they are told that it was answered.
  const isLate = seat.answer !== undefined && !panel.canChange
  return seat.code && !isLate && provenBy === undefined ? 'code-needed' : null
}
