import { answeredOf, isStorableText, notesOf, type WfState } from '../../state'

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
