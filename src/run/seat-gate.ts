import { panelIn, seatOf, type WfPause, type WfRefusalReason } from '../state'

/**
 * Why somebody does not get what they ask for by the link of one of several people.
 *
 * @param seatId whose link it is
 * @param actor who asks, if that is known
 */
export function reasonAgainstSeat(
  pause: WfPause | undefined,
  seatId: string | undefined,
  actor: string | undefined,
): WfRefusalReason | null {
  const panel = panelIn(pause)
  // The link of a pause that asks one.
  if (!panel && seatId === undefined) return null
  const seat = panel && seatOf(panel, seatId)
  if (!seat) return 'used'
  if (seat.user !== undefined && seat.user !== actor) return 'wrong-user'
  if (actor === undefined) return null
  if (panel.except?.includes(actor)) return 'wrong-user'
  // Whoever has got the link of another as well has one voice.
  const another = panel.seats.find(other => other.id !== seat.id && other.answer?.by === actor)
  return another ? 'wrong-user' : null
}
