/** A snapshot that is replaced on each change, and those who want to know. */
export interface Snapshots<S> {
  get(): S
  /** Returns the new snapshot: the base, which is the present one by default, with the change. */
  set(change: Partial<S>, base?: S): S
  subscribe(listener: (snapshot: S) => void): () => void
}

export const createSnapshots = <S extends object>(snapshot: S): Snapshots<S> => {
  const listeners = new Set<() => void>()
  return {
    get: () => snapshot,
    set(change, base = snapshot) {
      snapshot = { ...base, ...change }
      listeners.forEach(tell => tell())
      return snapshot
    },
    subscribe(listener) {
      // Looks the snapshot up when it is told: a listener before it may have changed it once more.
      const tell = () => {
        try {
          listener(snapshot)
        } catch (error) {
          console.error(error)
        }
      }
      listeners.add(tell)
      tell()
      return () => listeners.delete(tell)
    },
  }
}
