import type { RequireInputOptions } from './use-atscript-wf'

/** Where clients of the public package look for a sentence about the form as a whole. */
const FORM = '__form'

/** What the client is told about a form, so that clients of both kinds find it. */
export function sentencesOf({ errors, formMessage = errors?.[FORM] }: RequireInputOptions) {
  if (formMessage === undefined) return errors && { errors }
  return { errors: { ...errors, [FORM]: formMessage }, formMessage }
}
