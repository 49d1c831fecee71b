import type { WfRunMessage, WfRunOutbox } from '../../../state'
import type { ResolvedDurableOptions } from '../durable-options'
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

  /** @see resendMessage */
  resend(messageId: string, how: ResendMessageOptions): Promise<ResentMessage | null> {
    return resendMessage(this.#options, messageId, how)
  }

  /** @see reassignSeat */
  reassign(flowId: string, how: ReassignSeatOptions): Promise<ResentMessage | null> {
    return reassignSeat(this.#options, flowId, how)
  }
}
