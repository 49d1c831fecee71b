import {
  formatToken,
  notesOf,
  noteWatch,
  recipientAt,
  watchUntil,
  type WfLedger,
  type WfOutletMessage,
  type WfPeek,
  type WfRecipient,
} from '../state'
import { type CodeNote, findCode, putCode, replaceCode } from './code-note'
import { type FreshNote, noteFresh } from './fresh-note'
import { codeSpellings, newCode } from './link-code'
import { redactTokens } from './redact-tokens'
import type { RunConfig } from './run-config'

type Delivering = Pick<RunConfig, 'outlets' | 'clock' | 'tombstoneTtl'>

/** A link that takes the place of a dead one, on its way to the same person. */
export class RenewedLink {
  readonly #config: Delivering
  readonly #ledger: WfLedger
  readonly #note: FreshNote
  readonly #next: WfPeek
  readonly #former: CodeNote | undefined
  readonly #code: string | undefined

  private constructor(
    config: Delivering,
    ledger: WfLedger,
    note: FreshNote,
    next: WfPeek,
    former: CodeNote | undefined,
  ) {
    this.#config = config
    this.#ledger = ledger
    this.#note = note
    this.#next = next
    this.#former = former
    this.#code = former && newCode()
  }

  /** @param next the pause that will wait by it */
  static async of(
    config: Delivering,
    ledger: WfLedger,
    note: FreshNote,
    next: WfPeek,
  ): Promise<RenewedLink> {
    const { watch } = notesOf(next.state)?.pause ?? {}
    const former = watch === undefined ? undefined : await findCode(ledger, watch)
    return new RenewedLink(config, ledger, note, next, former)
  }

  /** What was sent before, to the address that the flow has, with a code if there was one. */
  get message(): WfOutletMessage {
    const recipient = this.#recipient
    return { outlet: recipient.outlet, request: { ...recipient }, code: this.#code }
  }

  /** Before it is sent later. */
  async prepare(raw: string, expiresAt: number | undefined): Promise<void> {
    await this.#takeCode(raw, expiresAt)
    await this.#tell(raw, expiresAt)
  }

  async deliver(raw: string, expiresAt: number | undefined): Promise<void> {
    await this.#takeCode(raw, expiresAt)
    const recipient = this.#recipient
    const { outlets } = this.#config
    const token = this.#tokenOf(raw)
    const code = this.#code
    try {
      await outlets.get(recipient.outlet)!.deliver({ ...recipient }, token, code ? { code } : {})
    } catch (error) {
      throw redactTokens(error, [token, ...codeSpellings(code)])
    }
    await this.#tell(raw, expiresAt)
  }

  get #recipient(): WfRecipient {
    return recipientAt(notesOf(this.#next.state)!.pause, this.#note.seat)!
  }

  /** The former link lives again, and so does its code. */
  async undo(): Promise<void> {
    const { watch } = notesOf(this.#next.state)!.pause!
    const until = this.#until(this.#next.expiresAt)
    if (this.#former) await putCode(this.#ledger, watch!, this.#former, until)
  }

  async #takeCode(raw: string, expiresAt: number | undefined): Promise<void> {
    if (!this.#former) return
    const { watch } = notesOf(this.#next.state)!.pause!
    const next = { code: this.#code!, token: this.#tokenOf(raw) }
    await replaceCode(this.#ledger, watch!, this.#former, next, this.#until(expiresAt))
  }

  /** Those who may ask for another one some day, and those who watch what becomes of it. */
  async #tell(raw: string, expiresAt: number | undefined): Promise<void> {
    const until = this.#until(expiresAt)
    await noteFresh(this.#ledger, this.#tokenOf(raw), this.#note, until)
    const { watch } = notesOf(this.#next.state)!.pause!
    if (watch !== undefined) {
      await noteWatch(this.#ledger, watch, { ...this.#note, expiresAt }, until)
    }
  }

  #tokenOf(raw: string): string {
    return formatToken({ name: this.#note.strategy, raw })
  }

  #until(expiresAt: number | undefined): number {
    const { clock, tombstoneTtl } = this.#config
    return watchUntil(expiresAt, clock.now(), tombstoneTtl)
  }
}
