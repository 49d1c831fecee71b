import {
  answeredOf,
  type Awaitable,
  isStorableText,
  notesOf,
  panelIn,
  seatOf,
  stanceOf,
  whenKnown,
  type WfFormAnswer,
  type WfNewRunEvent,
  type WfState,
} from '../../state'
import { type Digest, withDigests } from './history-detail'

const LONGEST_ACTION = 100

/** What the history tells of the action that was chosen: a client may send anything. */
export function chosenBy(action: string | undefined): { readonly action?: string } {
  const isShort = action !== undefined && action.length <= LONGEST_ACTION
  return isShort && isStorableText(action) ? { action } : {}
}

/** What whoever comes late to a link with a form may know. */
export function answeredAt(state: WfState, at: number): object {
  const answered = answeredOf(notesOf(state)?.pause, at)
  return answered ? { answered } : {}
}

/** What the history tells of an answer of one of several people. */
export function answeredBy(
  state: WfState,
  { seat: id, action, input }: WfFormAnswer,
  at: number,
  digest: Digest,
  by: string | undefined,
): Awaitable<WfNewRunEvent[]> {
  const panel = panelIn(notesOf(state)?.pause)
  const seat = panel && seatOf(panel, id)
  if (!seat) return []
  const { form, recipient } = seat
  return whenKnown(withDigests(input, digest), said => {
    const detail = {
      seat: seat.id,
      to: recipient.target,
      // Whoever goes on with it may be another.
      ...(by !== undefined && { by }),
      ...chosenBy(action),
      stance: stanceOf(panel.rule, action),
      ...(said !== undefined && { said }),
      answered: answeredOf({ form }, at) ?? {},
    }
    const stepId = notesOf(state)?.position?.stepId
    return [{ type: 'answered', stepId, detail }]
  })
}
