/** Work that nobody waits for: so much of it at once, and so much that is to come. */
export class JobQueue {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  /** Those whose turn cannot come yet. */
  #held = 0
  readonly #open = new Set<Promise<void>>()
  #running = 0

  constructor({ atOnce, mostWaiting }: { readonly atOnce: number; readonly mostWaiting: number }) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /**
   * Does it when its turn comes, in the asynchronous context of whoever has added it: a store may ask
   * there whose rows it is about.
   *
   * @param job never rejects
   * @param ready what it waits for first, and never rejects: whoever can hold that up holds up no other
   * @returns its end; `undefined` if there is no room for it
   */
  add(job: () => Promise<void>, ready?: Promise<void>): Promise<void> | undefined {
    if (this.#held + this.#waiting.length >= this.#mostWaiting) return undefined
    const turn = ready ? this.#turnAfter(ready) : this.#turn()
    // `then` keeps the context in which it is called, whoever ends what is before.
    const done = turn.then(job).then(() => this.#next(-1))
    this.#open.add(done)
    void done.then(() => this.#open.delete(done))
    return done
  }

  /** When all is done that was added until now. */
  async idle(): Promise<void> {
    await Promise.all(this.#open)
  }

  #turnAfter(ready: Promise<void>): Promise<void> {
    this.#held++
    return ready.then(() => {
      this.#held--
      return this.#turn()
    })
  }

  #turn(): Promise<void> {
    const turn = new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#next(0)
    return turn
  }

  #next(ended: 0 | -1): void {
    this.#running += ended
    if (this.#running >= this.#atOnce) return
    const start = this.#waiting.shift()
    if (!start) return
    this.#running++
    start()
  }
}
