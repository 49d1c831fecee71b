/** How long to wait until the next look: soon at first, and later less often. */
export interface Pace {
  nextMs(): number
  /** The next one comes soon again. */
  reset(): void
}

const GROWTH = 1.5

export const createPace = (firstMs: number, longestMs: number): Pace => {
  let ms = firstMs
  return {
    nextMs() {
      // Pages that were opened together do not ask together.
      const pauseMs = ms * (0.75 + Math.random() / 2)
      ms = Math.min(ms * GROWTH, longestMs)
      return pauseMs
    },
    reset() {
      ms = firstMs
    },
  }
}
