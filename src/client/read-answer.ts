import type { WfClientState } from './client-types'
import type { WfReply } from './exchange'
import { initialData, recordOf, textOf } from '../form-view'
import type { WfClientError } from './wire'

/** The form that the server asks for. */
export const readPause = (
  inputRequired: unknown,
  shown: Pick<WfClientState<{ form: unknown }>, 'form' | 'data'>,
) => {
  const { payload, context } = recordOf(inputRequired)
  const { errors, formMessage, ...others } = recordOf(context)
  const { __form, ...ofFields } = recordOf(errors)
  const form = payload ?? {}
  const isSame = JSON.stringify(form) === JSON.stringify(shown.form)
  return {
    form,
    data: isSame ? shown.data : initialData(form, others),
    context: others,
    errors: Object.fromEntries(
      Object.entries(ofFields as Record<string, string>).filter(([, sentence]) => textOf(sentence)),
    ),
    formMessage: textOf(formMessage ?? __form),
  }
}

/** Why there is nothing else in the reply. */
export const readError = ({ status, body }: WfReply): WfClientError => {
  const { code, message } = recordOf(body.error)
  return {
    code: textOf(code) ?? (status ? 'WF_BAD_ANSWER' : 'WF_NETWORK'),
    message:
      textOf(message) ??
      `The server could not be ${status ? 'understood' : 'reached'}. Please try again.`,
    status,
  }
}

/** Whether the token that was sent is of no use any more. A step that says 410 keeps its token. */
export const isGone = ({ status, code }: WfClientError): boolean =>
  status === 410 && !/REJ|BAD/.test(code)
