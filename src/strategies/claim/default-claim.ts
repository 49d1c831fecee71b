import {
  type Awaitable,
  type Clock,
  type WfClaim,
  type WfDeliver,
  type WfPaused,
  type WfPauseOptions,
  type WfState,
  type WfStateStrategy,
} from '../../state'
import { deliverOrUndo } from './deliver-or-undo'
import { readExpiry, withExpiry } from './expiry-note'

/** A claim on what `consume` gave away. */
export class DefaultClaim implements WfClaim {
  readonly state: WfState
  readonly expiresAt?: number | undefined
  /** As it was taken: a run changes `state`. */
  readonly #original: string
  readonly #strategy: WfStateStrategy
  readonly #clock: Clock
  readonly #token: string | undefined

  constructor(strategy: WfStateStrategy, clock: Clock, taken: WfState, token?: string) {
    const { state, expiresAt } = readExpiry(taken)
    this.state = state
    this.expiresAt = expiresAt
    this.#strategy = strategy
    this.#clock = clock
    this.#token = token
    this.#original = JSON.stringify(state)
  }

  pause<T>(
    next: WfState,
    { ttl = Infinity, atMost = Infinity }: WfPauseOptions,
    deliver: WfDeliver<T>,
  ): Awaitable<WfPaused<T>> {
    const lifetime = Math.min(ttl, atMost)
    const expiresAt = lifetime === Infinity ? undefined : this.#clock.now() + lifetime
    return deliverOrUndo({
      write: () => this.#persist(next, expiresAt),
      deliver: raw => deliver(raw, expiresAt),
      kill: async raw => (await this.#strategy.consume(raw)) !== null,
      restore: () => this.release(),
    })
  }

  finish(): void {}

  handOver(): void {}

  fail(): Promise<void> {
    return this.release()
  }

  // The hint is how the public contract says "under the same token". A strategy whose token is the
  // state has nothing to put back, and ignores it.
  async release(): Promise<void> {
    if (this.#token === undefined) return
    await this.#persist(JSON.parse(this.#original) as WfState, this.expiresAt, this.#token)
  }

  #persist(state: WfState, expiresAt: number | undefined, handle?: string): Promise<string> {
    const ttl = expiresAt === undefined ? undefined : expiresAt - this.#clock.now()
    const hint = handle === undefined ? undefined : { handle }
    return this.#strategy.persist(
      withExpiry(state, expiresAt),
      ttl === undefined ? {} : { ttl },
      hint,
    )
  }
}
