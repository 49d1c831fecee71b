import { unref } from '../../state'

interface Waiting {
  readonly since: number
  giveUp(): void
}

/** Those who wait for something, and are told when that has been too long. One timer serves all. */
export class WaitingList {
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly timeoutMs: number) {}

  enter(giveUp: () => void): Waiting {
    const waiting = { since: performance.now(), giveUp }
    this.#waiting.add(waiting)
    this.#timer ??= unref(setInterval(() => this.#check(), this.timeoutMs / 10))
    return waiting
  }

  /** `false` if it was too late. */
  leave(waiting: Waiting): boolean {
    return this.#waiting.delete(waiting)
  }

  #check(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    const latest = performance.now() - this.timeoutMs
    for (const waiting of this.#waiting) {
      // They come in order.
      if (waiting.since > latest) return
      this.#waiting.delete(waiting)
      waiting.giveUp()
    }
  }
}
