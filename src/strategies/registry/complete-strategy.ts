import {
  isRefusal,
  type WfClaim,
  type WfClaimOptions,
  type WfPauseOptions,
  type WfPeek,
  type WfRefusal,
  type WfState,
  type WfStateStrategy,
} from '../../state'

/** A strategy with every method of the contract. */
export type CompleteStrategy = WfStateStrategy &
  Required<Pick<WfStateStrategy, 'peek' | 'begin' | 'claim'>>

const completed = new WeakMap<WfStateStrategy, CompleteStrategy>()

/** Gives a strategy that has only the public three methods the rest of the contract. */
export function completeStrategy(strategy: WfStateStrategy): CompleteStrategy {
  const known = completed.get(strategy)
  if (known) return known
  const complete = isComplete(strategy) ? strategy : new DefaultClaims(strategy)
  completed.set(strategy, complete)
  return complete
}

function isComplete(strategy: WfStateStrategy): strategy is CompleteStrategy {
  return Boolean(strategy.peek && strategy.begin && strategy.claim)
}

/** Claims on `persist`, `retrieve` and `consume` alone. */
class DefaultClaims implements CompleteStrategy {
  readonly guarantees
  readonly persist
  readonly retrieve
  readonly consume

  constructor(strategy: WfStateStrategy) {
    this.guarantees = strategy.guarantees
    this.persist = strategy.persist.bind(strategy)
    this.retrieve = strategy.retrieve.bind(strategy)
    this.consume = strategy.consume.bind(strategy)
  }

  async peek(token: string): Promise<WfPeek | WfRefusal> {
    const state = await this.retrieve(token)
    return state ? { state } : { refusal: 'gone' }
  }

  async begin(state: WfState): Promise<WfClaim> {
    return new DefaultClaim(this, state)
  }

  async claim(token: string, { admit }: WfClaimOptions): Promise<WfClaim | WfRefusal> {
    const peek = await this.peek(token)
    const refusal = isRefusal(peek) ? peek : admit(peek)
    if (refusal) return refusal
    const state = await this.consume(token)
    return state ? new DefaultClaim(this, state, token) : { refusal: 'used' }
  }
}

class DefaultClaim implements WfClaim {
  /** As it was taken: a run changes `state`. */
  readonly #original: string

  constructor(
    readonly strategy: WfStateStrategy,
    readonly state: WfState,
    readonly token?: string,
  ) {
    this.#original = JSON.stringify(state)
  }

  async pause<T>(
    next: WfState,
    { ttl }: WfPauseOptions,
    deliver: (raw: string, expiresAt?: number) => Promise<T>,
  ): Promise<T> {
    let raw: string | undefined
    try {
      raw = await this.strategy.persist(next, { ttl })
      return await deliver(raw)
    } catch (error) {
      if (raw !== undefined) await this.strategy.consume(raw).catch(() => null)
      await this.release()
      throw error
    }
  }

  async finish(): Promise<void> {}

  async fail(): Promise<void> {
    await this.release()
  }

  // The hint is how the public contract says "under the same token". A strategy whose token is the
  // state has nothing to put back, and ignores it.
  async release(): Promise<void> {
    if (this.token === undefined) return
    const original = JSON.parse(this.#original) as WfState
    await this.strategy.persist(original, {}, { handle: this.token })
  }
}
