import { initialData, recordOf, textOf } from '../form-view'
import type { WfClientState } from './client-types'
import type { WfReply } from './exchange'
import type { WfClientError } from './wire'

/**
 * The form that the server asks for.
 *
 * @param typedInto what was typed into a form before a reload
 */
export const readPause = (
  inputRequired: unknown,
  shown: Pick<WfClientState<{ form: unknown }>, 'form' | 'data'>,
  typedInto: (form: unknown) => WfClientState['data'] | undefined,
) => {
  const { payload, context } = recordOf(inputRequired)
  const { errors, formMessage, ...others } = recordOf(context)
  const { __form, ...ofFields } = recordOf(errors)
  const form = payload ?? {}
  const typed = typedInto(form)
  const isSame = JSON.stringify(form) === JSON.stringify(shown.form)
  return {
    form,
    data: isSame ? shown.data : { ...initialData(form, others), ...typed },
    context: others,
    errors: Object.fromEntries(
      Object.entries(ofFields as Record<string, string>).filter(([, sentence]) => textOf(sentence)),
    ),
    formMessage: textOf(formMessage ?? __form),
  }
}

/** Why there is nothing else in the reply. */
export const readError = ({ status, body }: WfReply): WfClientError => {
  const error = recordOf(body.error)
  return {
    ...error,
    code: textOf(error.code) ?? (status ? 'WF_BAD_ANSWER' : 'WF_NETWORK'),
    message:
      textOf(error.message) ??
      `The server could not be ${status ? 'understood' : 'reached'}. Please try again.`,
    status,
  }
}

/** Whether the workflow goes on without the page: with someone else, another system, or by itself. */
export const goesOnWithout = ({ body }: WfReply): unknown =>
  body.sent || body.waiting || body.joined || body.delayed || body.retrying || body.noted

/**
 * Whether it is unknown what has become of the request: there is no answer, or it is not from where
 * workflows run, or that has failed itself, or is still at it.
 */
export const isLost = (reply: WfReply): boolean => {
  const { code, status } = readError(reply)
  const { inputRequired, finished } = reply.body
  // Behind 202 there is also a fresh link.
  const isKnown = inputRequired || finished || goesOnWithout(reply) || status === 202
  return !isKnown && (status >= 500 || /NETW|BAD_A|BUSY/.test(code))
}

/**
 * Whether the token that was sent is of no use any more. A step that says 410 keeps its token. What
 * has been done already cannot be done again.
 */
export const isGone = (reply: WfReply): boolean => {
  const { code, status } = readError(reply)
  return code === 'WF_FINISHED' || (status === 410 && !/REJ|BAD/.test(code))
}
