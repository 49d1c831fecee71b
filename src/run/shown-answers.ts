import { notesOf, type WfState } from '../state'
import { askedPanelOf } from './asked-panel'

/** What the others have said, for one of several people who looks at their form, where that may be seen. */
export function shownAnswers(
  state: WfState,
  seat: string | undefined,
): Readonly<Record<string, unknown>> {
  const panel = askedPanelOf(notesOf(state)?.pause)
  if (!panel?.showsAnswers || seat === undefined) return {}
  const answers = panel.seats.flatMap(({ id, recipient, code, answer }) => {
    if (!answer) return []
    const { at, by = recipient.target, action, input } = answer
    return [
      {
        by: by === code?.to ? recipient.target : by,
        at,
        action,
        input,
        ...(id === seat && { isYours: true }),
      },
    ]
  })
  return { answers }
}
