import { StepRetriableError } from '@prostojs/wf'
import type { Clock } from '../state'
import { isPause } from './engine/run-step'

type Pause = { expires?: number }

/** Gives the pauses of a step, returned or thrown, an expiry unless the step has set one. */
export function withTtl(handle: () => unknown, ttlMs: number, clock: Clock) {
  const expire = (pause: Pause) => {
    pause.expires ??= clock.now() + ttlMs
  }
  return async (): Promise<unknown> => {
    try {
      const output = await handle()
      if (isPause(output)) expire(output as Pause)
      return output
    } catch (error) {
      if (error instanceof StepRetriableError) expire(error)
      throw error
    }
  }
}
