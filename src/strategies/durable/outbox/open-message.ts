import type { WfErrorCode } from '../../../errors'
import { sha256, type WfRefusalReason, type WfRunMessage } from '../../../state'
import type { ResolvedDurableOptions } from '../durable-options'
import { hasAnswered } from '../has-answered'
import { refusalOf } from '../link-refusal'
import type { MessageContent } from './message-content'

/** A message that can be sent. */
export interface OpenMessage extends Pick<MessageContent, 'request' | 'code'> {
  readonly kind: 'open'
  /** Of its workflow. */
  readonly schemaId: string
  /** Of its link, the same each time. */
  readonly handle: string
}

/** What is to become of a message that was taken. */
export type OpenedMessage =
  | OpenMessage
  /** Its pause is over, or its link has expired: nobody is to get it any more. */
  | { readonly kind: 'over'; readonly code: WfErrorCode }
  /** It was sealed by a secret that is not known here. */
  | { readonly kind: 'sealed' }

/** Why a message is not sent any more. */
const OVER: Partial<Readonly<Record<WfRefusalReason, WfErrorCode>>> = {
  used: 'WF_USED',
  superseded: 'WF_SUPERSEDED',
  expired: 'WF_EXPIRED',
  revoked: 'WF_REVOKED',
}

/** Opens a message, and sees whether the run still waits by its link. */
export async function openMessage(
  { runs, queue }: Pick<ResolvedDurableOptions, 'runs' | 'queue'>,
  message: WfRunMessage,
): Promise<OpenedMessage> {
  const content = await queue?.read(message)
  const handle = content && (await queue?.handleOf(content.link))
  if (handle === undefined) return { kind: 'sealed' }
  const found = await runs.findByLink(await sha256(handle), { everywhere: true })
  if (!found) return { kind: 'over', code: 'WF_STATE_GONE' }
  const refusal = await refusalOf(runs, found)
  if (refusal) return { kind: 'over', code: OVER[refusal.refusal] ?? 'WF_STATE_GONE' }
  const { status, schemaId } = found.run
  // The link lives on behind an answer, to push a run that is stuck. Nobody need be told of that.
  if (status !== 'paused' || hasAnswered(found.run.state, found.link.seat)) {
    return { kind: 'over', code: 'WF_USED' }
  }
  const { request, code } = content!
  return { kind: 'open', schemaId, handle, request, code }
}
