import { WfError } from '../../errors'
import type { Awaitable } from '../../state'

interface Waiting {
  start(): void
  fail(error: Error): void
}

/**
 * Lets the users of one connection take turns. Whoever waits for a transaction that does not end is
 * told so; most often it is that transaction itself which waits.
 */
export class Turns {
  readonly #waiting: Waiting[] = []
  #taken = false
  #watch: NodeJS.Timeout | undefined

  constructor(private readonly timeoutMs: number) {}

  take(): Awaitable<void> {
    if (this.#taken) return new Promise((start, fail) => this.#waiting.push({ start, fail }))
    this.#taken = true
  }

  pass(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
    const next = this.#waiting.shift()
    if (next) next.start()
    else this.#taken = false
  }

  /** From now on, those who wait are told after `timeoutMs`. */
  watch(): void {
    this.#watch = setInterval(() => this.#giveUp(), this.timeoutMs)
  }

  #giveUp(): void {
    for (const { fail } of this.#waiting.splice(0)) {
      fail(
        new WfError(
          'WF_DB_UNAVAILABLE',
          'A transaction has held the SQLite database for too long. Within transaction(work), use the tables that work is given.',
        ),
      )
    }
  }
}
