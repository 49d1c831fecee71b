import { StepRetriableError } from '@prostojs/wf'
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
  const isEndless = (pause: unknown) => isPause(pause) && (pause as Pause).expires === undefined
  const expires = () => clock.now() + ttlMs
  return async (): Promise<unknown> => {
    try {
      const output = await handle()
      if (output instanceof StepRetriableError) throw output
      return isEndless(output) ? { ...(output as Pause), expires: expires() } : output
    } catch (error) {
      // Inherits from the error, so that it is still one, of the same class and with the same stack.
      throw isEndless(error)
        ? Object.create(error as object, { expires: { value: expires(), enumerable: true } })
        : error
    }
  }
}
