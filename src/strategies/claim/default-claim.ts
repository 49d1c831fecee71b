import {
  flowMetaOf,
  systemClock,
  type WfClaim,
  type WfPauseOptions,
  type WfState,
  type WfStateStrategy,
} from '../../state'
import { deliverOrUndo } from './deliver-or-undo'

/** A claim on what `consume` gave away. */
export class DefaultClaim implements WfClaim {
  /** As it was taken: a run changes `state`. */
  readonly #original: string
  readonly #strategy: WfStateStrategy
  readonly #token: string | undefined

  constructor(
    strategy: WfStateStrategy,
    readonly state: WfState,
    token?: string,
  ) {
    this.#strategy = strategy
    this.#token = token
    this.#original = JSON.stringify(state)
  }

  pause<T>(
    next: WfState,
    { ttl = Infinity, atMost = Infinity }: WfPauseOptions,
    deliver: (raw: string, expiresAt?: number) => Promise<T>,
  ): Promise<T> {
    const lifetime = Math.min(ttl, atMost)
    const isEndless = lifetime === Infinity
    const expiresAt = isEndless ? undefined : systemClock.now() + lifetime
    return deliverOrUndo({
      write: () => this.#strategy.persist(next, isEndless ? {} : { ttl: lifetime }),
      deliver: raw => deliver(raw, expiresAt),
      kill: async raw => (await this.#strategy.consume(raw)) !== null,
      restore: () => this.release(),
    })
  }

  async finish(): Promise<void> {}

  async fail(): Promise<void> {
    await this.release()
  }

  // The hint is how the public contract says "under the same token". A strategy whose token is the
  // state has nothing to put back, and ignores it.
  async release(): Promise<void> {
    if (this.#token === undefined) return
    const original = JSON.parse(this.#original) as WfState
    const expiresAt = flowMetaOf(original)?.expiresAt
    const ttl = expiresAt === undefined ? undefined : expiresAt - systemClock.now()
    await this.#strategy.persist(original, { ttl }, { handle: this.#token })
  }
}
