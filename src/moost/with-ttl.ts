import type { Clock } from '../state'
import { isPause } from './engine/run-step'

interface Pause {
  readonly expires?: number
}

/**
 * Gives the pauses of a step, returned or thrown, an expiry unless the step has set one. Makes new
 * objects: a step may return the same constant every time.
 */
export function withTtl(handle: () => unknown, ttlMs: number, clock: Clock) {
  const limited = (output: unknown): unknown => {
    if (!isPause(output) || (output as Pause).expires !== undefined) return output
    // Inherits from the pause: still of its class, with whatever it computes.
    const expires = { value: clock.now() + ttlMs, enumerable: true }
    return Object.create(output as object, { expires })
  }
  return async (): Promise<unknown> => {
    try {
      return limited(await handle())
    } catch (error) {
      throw limited(error)
    }
  }
}
