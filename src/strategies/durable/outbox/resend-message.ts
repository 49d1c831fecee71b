import { WfError } from '../../../errors'
import {
  handedOn,
  isSamePause,
  sha256,
  type WfPeek,
  type WfReissueOptions,
  type WfRunMessage,
  type WfState,
} from '../../../state'
import type { ResolvedDurableOptions } from '../durable-options'
import { goesOn } from '../goes-on'
import { hasAnswered } from '../has-answered'
import { reissueRun } from '../reissue-run'
import { isLive } from '../is-live'
import { noteOf } from '../run-note'
import type { MessageContent } from './message-content'

/** How a message is sent again. */
export interface ResendMessageOptions {
  /** To another address, with a new link: the one that went astray is dead. @default as before */
  readonly to?: string | undefined
  /** Who does it, in the history. */
  readonly actor?: string | undefined
  /** Told of a new link before it is stored, and of the state that waits by it. */
  readonly prepare?:
    | ((
        ...link: [...Parameters<NonNullable<WfReissueOptions['prepare']>>, WfState, seat?: string]
      ) => unknown)
    | undefined
}

/** A message that will be sent. */
export interface ResentMessage {
  /** The same as before, unless that one had arrived, or went to another address. */
  readonly messageId?: string | undefined
  /** Of its run. */
  readonly version: number
}

/**
 * Sends a message again whose pause is not over: one that never arrived as it was, one that did as another
 * message with the same link.
 *
 * @returns `null` if there is no such message
 * @throws WfError `WF_TRANSITION` if nobody waits for it any more, `WF_EXPIRED`, `WF_CONFLICT`, `WF_CONFIG`
 */
export async function resendMessage(
  options: ResolvedDurableOptions,
  messageId: string,
  how: ResendMessageOptions,
): Promise<ResentMessage | null> {
  const { runs, queue } = options
  const message = await queue?.outbox.find(messageId)
  if (!queue || !message) return null
  const content = await queue.read(message)
  if (!content) throw new WfError('WF_CONFIG', 'This message was sealed by a secret that is gone.')
  const found = await runs.findByLink(await sha256((await queue.handleOf(content.link)) ?? ''))
  if (!found || found.run.status !== 'paused' || !isLive(found.link, noteOf(found.run.state))) {
    throw notWaiting()
  }
  const { run, link } = found
  if (hasAnswered(run.state, link.seat)) throw notWaiting()
  if (run.leaseOwner !== undefined) throw goesOn()
  if (link.expiresAt !== undefined && link.expiresAt <= runs.clock.now()) {
    throw new WfError('WF_EXPIRED', 'The link of this message has expired. Extend it first.')
  }
  if (how.to !== undefined && how.to !== message.recipient) {
    const announced = { state: run.state, seat: link.seat }
    return sendElsewhere(options, message, content, announced, how.to, how)
  }
  const hasArrived = message.status === 'sent'
  const again = hasArrived ? await queue.another(message, content) : undefined
  const id = again?.messageId ?? messageId
  const { answer, dueAt, stepId } = run
  const detail = { messageId: id }
  const written = await runs.commit(
    { run },
    {
      events: [{ type: 'resent', stepId, detail }],
      actor: how.actor,
      answer,
      dueAt,
      ...(again ? { messages: [again] } : { sendAgain: [messageId] }),
    },
  )
  if (!written) throw goesOn()
  queue.tell()
  return { messageId: id, version: written.run.version }
}

/** With a link of its own. Who has the former one is told that it was replaced; a code there was for it is dead. */
async function sendElsewhere(
  options: ResolvedDurableOptions,
  { flowId, outlet }: WfRunMessage,
  { request }: MessageContent,
  { state: announced, seat }: Pick<WfPeek, 'state' | 'seat'>,
  target: string,
  { actor, prepare }: ResendMessageOptions,
): Promise<ResentMessage | null> {
  let next: WfPeek | undefined
  const reissued = await reissueRun(options, flowId, {
    actor,
    seat,
    admit: found => {
      // It may be somebody else's turn by now, whose link is not for this address.
      if (!isSamePause(found.state, announced)) throw goesOn()
      if (hasAnswered(found.state, seat)) throw notWaiting()
      return (next = { ...found, state: handedOn(found.state, seat, { target }) })
    },
    message: () => ({ outlet, request: { ...request, target } }),
    prepare: async (handle, expiresAt) =>
      void (await prepare?.(handle, expiresAt, next!.state, seat)),
    deliver: () => {},
  })
  return reissued && { version: reissued.version }
}

function notWaiting(): WfError {
  return new WfError('WF_TRANSITION', 'The run does not wait by this message any more.')
}
