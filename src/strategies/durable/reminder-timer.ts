import { WfError } from '../../errors'
import {
  changeableCopy,
  notesOf,
  sha256,
  type WfHeldRun,
  type WfReminderTimer,
  type WfReminding,
  type WfRunChange,
  type WfRunMessage,
  type WfSeatMessage,
  type WfState,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { lostRun } from './lost-run'
import { addressOf } from './message-address'
import type { MessageQueue } from './outbox/message-queue'
import { outboxNeeded } from './outbox/outbox-needed'
import { noteOf, type RunNote, withoutRunNote, withRunNote } from './run-note'
import { dueAtOf, nextReminder, type TimerNote } from './timer-note'

const LATER_MS = 60_000
const FAILED = 'WF_OUTLET_FAILED'

/** A run whose pause is to be announced once more. */
export class ReminderTimer implements WfReminderTimer {
  readonly timer = 'reminder'
  readonly state: WfState
  readonly reminder: number
  readonly ttlMs: number | undefined
  readonly heartbeatMs: number
  readonly #options: ResolvedDurableOptions
  readonly #actor: string | undefined
  readonly #timer: TimerNote
  #held: WfHeldRun

  /** @param isAgain the last reminder may not have gone out */
  constructor(
    options: ResolvedDurableOptions,
    held: WfHeldRun,
    actor: string | undefined,
    isAgain: boolean,
  ) {
    this.#options = options
    this.#held = held
    this.#actor = actor
    this.#timer = noteOf(held.run.state).timer!
    this.state = withoutRunNote(changeableCopy(held.run.state))
    this.reminder = isAgain ? this.#timer.reminders : this.#timer.reminders + 1
    this.ttlMs = this.#timer.ttlMs
    this.heartbeatMs = Math.ceil(options.leaseMs / 3)
  }

  async heartbeat(): Promise<void> {
    const { runs, leaseMs } = this.#options
    await runs.renew(this.#held, leaseMs)
  }

  remind(expiresAt: number | undefined, sending: WfReminding): Promise<void> {
    const { queue } = this.#options
    return queue ? this.#queue(queue, expiresAt, sending) : this.#deliver(expiresAt, sending)
  }

  /** In one commit. Whoever was not told yet need not be reminded. */
  async remindEach(expiresAt: number | undefined, each: readonly WfSeatMessage[]): Promise<void> {
    const { queue } = this.#options
    if (!queue) throw outboxNeeded()
    const { reminder } = this
    const { run } = this.#held
    const { seats = {} } = noteOf(run.state)
    const told = await queue.outbox.of(run.flowId)
    const messages: WfSeatMessage[] = []
    for (const one of each) {
      const to = addressOf(one.message.request)
      const isTheirs = ({ pause, recipient }: WfRunMessage) =>
        pause === seats[one.seat] && recipient === to
      const former = told.findLast(isTheirs)
      if (former?.status === 'waiting') continue
      messages.push({ ...one, message: await queue.again(former, one.message) })
    }
    if (messages.length === 0) {
      await this.#commit('reminder_failed', { reminder, code: FAILED }, this.#after(reminder - 1))
      return
    }
    await queue.announceEach({
      flowId: run.flowId,
      messages,
      expiresAt,
      write: async drafts => {
        const links = await Promise.all(
          messages.map(async ({ seat, message }, index) => ({
            hash: await sha256(drafts[index]!.handle),
            pause: seats[seat] ?? 0,
            audience: 'out-of-band' as const,
            recipient: addressOf(message.request),
            seat,
            expiresAt,
          })),
        )
        const more = {
          links,
          messages: drafts.map((drafted, index) => drafted.at(links[index]!.pause)),
        }
        const asked = links.map(({ seat, recipient }) => ({ seat, to: recipient }))
        await this.#commit('reminded', { reminder, asked }, this.#after(reminder), more)
      },
    })
  }

  // One commit, which lets go of the run. From then on it is a message like any other.
  async #queue(
    queue: MessageQueue,
    expiresAt: number | undefined,
    { message, prepare }: WfReminding,
  ): Promise<void> {
    const { reminder } = this
    const { run } = this.#held
    const former = await queue.lastOf(run)
    // Whoever was not told yet need not be reminded: when the mail is back, they would get all of it at once.
    if (former?.status === 'waiting') {
      await this.#commit('reminder_failed', { reminder, code: FAILED }, this.#after(reminder - 1))
      return
    }
    await queue.announce({
      flowId: run.flowId,
      message: await queue.again(former, message),
      expiresAt,
      prepare,
      write: async ({ handle, messageId, at }) => {
        const link = await this.#linkOf(handle, expiresAt)
        const more = { links: [link], messages: [at(link.pause)] }
        await this.#commit('reminded', { reminder, messageId }, this.#after(reminder), more)
      },
    })
  }

  // The link is there before the message leaves, as with every pause. Who dies between the two is found by
  // the number of the claim, and the message goes out again.
  async #deliver(expiresAt: number | undefined, { deliver }: WfReminding): Promise<void> {
    const { generateHandle, leaseMs, runs } = this.#options
    const { reminder } = this
    const { run, owner = '' } = this.#held
    const handle = generateHandle()
    const sent = { ...this.#after(reminder), sentBy: run.claimSeq }
    const written = await this.#commit('reminded', { reminder }, sent, {
      links: [await this.#linkOf(handle, expiresAt)],
      lease: { owner, ms: leaseMs },
    })
    try {
      await deliver(handle)
    } catch (error) {
      const code = error instanceof WfError ? error.code : FAILED
      const later = { remindAt: runs.clock.now() + LATER_MS, reminders: reminder - 1 }
      await this.#commit('reminder_failed', { reminder, code }, later)
      throw error
    }
    const dueAt = dueAtOf(noteOf(written.run.state))
    await runs.release({ ...written, run: { ...written.run, dueAt } })
  }

  async release(): Promise<void> {
    await this.#options.runs.release(this.#held)
  }

  /** When the next one is due, behind so many. */
  #after(reminders: number): Partial<TimerNote> {
    return { remindAt: nextReminder(this.#timer, this.#options.runs.clock.now()), reminders }
  }

  async #linkOf(handle: string, expiresAt: number | undefined) {
    const { target: recipient } = notesOf(this.state)?.pause?.recipient ?? {}
    const { pause = 0 } = noteOf(this.#held.run.state)
    const hash = await sha256(handle)
    return { hash, pause, audience: 'out-of-band', recipient, expiresAt } as const
  }

  async #commit(
    type: 'reminded' | 'reminder_failed',
    detail: Readonly<Record<string, unknown>>,
    change: Partial<TimerNote>,
    more: Partial<WfRunChange> = {},
  ): Promise<WfHeldRun> {
    const { runs } = this.#options
    const { stepId, state, answer } = this.#held.run
    const note: RunNote = { ...noteOf(state), timer: { ...this.#timer, ...change } }
    const written = await runs.commit(this.#held, {
      events: [{ type, stepId, detail }],
      actor: this.#actor,
      answer,
      state: withRunNote(withoutRunNote(state), note),
      dueAt: dueAtOf(note),
      ...more,
    })
    if (!written) throw await lostRun(runs, this.#held)
    this.#held = written
    return written
  }
}
