import {
  type Awaitable,
  type Clock,
  isRefusal,
  type WfBeginOptions,
  type WfClaim,
  type WfClaimOptions,
  type WfGuarantees,
  type WfPeek,
  type WfRefusal,
  type WfState,
  type WfStateStrategy,
} from '../../state'
import { DefaultClaim } from '../claim/default-claim'
import { readExpiry } from '../claim/expiry-note'

/** A strategy with every method of the contract. */
export type CompleteStrategy = WfStateStrategy &
  Required<Pick<WfStateStrategy, 'peek' | 'begin' | 'claim'>>

/**
 * Gives a strategy that has only the public three methods the rest of the contract.
 *
 * @param clock decides when a pause of such a strategy is over
 * @param guarantees what it promises: what it says itself, unless an entry of the registry says more
 */
export function completeStrategy(
  strategy: WfStateStrategy,
  clock: Clock,
  guarantees: WfGuarantees | undefined = strategy.guarantees ?? guaranteesOf(strategy),
): CompleteStrategy {
  if (isComplete(strategy) && strategy.guarantees === guarantees) return strategy
  return new DefaultClaims(strategy, clock, guarantees)
}

const STORE_METHODS = ['set', 'get', 'delete', 'getAndDelete']

/** A strategy whose store takes states out is single-use by the contract of that store. */
function guaranteesOf(strategy: object): WfGuarantees | undefined {
  const { store } = strategy as { store?: Readonly<Record<string, unknown>> }
  const isStore = STORE_METHODS.every(method => typeof store?.[method] === 'function')
  return isStore ? { singleUse: true, revocable: true } : undefined
}

function isComplete(strategy: WfStateStrategy): strategy is CompleteStrategy {
  return Boolean(strategy.peek && strategy.begin && strategy.claim)
}

/** What a strategy has of the contract, and the rest on `persist`, `retrieve` and `consume`. */
class DefaultClaims implements CompleteStrategy {
  readonly #own: WfStateStrategy
  readonly #clock: Clock
  readonly keepsHandle
  readonly fits
  readonly isRevoked
  readonly statusOf
  readonly takeUp
  readonly reissue
  readonly noteOpened
  readonly persist
  readonly retrieve
  readonly consume

  constructor(
    strategy: WfStateStrategy,
    clock: Clock,
    readonly guarantees: WfGuarantees | undefined,
  ) {
    this.#own = strategy
    this.#clock = clock
    this.keepsHandle = strategy.keepsHandle
    this.fits = strategy.fits?.bind(strategy)
    this.isRevoked = strategy.isRevoked?.bind(strategy)
    this.statusOf = strategy.statusOf?.bind(strategy)
    this.takeUp = strategy.takeUp?.bind(strategy)
    this.reissue = strategy.reissue?.bind(strategy)
    this.noteOpened = strategy.noteOpened?.bind(strategy)
    this.persist = strategy.persist.bind(strategy)
    this.retrieve = strategy.retrieve.bind(strategy)
    this.consume = strategy.consume.bind(strategy)
  }

  async peek(token: string): Promise<WfPeek | WfRefusal> {
    if (this.#own.peek) return this.#own.peek(token)
    const kept = await this.retrieve(token)
    if (!kept) return { refusal: 'gone' }
    const found = readExpiry(kept)
    // The strategy may not have held to the lifetime that it was told.
    const hasExpired = found.expiresAt !== undefined && found.expiresAt <= this.#clock.now()
    return hasExpired ? { refusal: 'expired', found } : found
  }

  begin(state: WfState, options: WfBeginOptions): Awaitable<WfClaim | WfRefusal> {
    return this.#own.begin
      ? this.#own.begin(state, options)
      : new DefaultClaim(this, this.#clock, state)
  }

  async claim(token: string, options: WfClaimOptions): Promise<WfClaim | WfRefusal> {
    if (this.#own.claim) return this.#own.claim(token, options)
    const { admit } = options
    const peek = await this.peek(token)
    const refusal = isRefusal(peek) ? peek : admit(peek)
    if (refusal) return refusal
    const state = await this.consume(token)
    return state ? new DefaultClaim(this, this.#clock, state, token) : { refusal: 'used' }
  }
}
