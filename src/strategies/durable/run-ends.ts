import type { WfStoredRun } from '../../state'

/** Told of an end, and of the run as it has ended where that is known for sure. */
type Listener = (run?: WfStoredRun) => void

/** Tells those who wait for the end of a run, where it ends in this process. */
export class RunEnds {
  readonly #waiting = new Map<string, Set<Listener>>()

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
    for (const listener of this.#waiting.get(flowId) ?? []) listener(run)
  }
}
