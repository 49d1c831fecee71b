import { useRouteParams } from '@wooksjs/event-core'
import { WfError } from '../../errors'
import { isRecord } from '../../state'
import { AdminRefusal } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { hideTokens } from '../hide-tokens'
import { redactContext } from '../redact-context'
import { noSuchMessage } from './resend-message'
import type { WfAdminMessagePreview } from './run-answers'
import { readRun, runsOf } from './runs-of'

/** What stands where a link, or a code, was. */
const LINK_REMOVED = '[link removed]'
const CODE_REMOVED = '[code removed]'

const LONGEST = 200_000

/** A message that is to be shown to admins: what it was made from, without its link, its code and its secrets. */
export interface WfMessageToPreview {
  readonly messageId: string
  readonly flowId: string
  readonly schemaId: string
  readonly outlet: string
  readonly target: string | undefined
  readonly template: string | undefined
  /** What the message was told, with dots in place of secrets. */
  readonly context: Readonly<Record<string, unknown>>
  readonly payload: unknown
  /** Of one that reminds: which. */
  readonly reminder: number | undefined
  /** Stands where the link was. */
  readonly link: string
  /** Stands where the code was, if there was one. */
  readonly code: string | undefined
}

/** A message as people saw it. */
export interface WfMessagePreview {
  readonly subject?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
}

/** Shows a message as it was sent, with its link removed. */
export async function previewMessage(admin: Admin): Promise<WfAdminMessagePreview> {
  const { preview, store } = admin
  const { flowId, schemaId } = await readRun(admin)
  const id = String(useRouteParams().get('message'))
  const message = (await runsOf(admin).messages(flowId)).find(({ messageId }) => messageId === id)
  if (!message) throw noSuchMessage()
  if (!preview) throw notShown('Messages are not shown here.')
  const { outlet, recipient, createdAt } = message
  const made = await madeFrom(admin, flowId, id)
  const shown = await preview({ ...made, messageId: id, flowId, schemaId, outlet })
  if (!shown) throw notShown('The application does not show this message.')
  const { subject, text, html } = shown
  const answer = {
    messageId: id,
    outlet,
    recipient: recipient ?? null,
    createdAt,
    subject: textOf(subject),
    text: textOf(text),
    html: textOf(html),
  }
  // The application may have put in another live link than the one that it was not told.
  return hideTokens(answer, texts => store.handlesAmong(texts))
}

/** What a message was made from, as far as admins may see it. */
async function madeFrom(admin: Admin, flowId: string, messageId: string) {
  const content = await runsOf(admin).readMessage(flowId, messageId).catch(sealedAway)
  if (!content) throw noSuchMessage()
  const { request, hasCode } = content
  const { target, template, context, payload, reminder } = request
  const show = (value: unknown) =>
    redactContext(value, { isSecret: key => admin.isSecret(key), hide: [] })
  const shownContext = show(context ?? {})
  return {
    target: typeof target === 'string' ? target : undefined,
    template: typeof template === 'string' ? template : undefined,
    context: isRecord(shownContext) ? shownContext : {},
    payload: show(payload),
    reminder: typeof reminder === 'number' ? reminder : undefined,
    link: LINK_REMOVED,
    code: hasCode ? CODE_REMOVED : undefined,
  }
}

function sealedAway(error: unknown): never {
  if (error instanceof WfError && error.code === 'WF_CONFIG') throw notShown(error.message)
  throw error
}

const textOf = (text: unknown) => (typeof text === 'string' ? text.slice(0, LONGEST) : null)

const notShown = (message: string) => new AdminRefusal(409, 'WF_NOT_ALLOWED', message)
