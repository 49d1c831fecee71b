import type { WfPause } from '../state'
import { type CodeNote, findCode, putCode, replaceCode } from './code-note'
import { codeSpellings, newCode } from './link-code'
import { redactTokens } from './redact-tokens'
import type { RunConfig } from './run-config'

/** The code of a message that goes out again: another one takes the place of the former, if there was one. */
export class NextCode {
  readonly #ledger: RunConfig['ledger']
  readonly #watch: string
  readonly #former: CodeNote | undefined
  readonly #until: number
  /** What is sent. */
  readonly text: string | undefined
  #isTaken = false

  private constructor(
    ledger: RunConfig['ledger'],
    watch: string,
    former: CodeNote | undefined,
    until: number,
  ) {
    this.#ledger = ledger
    this.#watch = watch
    this.#former = former
    this.#until = until
    this.text = former && newCode()
  }

  /** @param until when it is forgotten */
  static async of(
    { ledger }: Pick<RunConfig, 'ledger'>,
    { watch = '' }: WfPause,
    until: number,
  ): Promise<NextCode> {
    const former = ledger && watch !== '' ? await findCode(ledger, watch) : undefined
    return new NextCode(ledger, watch, former, until)
  }

  /** From now on it stands for this link. */
  async take(token: string): Promise<void> {
    if (!this.#ledger || !this.#former) return
    this.#isTaken = true
    const next = { code: this.text!, token }
    await replaceCode(this.#ledger, this.#watch, this.#former, next, this.#until)
  }

  /** It was sent: the former one is dead. */
  keep(): void {
    this.#isTaken = false
  }

  /** The former link lives on, and so does its code. */
  async undo(): Promise<void> {
    if (this.#isTaken) await putCode(this.#ledger!, this.#watch, this.#former!, this.#until)
  }

  /** What may be logged of an error of the outlet. */
  redact(error: unknown, token: string): unknown {
    return redactTokens(error, [token, ...codeSpellings(this.text)])
  }
}
