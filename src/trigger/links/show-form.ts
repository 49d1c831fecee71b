import { randomUUID } from 'node:crypto'
import { recordOf, textOf, type WfFormSchema } from '../../form-view'
import { type EncodedFields, readThrough } from '../../run'
import { isRecord } from '../../state'
import { formPage, isFormSchema } from '../form-page/form-page'
import { type FormTexts, textsOfFields } from '../form-page/form-texts'
import {
  CODE,
  CONFIRM,
  FORM_PAGE,
  REQUEST_ID,
  SHOWN_FORM,
  type TriggerRequest,
} from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import type { AnswerToPerson } from './answer-to-person'
import { leadsTo, sendPage, themeOf, withToken } from './send-page'

/** What an answer asks for. */
export interface Asked<P = unknown> {
  readonly payload: P
  readonly context: Readonly<Record<string, unknown>>
}

interface FormToPerson extends AnswerToPerson {
  readonly asked: Asked<WfFormSchema>
}

/** The form in an answer, in whichever envelope it came; nothing if it asks for none. */
export function askedIn({ token }: ResolvedOutletConfig, body: unknown): Asked | undefined {
  const { inputRequired, ...bare } = recordOf(body)
  if (inputRequired !== undefined) {
    const { payload, context } = recordOf(inputRequired)
    return { payload, context: recordOf(context) }
  }
  if (!isFormSchema(bare)) return undefined
  const {
    type,
    metadata,
    optional,
    id,
    [token.name]: _token,
    ...context
  } = bare as {
    readonly [name: string]: unknown
  } & WfFormSchema
  return { payload: { type, metadata, optional, id }, context }
}

/** Shows a form to a person, with what was typed if it was not right. */
export function showForm(config: ResolvedOutletConfig, answer: FormToPerson): string {
  const { asked, body, wfid, request } = answer
  const { payload: form } = asked
  const { errors, formMessage, ...context } = asked.context
  const { __form, ...ofFields } = recordOf(errors) as Record<string, string>
  const { error, message, [config.token.name]: next } = recordOf(body)
  // A refusal that comes with the form where the flow is now says why.
  const sentence = textOf(formMessage) ?? textOf(__form) ?? (error ? textOf(message) : undefined)
  const isAgain = sentence !== undefined || Object.keys(ofFields).length > 0
  const address = wfid === undefined ? undefined : config.page.resumeUrl(wfid)
  const page = formPage(
    {
      form,
      context,
      typed: isAgain ? typedInto(form, request) : undefined,
      errors: ofFields,
      formMessage: sentence,
      isProblem: sentence !== undefined && request?.action === undefined,
      hidden: {
        ...(typeof next === 'string' && { [config.token.name]: next }),
        ...codeFor(next, request),
        [CONFIRM]: FORM_PAGE,
        [SHOWN_FORM]: String(form.id ?? ''),
        // Anew each time: to press twice, or to reload, is to send the same; to correct is not.
        [REQUEST_ID]: randomUUID(),
      },
      elsewhere: address === undefined ? undefined : withToken(config, address, next),
      leadsTo: leadsTo(config, wfid),
    },
    themeOf(config),
  )
  return sendPage(page)
}

/** The code that the same link needs for the answer as well. */
function codeFor(token: unknown, request: TriggerRequest | undefined) {
  const isSame = request?.token !== undefined && request.token.text === token
  return isSame && typeof request.code === 'string' && { [CODE]: request.code }
}

/** What was typed into this form. The next one may have fields of the same names. */
function typedInto(form: WfFormSchema, request: TriggerRequest | undefined): FormTexts | undefined {
  if (request?.shownForm !== String(form.id ?? '')) return undefined
  const typed = readThrough(request.input)
  return isRecord(typed) ? textsOfFields(typed as EncodedFields) : undefined
}
