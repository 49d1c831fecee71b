import { WfError } from '../../errors'
import {
  type Awaitable,
  changeableCopy,
  notesOf,
  sha256,
  type WfHeldRun,
  type WfReminderTimer,
  type WfState,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { lostRun } from './lost-run'
import { noteOf, type RunNote, withoutRunNote, withRunNote } from './run-note'
import { dueAtOf, nextReminder, type TimerNote } from './timer-note'

const LATER_MS = 60_000

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

  // The link is there before the message leaves, as with every pause. Who dies between the two is found by
  // the number of the claim, and the message goes out again.
  async remind(
    expiresAt: number | undefined,
    deliver: (raw: string) => Awaitable<void>,
  ): Promise<void> {
    const { generateHandle, leaseMs, runs } = this.#options
    const { reminder } = this
    const { run, owner = '' } = this.#held
    const { target: recipient } = notesOf(this.state)?.pause?.recipient ?? {}
    const handle = generateHandle()
    const hash = await sha256(handle)
    const { pause = 0 } = noteOf(run.state)
    const remindAt = nextReminder(this.#timer, runs.clock.now())
    const sent = { remindAt, reminders: reminder, sentBy: run.claimSeq }
    const written = await this.#commit('reminded', { reminder }, sent, {
      links: [{ hash, pause, audience: 'out-of-band', recipient, expiresAt }],
      lease: { owner, ms: leaseMs },
    })
    try {
      await deliver(handle)
    } catch (error) {
      const code = error instanceof WfError ? error.code : 'WF_OUTLET_FAILED'
      const later = { remindAt: runs.clock.now() + LATER_MS, reminders: reminder - 1 }
      await this.#commit('reminder_failed', { reminder, code }, later, {})
      throw error
    }
    const dueAt = dueAtOf(noteOf(written.run.state))
    await runs.release({ ...written, run: { ...written.run, dueAt } })
  }

  async release(): Promise<void> {
    await this.#options.runs.release(this.#held)
  }

  async #commit(
    type: 'reminded' | 'reminder_failed',
    detail: Readonly<Record<string, unknown>>,
    change: Partial<TimerNote>,
    more: object,
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
