import type { Clock } from '../state'

/**
 * A clock that moves when it is told to.
 *
 * @example
 * ```ts
 * import { FakeClock } from '@atscript/moost-wf/testing'
 *
 * const clock = new FakeClock()
 * clock.advance(60_000)
 * ```
 */
export class FakeClock implements Clock {
  #now: number

  constructor(now = Date.UTC(2030, 0, 1)) {
    this.#now = now
  }

  readonly now = (): number => this.#now

  /** Moves forward, or back by a negative number. */
  readonly advance = (ms: number): void => {
    this.#now += ms
  }
}
