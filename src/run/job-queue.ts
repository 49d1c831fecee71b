/** Work that nobody waits for: so much of it at once, and so much that is to come. */
export class JobQueue {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
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
   * @returns its end; `undefined` if there is no room for it
   */
  add(job: () => Promise<void>): Promise<void> | undefined {
    if (this.#waiting.length >= this.#mostWaiting) return undefined
    const turn = new Promise<void>(resolve => this.#waiting.push(resolve))
    // `then` keeps the context in which it is called, whoever ends what is before.
    const done = turn.then(job).then(() => this.#next(-1))
    this.#open.add(done)
    void done.then(() => this.#open.delete(done))
    this.#next(0)
    return done
  }

  /** When all is done that was added until now. */
  async idle(): Promise<void> {
    await Promise.all(this.#open)
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
