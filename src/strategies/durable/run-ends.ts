import type { WfStoredRun } from '../../state'

/** Told of an end, and of the run as it has ended where that is known for sure. */
type Listener = (run?: WfStoredRun) => void

/** Tells those who wait for the end of a run, where it ends in this process. */
export class RunEnds {
  readonly #waiting = new Map<string, Set<Listener>>()
  readonly #going = new Set<string>()

  /** A run that has begun goes on here. @returns what says that it does no more */
  expect(flowId: string): () => void {
    this.#going.add(flowId)
    return () => void this.#going.delete(flowId)
  }

  /** Whether a run goes on here that has not ended as far as this process knows. */
  expects(flowId: string): boolean {
    return this.#going.has(flowId)
  }

  /** @returns what takes it back */
  listen(flowId: string, listener: Listener): () => void {
    const listeners = this.#waiting.get(flowId) ?? new Set()
    this.#waiting.set(flowId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#waiting.delete(flowId)
    }
  }

  tell(flowId: string, run?: WfStoredRun): void {
    this.#going.delete(flowId)
    for (const listener of this.#waiting.get(flowId) ?? []) listener(run)
  }
}
