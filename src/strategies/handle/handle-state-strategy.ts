import {
  changeableCopy,
  formatVersionedHandle,
  isRefusal,
  newVersion,
  parseVersionedHandle,
  rawTokenOf,
  versionOf,
  type WfClaim,
  type WfClaimOptions,
  type WfGuarantees,
  type WfPeek,
  type WfRefusal,
  type WfReissued,
  type WfReissueOptions,
  type WfState,
  type WfStateStrategy,
  type WfStoredState,
  withoutVersion,
  withVersion,
} from '../../state'
import { HandleClaim } from './handle-claim'
import {
  expiryOf,
  type HandleStateStrategyOptions,
  type ResolvedHandleOptions,
  resolveHandleOptions,
} from './handle-options'

interface ParsedToken {
  readonly handle: string
  /** Only a stable token has one. */
  readonly version?: string
}

/**
 * The token is an opaque handle, the state is in a store. A claim takes the state out of the store,
 * which is what makes a token single-use; whatever does not come to a new pause or an end puts it
 * back.
 *
 * @example
 * ```ts
 * import { HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
 *
 * const strategy = new HandleStateStrategy({
 *   store: new WfStateStoreMemory(),
 *   defaultTtl: 24 * 60 * 60 * 1000,
 * })
 * const token = await strategy.persist({ schemaId: 'invite', indexes: [0], context: {} })
 * const state = await strategy.consume(token)
 * ```
 */
export class HandleStateStrategy implements WfStateStrategy {
  readonly guarantees: WfGuarantees = { singleUse: true, revocable: true, stays: true }
  readonly keepsHandle: boolean
  /** Only where the store finds states by their flows. */
  readonly reissue: WfStateStrategy['reissue']
  readonly #options: ResolvedHandleOptions
  /** Handles that a request of this process holds: their second caller is told to wait. */
  readonly #held = new Set<string>()

  /** @throws WfError `WF_CONFIG` */
  constructor(options: HandleStateStrategyOptions) {
    this.#options = resolveHandleOptions(options)
    this.keepsHandle = this.#options.stable
    const { store } = this.#options
    if (store.moveFlow) this.reissue = (flowId, asked) => this.#reissue(flowId, asked)
  }

  async persist(
    state: WfState,
    options: { ttl?: number | undefined } = {},
    hint: { handle?: string | undefined } = {},
  ): Promise<string> {
    const { store, generateHandle, stable } = this.#options
    const reused = hint.handle === undefined ? null : this.#parse(hint.handle)
    const handle = reused?.handle ?? generateHandle()
    const version = newVersion()
    await store.set(
      handle,
      stable ? withVersion(state, version) : state,
      expiryOf(this.#options, options),
    )
    return stable ? formatVersionedHandle({ handle, version }) : handle
  }

  async retrieve(token: string): Promise<WfState | null> {
    const peek = await this.peek(token)
    return isRefusal(peek) ? null : peek.state
  }

  async consume(token: string): Promise<WfState | null> {
    const claim = await this.claim(token, { admit: () => null })
    if (isRefusal(claim)) return null
    claim.finish({})
    return claim.state
  }

  async peek(token: string): Promise<WfPeek | WfRefusal> {
    const parsed = this.#parse(token)
    if (!parsed) return { refusal: 'garbled' }
    const stored = await this.#options.store.get(parsed.handle)
    return this.#judge(parsed, stored) ?? this.#whyNotThere(parsed)
  }

  begin(state: WfState): WfClaim {
    return new HandleClaim(this.#options, { state }, state)
  }

  async claim(token: string, { admit }: WfClaimOptions): Promise<WfClaim | WfRefusal> {
    const parsed = this.#parse(token)
    if (!parsed) return { refusal: 'garbled' }
    const { handle, version } = parsed
    const stored = await this.#options.store.get(handle)
    const peek = this.#judge(parsed, stored) ?? (await this.#whyNotThere(parsed))
    const refusal = isRefusal(peek) ? peek : admit(peek)
    if (refusal) return refusal
    if (this.#held.has(handle)) return { refusal: 'busy' }
    this.#held.add(handle)
    let taken: WfStoredState | null = null
    try {
      // With a version, only the state that was looked at: a newer one stays where it is.
      const wanted = version === undefined ? {} : { version: stored?.version }
      taken = await this.#options.store.getAndDelete(handle, wanted)
    } finally {
      if (!taken) this.#held.delete(handle)
    }
    if (!taken) return { refusal: await this.#whyNotTaken(parsed), found: peek as WfPeek }
    const copy = copyOf(taken, stored)
    const letGo = () => this.#held.delete(handle)
    const claim = new HandleClaim(this.#options, taken, copy, handle, letGo)
    if (matches(taken, version)) return claim
    // Another process has moved the flow on between the look and the grasp, and the store is one
    // that does not take by version.
    await claim.release()
    return { refusal: 'superseded', found: peek as WfPeek }
  }

  async #reissue(flowId: string, { admit, deliver }: WfReissueOptions): Promise<WfReissued | null> {
    const { store, stable, generateHandle } = this.#options
    let raw = ''
    let expiresAt: number | undefined
    const formerHash = await store.moveFlow?.(flowId, {
      admit: stored => {
        const next = admit(this.#show(stored))
        if (!next) return null
        const handle = generateHandle()
        const version = newVersion()
        raw = stable ? formatVersionedHandle({ handle, version }) : handle
        expiresAt = next.expiresAt
        const state = stable ? withVersion(next.state, version) : next.state
        return { handle, state, expiresAt }
      },
      deliver: () => deliver(raw, expiresAt),
    })
    return formerHash ? { formerHash } : null
  }

  /** Another was faster. A stable flow may be there already, one step on. */
  async #whyNotTaken({ handle, version }: ParsedToken): Promise<'used' | 'superseded'> {
    if (version === undefined) return 'used'
    return (await this.#options.store.get(handle)) ? 'superseded' : 'used'
  }

  #judge(
    { handle, version }: ParsedToken,
    stored: WfStoredState | null,
  ): WfPeek | WfRefusal | null {
    if (!stored) return this.#held.has(handle) ? { refusal: 'busy' } : null
    // A store hides these by contract. One that does not is not a way around it.
    if (stored.expiresAt !== undefined && stored.expiresAt <= this.#options.clock.now()) {
      return { refusal: 'expired', found: this.#show(stored) }
    }
    return matches(stored, version) ? this.#show(stored) : this.#superseded(handle, stored)
  }

  /** Which token is the current one is for the endpoint to know: it decides who is told. */
  #superseded(handle: string, stored: WfStoredState): WfRefusal {
    const current = rawTokenOf(handle, stored.state)
    return { refusal: 'superseded', found: this.#show(stored), current }
  }

  async #whyNotThere({ handle, version }: ParsedToken): Promise<WfRefusal> {
    const ended = await this.#options.store.getExpired?.(handle)
    if (!ended) return { refusal: 'gone' }
    const found = this.#show(ended)
    if (!matches(ended, version)) return { refusal: 'superseded', found }
    return { refusal: 'expired', found }
  }

  #show(stored: WfStoredState): WfPeek {
    return this.#options.stable ? { ...stored, state: withoutVersion(stored.state) } : stored
  }

  #parse(token: string): ParsedToken | null {
    if (typeof token !== 'string' || token === '') return null
    return this.#options.stable ? parseVersionedHandle(token) : { handle: token }
  }
}

/** A second copy of what was taken: the one that was read before, if it is of the same write. */
function copyOf(taken: WfStoredState, earlier: WfStoredState | null): WfState {
  const isSame = taken.revision !== undefined && taken.revision === earlier?.revision
  return isSame ? earlier!.state : changeableCopy(taken.state)
}

function matches(stored: WfStoredState, version: string | undefined): boolean {
  return version === undefined || versionOf(stored.state) === version
}
