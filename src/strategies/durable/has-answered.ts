import { notesOf, panelIn, seatOf, type WfState } from '../../state'

/** Whether somebody is one of several people, and has answered while the others are still asked. */
export function hasAnswered(state: WfState, seat: string | undefined): boolean {
  const panel = panelIn(notesOf(state)?.pause)
  return panel !== undefined && seatOf(panel, seat)?.answer !== undefined
}
