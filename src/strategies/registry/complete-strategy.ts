import {
  isRefusal,
  type WfClaim,
  type WfClaimOptions,
  type WfPeek,
  type WfRefusal,
  type WfState,
  type WfStateStrategy,
} from '../../state'
import { DefaultClaim } from '../claim/default-claim'

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

/** What a strategy has of the contract, and the rest on `persist`, `retrieve` and `consume`. */
class DefaultClaims implements CompleteStrategy {
  readonly #own: WfStateStrategy
  readonly guarantees
  readonly fits
  readonly persist
  readonly retrieve
  readonly consume

  constructor(strategy: WfStateStrategy) {
    this.#own = strategy
    this.guarantees = strategy.guarantees
    this.fits = strategy.fits?.bind(strategy)
    this.persist = strategy.persist.bind(strategy)
    this.retrieve = strategy.retrieve.bind(strategy)
    this.consume = strategy.consume.bind(strategy)
  }

  async peek(token: string): Promise<WfPeek | WfRefusal> {
    if (this.#own.peek) return this.#own.peek(token)
    const state = await this.retrieve(token)
    return state ? { state } : { refusal: 'gone' }
  }

  async begin(state: WfState, options: { runKey?: string }): Promise<WfClaim> {
    return this.#own.begin ? this.#own.begin(state, options) : new DefaultClaim(this, state)
  }

  async claim(token: string, options: WfClaimOptions): Promise<WfClaim | WfRefusal> {
    if (this.#own.claim) return this.#own.claim(token, options)
    const { admit } = options
    const peek = await this.peek(token)
    const refusal = isRefusal(peek) ? peek : admit(peek)
    if (refusal) return refusal
    const state = await this.consume(token)
    return state ? new DefaultClaim(this, state, token) : { refusal: 'used' }
  }
}
