/** Told when something becomes due: milliseconds since the epoch; left out, now. */
type Listener = (at?: number) => void

/** Tells the workers of this process of what becomes due by what it commits, so that they need not find it. */
export class DueNews {
  readonly #listeners = new Set<Listener>()

  /** @returns what takes it back */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(at?: number): void {
    for (const listener of this.#listeners) listener(at)
  }

  /** Tells of what was committed, if somebody has to look at it. */
  tellOf({
    isDue,
    dueAt,
  }: {
    readonly isDue?: boolean | undefined
    readonly dueAt?: number | undefined
  }): void {
    if (isDue || dueAt !== undefined) this.tell(isDue ? undefined : dueAt)
  }
}
