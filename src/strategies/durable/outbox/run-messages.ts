import type { WfRunMessage, WfRunOutbox } from '../../../state'
import type { ResolvedDurableOptions } from '../durable-options'
import { WfError } from '../../../errors'
import type { MessageContent } from './message-content'
import type { MessageQueue } from './message-queue'
import { type OpenedMessage, openMessage } from './open-message'
import { type ReassignSeatOptions, reassignSeat } from './reassign-seat'
import { type ResendMessageOptions, type ResentMessage, resendMessage } from './resend-message'

/** The messages of durable runs, for whoever sends them. */
export class RunMessages {
  readonly #options: ResolvedDurableOptions
  readonly #queue: MessageQueue

  constructor(options: ResolvedDurableOptions, queue: MessageQueue) {
    this.#options = options
    this.#queue = queue
  }

  get outbox(): WfRunOutbox {
    return this.#queue.outbox
  }

  /** What is to become of a message that was taken. */
  open(message: WfRunMessage): Promise<OpenedMessage> {
    return openMessage(this.#options, message)
  }

  /**
   * A message of a run, and what it says, whatever has become of it.
   *
   * @returns `null` if the run has no such message
   * @throws WfError `WF_CONFIG` if it was sealed by a secret that is gone
   */
  async read(
    flowId: string,
    messageId: string,
  ): Promise<{ readonly message: WfRunMessage; readonly content: MessageContent } | null> {
    const messages = await this.outbox.of(flowId)
    const message = messages.find(one => one.messageId === messageId)
    if (!message) return null
    const content = await this.#queue.read(message)
    if (content) return { message, content }
    throw new WfError('WF_CONFIG', 'This message was sealed by a secret that is gone.')
  }

  /** @see resendMessage */
  resend(messageId: string, how: ResendMessageOptions): Promise<ResentMessage | null> {
    return resendMessage(this.#options, messageId, how)
  }

  /** @see reassignSeat */
  reassign(flowId: string, how: ReassignSeatOptions): Promise<ResentMessage | null> {
    return reassignSeat(this.#options, flowId, how)
  }
}
