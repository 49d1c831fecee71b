/** Where the time comes from. Injected everywhere, so that tests never sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() }
