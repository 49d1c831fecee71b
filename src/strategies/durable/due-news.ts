import type { WfRunChange } from '../../state'

/** Told that something becomes due in so many milliseconds. */
type Listener = (inMs: number) => void

/** Tells the workers of this process of what becomes due by what it commits, so that they need not find it. */
export class DueNews {
  readonly #listeners = new Set<Listener>()

  /** @returns what takes it back */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(inMs = 0): void {
    for (const listener of this.#listeners) listener(inMs)
  }

  /** Tells of what was committed, if somebody has to look at it soon. */
  tellOf({ isDue, dueInMs }: Pick<WfRunChange, 'isDue' | 'dueInMs'>): void {
    if (isDue || dueInMs !== undefined) this.tell(dueInMs)
  }
}
