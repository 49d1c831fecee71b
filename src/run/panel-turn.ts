import {
  judgePanel,
  panelIn,
  seatOf,
  stanceOf,
  withAnswerOf,
  type WfPanel,
  type WfSeat,
  type WfSeatAnswer,
  type WfStance,
} from '../state'
import type { OpenRun } from './open-run'

/** What several people have said, and whose turn it is. */
export interface PanelTurn {
  /** With what has been answered now, if that counts. */
  readonly panel: WfPanel
  /** Who answers now; nobody where a deadline has ended the pause. */
  readonly current?: SeatTurn | undefined
}

interface SeatTurn {
  readonly seat: WfSeat
  readonly answer: WfSeatAnswer
  readonly stance: WfStance
}

/** The people whom the pause has asked that a run goes on from, if it has asked several. */
export function panelTurnOf(
  { notes, claim, said }: Pick<OpenRun, 'notes' | 'claim' | 'said'>,
  now: number,
): PanelTurn | undefined {
  const panel = panelIn(notes.pause)
  if (!panel) return undefined
  const seat = panel.isOver ? undefined : seatOf(panel, claim.seat)
  if (!seat) return { panel }
  const { input, action } = claim.answer ?? said ?? {}
  const by = claim.asker?.actor || undefined
  const answer: WfSeatAnswer = {
    at: Math.floor(now),
    ...(by !== undefined && { by }),
    ...(action !== undefined && { action }),
    ...(input !== undefined && { input }),
  }
  const stance = stanceOf(panel.rule, action)
  const counted = stance === undefined ? panel : withAnswerOf(panel, seat.id, answer)
  return { panel: counted, current: { seat, answer, stance } }
}

/** Whether an answer is only noted, because the others are still to be asked. */
export function isOnlyNoted({ panel, current }: PanelTurn): boolean {
  if (!current || current.stance === undefined || panel.runsEach) return false
  return judgePanel(panel).outcome === 'open'
}
