import {
  isRecord,
  type WfNewRunMessage,
  type WfOutletMessage,
  type WfPauseOptions,
  type WfRunMessage,
  type WfRunOutbox,
  type WfSeatMessage,
  type WfStoredRun,
} from '../../../state'
import type { DueNews } from '../due-news'
import { addressOf } from '../message-address'
import { noteOf } from '../run-note'
import type { RunSeal } from '../run-seal'
import type { LinkKeys, LinkOrigin } from './link-keys'
import { isMessageContent, type MessageContent } from './message-content'

/** A message that is to be written with a pause, and the handle of its link, which is written nowhere. */
export interface DraftedMessage {
  readonly messageId: string
  readonly handle: string
  /** @param pause the number of the event with which the pause begins */
  at(pause: number): WfNewRunMessage
}

/** A pause that a message announces. */
interface AnnouncedPause<R> {
  readonly flowId: string
  readonly message: WfOutletMessage
  readonly expiresAt: number | undefined
  /** Notes what belongs to the link. */
  readonly prepare: WfPauseOptions['prepare']
  /** Writes the pause, with its link and the message. */
  write(drafted: DraftedMessage): Promise<R>
}

/** A pause that several messages announce. */
interface AnnouncedEach<R> extends Pick<AnnouncedPause<R>, 'flowId' | 'expiresAt'> {
  readonly messages: readonly Pick<WfSeatMessage, 'message' | 'prepare'>[]
  /** Writes the pause, with its links and the messages, which are in the same order. */
  write(drafts: readonly DraftedMessage[]): Promise<R>
}

/** What the messages of durable runs are made of: their seals, and the links that they carry. */
export class MessageQueue {
  readonly outbox: WfRunOutbox
  readonly #seal: RunSeal
  readonly #keys: LinkKeys
  readonly #due: DueNews

  constructor(outbox: WfRunOutbox, seal: RunSeal, keys: LinkKeys, due: DueNews) {
    this.outbox = outbox
    this.#seal = seal
    this.#keys = keys
    this.#due = due
  }

  /** Lets a message be written together with the pause that it announces: both are there, or neither. */
  async announce<R>({ flowId, message, expiresAt, prepare, write }: AnnouncedPause<R>): Promise<R> {
    const drafted = await this.#draft(flowId, message)
    await prepare?.(drafted.handle, expiresAt)
    const written = await write(drafted)
    this.tell()
    return written
  }

  /** The same for several, each to somebody else and with a link of their own. */
  async announceEach<R>({ flowId, messages, expiresAt, write }: AnnouncedEach<R>): Promise<R> {
    const drafts: DraftedMessage[] = []
    for (const { message, prepare } of messages) {
      const drafted = await this.#draft(flowId, message)
      await prepare(drafted.handle, expiresAt)
      drafts.push(drafted)
    }
    const written = await write(drafts)
    if (drafts.length > 0) this.tell()
    return written
  }

  /** A message with a link of its own. */
  async #draft(
    flowId: string,
    { outlet, request, code }: WfOutletMessage,
  ): Promise<DraftedMessage> {
    const id = newMessageId()
    const link = { key: await this.#keys.current(), flowId, id }
    const content = { link, request: isRecord(request) ? request : {}, code }
    const handle = (await this.#keys.handleOf(link)) ?? ''
    const message = await this.#close(id, outlet, content)
    return { messageId: id, handle, at: pause => ({ ...message, pause }) }
  }

  /** The last message of the pause at which a run waits, whatever has become of it. */
  async lastOf({
    flowId,
    state,
  }: Pick<WfStoredRun, 'flowId' | 'state'>): Promise<WfRunMessage | undefined> {
    const { pause } = noteOf(state)
    return (await this.outbox.of(flowId)).findLast(message => message.pause === pause)
  }

  /** A message as a former one was, but for what is given. Its seal keeps what nothing else does. */
  async again(
    former: WfRunMessage | undefined,
    { outlet, request, code }: WfOutletMessage,
  ): Promise<WfOutletMessage> {
    const said = former?.outlet === outlet ? (await this.read(former))?.request : undefined
    const given = isRecord(request) ? request : {}
    return { outlet, request: { ...said, ...given }, code }
  }

  /** A message with an id of its own, by the link of another one. */
  async another(
    { outlet, pause }: Pick<WfRunMessage, 'outlet' | 'pause'>,
    content: MessageContent,
  ): Promise<WfNewRunMessage> {
    return { ...(await this.#close(newMessageId(), outlet, content)), pause }
  }

  /** What a message says; `undefined` if none of our secrets opens it. */
  async read({ messageId, content }: WfRunMessage): Promise<MessageContent | undefined> {
    const opened = await this.#seal.openMessage(messageId, content)
    return isMessageContent(opened) ? opened : undefined
  }

  /** The handle of a message's link, the same as ever. */
  handleOf(link: LinkOrigin): Promise<string | undefined> {
    return this.#keys.handleOf(link)
  }

  /** Says that a message was written: whoever sends messages in this process need not wait for the next look. */
  tell(): void {
    this.#due.tell()
  }

  async #close(messageId: string, outlet: string, content: MessageContent) {
    const recipient = addressOf(content.request)
    const sealed = await this.#seal.closeMessage(messageId, content)
    return { messageId, outlet, recipient, content: sealed }
  }
}

/** As the Standard Webhooks specification has ids; fit for a mail too. */
const newMessageId = () => `msg_${crypto.randomUUID()}`
