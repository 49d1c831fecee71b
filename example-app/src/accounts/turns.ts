import { HttpError } from '@atscript/moost-wf/http'

/** Lets a few through at once, makes some wait, and sends the rest away. */
export class Turns {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) {
    this.#atOnce = atOnce
    this.#mostWaiting = waiting
  }

  /** @throws HttpError 503 when too many wait already */
  async take(): Promise<void> {
    if (this.#taken < this.#atOnce) {
      this.#taken++
      return
    }
    if (this.#waiting.length >= this.#mostWaiting) {
      throw new HttpError(503, 'There is too much going on. Please try again in a moment.')
    }
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken--
  }
}
