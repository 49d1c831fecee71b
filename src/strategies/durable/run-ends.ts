/** Tells those who wait for the end of a run, where it ends in this process. */
export class RunEnds {
  readonly #waiting = new Map<string, Set<() => void>>()

  /** @returns what takes it back */
  listen(flowId: string, listener: () => void): () => void {
    const listeners = this.#waiting.get(flowId) ?? new Set()
    this.#waiting.set(flowId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#waiting.delete(flowId)
    }
  }

  tell(flowId: string): void {
    for (const listener of this.#waiting.get(flowId) ?? []) listener()
  }
}
