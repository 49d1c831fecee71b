import type {
  Clock,
  WfMessageStatus,
  WfPutOffMessage,
  WfRunChange,
  WfRunMessage,
  WfRunOutbox,
} from '../../state'
import { wholeTime } from '../rows/expiry'
import type { PlannedChange } from './plan-change'

/** Messages in this process. */
export class RunOutboxMemory implements WfRunOutbox {
  readonly #messages = new Map<string, WfRunMessage>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What a commit of a run says of messages. */
  write(
    { run: { flowId, updatedAt: queuedAt }, messages }: PlannedChange,
    { sendAgain = [] }: Pick<WfRunChange, 'sendAgain'>,
  ): void {
    const dueAt = this.#clock.now()
    for (const message of messages) this.#put({ ...message, dueAt })
    for (const messageId of sendAgain) {
      const former = this.#messages.get(messageId)
      const free = { status: 'waiting', attempts: 0, settledAt: undefined } as const
      if (former?.flowId === flowId)
        this.#put({ ...former, ...free, lastError: undefined, queuedAt, dueAt })
    }
  }

  removeOf(flowIds: ReadonlySet<string>): void {
    for (const [id, { flowId }] of this.#messages) {
      if (flowIds.has(flowId)) this.#messages.delete(id)
    }
  }

  async due(limit: number): Promise<readonly WfRunMessage[]> {
    return [...this.#messages.values()]
      .filter(message => this.#isDue(message))
      .toSorted((one, other) => one.dueAt! - other.dueAt!)
      .slice(0, limit)
  }

  async nextDue(withinMs: number): Promise<number | undefined> {
    const until = this.#clock.now() + withinMs
    const moments = [...this.#messages.values()].map(({ dueAt = Infinity }) => dueAt)
    const next = Math.min(...moments)
    return next <= until ? next : undefined
  }

  async find(messageId: string): Promise<WfRunMessage | null> {
    return this.#messages.get(messageId) ?? null
  }

  async of(flowId: string): Promise<readonly WfRunMessage[]> {
    return [...this.#messages.values()]
      .filter(message => message.flowId === flowId)
      .toSorted((one, other) => one.pause - other.pause || one.createdAt - other.createdAt)
  }

  async claim(seen: WfRunMessage, ms: number): Promise<WfRunMessage | null> {
    const message = this.#waiting(seen)
    if (!message || !this.#isDue(message)) return null
    const { claimSeq, attempts } = message
    const taken = { ...message, claimSeq: claimSeq + 1, attempts: attempts + 1 }
    this.#put({ ...taken, dueAt: this.#clock.now() + ms })
    return taken
  }

  async settle(
    seen: WfRunMessage,
    status: Exclude<WfMessageStatus, 'waiting'>,
    lastError?: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const present = this.#messages.get(seen.messageId)
    const isOpen = present?.status === 'waiting' || present?.status === 'undelivered'
    const message = status === 'sent' && isOpen ? present : this.#waiting(seen)
    if (!message) return false
    const settledAt = wholeTime(this.#clock)
    this.#put({ ...message, status, settledAt, lastError, dueAt: undefined })
    return true
  }

  async putOff(
    seen: WfRunMessage,
    ms: number,
    { lastError, isUncounted }: WfPutOffMessage = {},
  ): Promise<boolean> {
    const message = this.#waiting(seen)
    if (!message) return false
    const attempts = message.attempts - (isUncounted ? 1 : 0)
    this.#put({ ...message, attempts, lastError, dueAt: this.#clock.now() + ms })
    return true
  }

  /** The message, if nobody has taken it since. */
  #waiting({ messageId, claimSeq }: WfRunMessage): WfRunMessage | undefined {
    const message = this.#messages.get(messageId)
    return message?.status === 'waiting' && message.claimSeq === claimSeq ? message : undefined
  }

  #isDue({ dueAt = Infinity }: WfRunMessage): boolean {
    return dueAt <= this.#clock.now()
  }

  #put(message: WfRunMessage): void {
    this.#messages.set(message.messageId, message)
  }
}
