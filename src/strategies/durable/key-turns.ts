/** One after another for each key, in this process: what others do is for the database to decide. */
export class KeyTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Does it when those before have done theirs, whatever came of it. */
  take<R>(key: string, work: () => Promise<R>): Promise<R> {
    const former = this.#last.get(key)
    const turn = former ? former.then(work, work) : work()
    this.#last.set(key, turn)
    const end = () => {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
    turn.then(end, end)
    return turn
  }
}
