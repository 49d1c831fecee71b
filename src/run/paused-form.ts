import { WfError } from '../errors'
import type { WfOutletRequest } from '../outlets'
import type { WfPausedForm, WfStepForm } from '../state'

const LONGEST_NOTE = 200

/**
 * What a pause keeps of the form that it has named.
 *
 * @param forms of its step; an app that tells of none shows none: the link is used when it is opened
 */
export function pausedForm(
  { form, showContext, usedNote }: WfOutletRequest,
  forms: readonly WfStepForm[] | undefined,
): WfPausedForm | undefined {
  if (form === undefined || !forms) return undefined
  const declared = forms.find(({ type }) => type === form)
  if (!declared) {
    throw new WfError(
      'WF_CONFIG',
      'A pause names a form that its step does not declare: @WfInput({ ask: false }) input?: TheForm.',
    )
  }
  const { id, digest } = declared
  return { id, digest, showContext: showContext || undefined, usedNote: noteOf(usedNote) }
}

function noteOf(usedNote: WfOutletRequest['usedNote']): string | true | undefined {
  if (!usedNote) return undefined
  return usedNote === true ? true : usedNote.slice(0, LONGEST_NOTE)
}
