import { notesOf, withNotes } from './wf-notes'
import { panelIn, seatOf, type WfSeat, type WfSeatCode } from './wf-panel'
import type { WfState } from './wf-state'

/** Who has a part from now on. */
export interface WfHandOver {
  /** Their address. */
  readonly target: string
  /** Who must be signed in, where somebody had to be. @default as before */
  readonly user?: string | undefined
  /** Where their code goes, where it went elsewhere than the link. @default to the same address as the link */
  readonly codeTo?: string | undefined
}

/** The part of somebody, for somebody else, who has not answered. */
export function handedOnSeat({ answer: _answer, ...seat }: WfSeat, to: WfHandOver): WfSeat {
  const { target, user = seat.user, codeTo } = to
  return {
    ...seat,
    recipient: { ...seat.recipient, target },
    ...(seat.user !== undefined && { user }),
    ...(seat.code && { code: handedOnCode(seat.code, codeTo) }),
  }
}

/** Never to whoever had the part before. */
function handedOnCode({ template, ...code }: WfSeatCode, to: string | undefined): WfSeatCode {
  const kept = template === undefined ? {} : { template }
  if (to !== undefined) return { ...code, ...kept, to }
  return code.to === undefined ? { ...code, ...kept } : kept
}

/**
 * The state of a pause at which it is somebody else's turn.
 *
 * @param id whose part, where several people are asked
 */
export function handedOn(state: WfState, id: string | undefined, to: WfHandOver): WfState {
  const notes = notesOf(state)
  if (!notes) return state
  if (id === undefined) {
    const { recipient } = notes.pause ?? {}
    if (!recipient) return state
    const pause = { ...notes.pause, recipient: { ...recipient, target: to.target } }
    return withNotes(state, { ...notes, pause })
  }
  const panel = panelIn(notes.pause)
  if (!panel || !seatOf(panel, id)) return state
  const seats = panel.seats.map(seat => (seat.id === id ? handedOnSeat(seat, to) : seat))
  return withNotes(state, { ...notes, pause: { ...notes.pause, panel: { ...panel, seats } } })
}
