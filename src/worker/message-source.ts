import { useLogger } from '@wooksjs/event-core'
import { WfError, type WfErrorCode } from '../errors'
import { deliverMessage, whyNotDeliverable } from '../run'
import { retryDelay, type WfRunMessage, type WfRunOutbox } from '../state'
import type { OpenMessage, RunMessages } from '../strategies'
import { type DueItem, type DueOutcome, type DueSource, POSTPONE_MS } from './due-source'
import type { OutboxOptions } from './outbox-options'
import type { RunsOf } from './run-keeper'
import { withinTime } from './within-time'

/** What another attempt does not mend. */
const HOPELESS: readonly WfErrorCode[] = ['WF_CONFIG', 'WF_NOT_RETRYABLE']
/** Whoever has not settled a message behind the end of an attempt is dead. */
const GRACE_MS = 10_000

/** Messages that announce pauses, until somebody has taken them. */
export class MessageSource implements DueSource {
  readonly kind = 'message'
  readonly #runs: RunsOf
  readonly #messages: RunMessages
  readonly #options: OutboxOptions

  constructor(runs: RunsOf, messages: RunMessages, options: OutboxOptions) {
    this.#runs = runs
    this.#messages = messages
    this.#options = options
  }

  async due(limit: number): Promise<readonly DueItem[]> {
    const due = await this.#outbox.due(limit)
    return due.map(({ messageId, dueAt = 0 }) => ({ id: messageId, dueAt }))
  }

  nextAt(withinMs: number): Promise<number | undefined> {
    return this.#outbox.nextDue(withinMs)
  }

  async attend(messageId: string): Promise<DueOutcome> {
    try {
      const found = await this.#outbox.find(messageId, { everywhere: true })
      const ms = this.#options.timeoutMs + GRACE_MS
      const message = found && (await this.#outbox.claim(found, ms))
      return message ? await this.#send(message) : 'taken'
    } catch (error) {
      // Nothing of the message is in an error of the store. It is tried again when its time has run out.
      useLogger().error(`Message ${messageId} could not be looked after`, error)
      return 'failed'
    }
  }

  get #outbox(): WfRunOutbox {
    return this.#messages.outbox
  }

  async #send(message: WfRunMessage): Promise<DueOutcome> {
    const opened = await this.#messages.open(message)
    if (opened.kind === 'over') {
      await this.#outbox.settle(message, 'dropped', this.#errorOf(opened.code))
      return 'done'
    }
    if (opened.kind === 'sealed') return this.#leave(message, 'WF_CONFIG')
    const { config, keeper } = this.#runs
    const { messageId, outlet } = message
    const { schemaId, handle, request, code } = opened
    const obstacle = whyNotDeliverable(config, schemaId, outlet)
    if (obstacle) return this.#leave(message, obstacle)
    const kept = { messageId, outlet, request, strategy: keeper.name, handle, code }
    // Word of its arrival may come late, and counts.
    const delivered = deliverMessage(config, kept).then(() => this.#outbox.settle(message, 'sent'))
    try {
      await withinTime(delivered, this.#options.timeoutMs)
      return 'done'
    } catch (error) {
      await this.#retry(message, opened, error)
      return 'failed'
    }
  }

  async #retry(message: WfRunMessage, { schemaId }: OpenMessage, error: unknown): Promise<void> {
    const lastError = this.#errorOf(error instanceof WfError ? error.code : 'WF_OUTLET_FAILED')
    const { messageId, attempts, outlet } = message
    const what = `Message ${messageId} of ${schemaId}, by the outlet "${outlet}"`
    const isHopeless = HOPELESS.includes(lastError.code) || attempts >= this.#options.attempts
    if (isHopeless || this.#isTooOld(message)) {
      useLogger().error(`${what}, was not delivered after ${attempts} attempts`, error)
      await this.#outbox.settle(message, 'undelivered', lastError)
      return
    }
    useLogger().warn(`${what}, was not delivered, and will be tried again`, error)
    await this.#outbox.putOff(message, this.#waitBehind(attempts), { lastError })
  }

  /** What is not for this build is kept, and named, as long as another may come. */
  async #leave(message: WfRunMessage, code: WfErrorCode): Promise<DueOutcome> {
    const lastError = this.#errorOf(code)
    if (this.#isTooOld(message)) await this.#outbox.settle(message, 'undelivered', lastError)
    else await this.#outbox.putOff(message, POSTPONE_MS, { lastError, isUncounted: true })
    useLogger().warn(`Message ${message.messageId} cannot be sent by this build: ${code}.`)
    return 'left'
  }

  /** Never all messages at the same moment. */
  #waitBehind(attempts: number): number {
    const { baseMs, maxMs } = this.#options
    return retryDelay({ backoff: 'exponential', baseMs, maxMs, jitter: 0.25 }, attempts)
  }

  #isTooOld({ queuedAt }: WfRunMessage): boolean {
    return this.#now() - queuedAt >= this.#options.maxAgeMs
  }

  #errorOf(code: WfErrorCode) {
    return { code, at: this.#now() }
  }

  #now(): number {
    return Math.floor(this.#runs.keeper.strategy.runs.clock.now())
  }
}
