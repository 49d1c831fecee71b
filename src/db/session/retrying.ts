/** Enough for 30 transactions that contend for the same rows in opposite order. */
const ATTEMPTS = 30
const LONGEST_PAUSE_MS = 200

/** Runs an operation again while it fails in a way that repeating mends. Pauses grow, with jitter. */
export async function retrying<R>(
  operation: () => Promise<R>,
  isWorthIt: (error: unknown) => boolean,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation()
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthIt(error)) throw error
      await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** attempt))
    }
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
