import { WfError } from '../../errors'
import {
  type Awaitable,
  isAwaited,
  isRefusal,
  randomId,
  stateToJson,
  type WfClaim,
  type WfClaimOptions,
  type WfGuarantees,
  type WfPauseOptions,
  type WfPeek,
  type WfRefusal,
  type WfState,
  type WfStateStrategy,
  notesOf,
  whenKnown,
} from '../../state'
import { EncapsulatedClaim, type SealedToken } from './encapsulated-claim'
import type { ResolvedEncapsulatedOptions } from './encapsulated-options'
import { largestPaths } from './largest-paths'
import type { TokenId } from './replay-guard'
import { beginPayload, readPayload, type TokenOwner, writePayload } from './token-payload'

type Lifetime = Pick<WfPauseOptions, 'ttl' | 'atMost'>

interface OpenToken extends WfPeek {
  readonly expiresAt: number
  readonly id: TokenId
}

/** The tokens of one registry name. Tokens of another name do not open here. */
export class NamedTokens implements WfStateStrategy {
  readonly guarantees: WfGuarantees
  readonly #options: ResolvedEncapsulatedOptions
  readonly #owner: TokenOwner
  /** How long a token of nothing is. */
  #lengthOfEmpty: Awaitable<number> | undefined
  readonly #beginning: string

  constructor(options: ResolvedEncapsulatedOptions, name: string) {
    this.#options = options
    this.#owner = { name, purpose: options.purpose }
    this.#beginning = beginPayload(this.#owner)
    const { isGuarding } = options.guard
    this.guarantees = Object.freeze({ singleUse: isGuarding, revocable: isGuarding, stays: false })
  }

  /** @throws WfError `WF_STATE_TOO_LARGE`, `WF_STATE_INVALID`, `WF_CONFIG` for a ttl over `maxTtl` */
  async persist(state: WfState, options: { ttl?: number | undefined } = {}): Promise<string> {
    const sealed = this.#seal(state, options)
    return (isAwaited(sealed) ? await sealed : sealed).token
  }

  async retrieve(token: string): Promise<WfState | null> {
    const peek = await this.peek(token)
    return isRefusal(peek) ? null : peek.state
  }

  async consume(token: string): Promise<WfState | null> {
    const claim = await this.claim(token, { admit: () => null })
    return isRefusal(claim) ? null : claim.state
  }

  async peek(token: string): Promise<WfPeek | WfRefusal> {
    const opened = await this.#open(token)
    if (isRefusal(opened)) return this.#orUsed(opened)
    const refusal = await this.#options.guard.check(opened.id)
    const found = { state: opened.state, expiresAt: opened.expiresAt }
    return refusal ? { refusal, found } : found
  }

  isRevoked(flowId: string): Promise<boolean> {
    return this.#options.guard.isRevoked(flowId)
  }

  begin(state: WfState): WfClaim {
    return this.#claimOf(state, undefined, undefined)
  }

  claim(token: string, { admit }: WfClaimOptions): Awaitable<WfClaim | WfRefusal> {
    return whenKnown(this.#open(token), opened => {
      if (isRefusal(opened)) return this.#orUsed(opened)
      const refused = admit(opened)
      if (refused) return refused
      return whenKnown(this.#options.guard.take(opened.id), refusal =>
        refusal
          ? { refusal, found: opened }
          : this.#claimOf(opened.state, opened.expiresAt, opened.id),
      )
    })
  }

  /** A token that has expired may have been used or revoked before. */
  async #orUsed(refused: WfRefusal & { readonly id?: TokenId | undefined }): Promise<WfRefusal> {
    const { id, ...refusal } = refused
    const reason = id && (await this.#options.guard.check(id))
    return reason ? { ...refusal, refusal: reason } : refusal
  }

  /** Whether a token of this state would be short enough. */
  fits(state: WfState): Awaitable<boolean> {
    const { cipher, compress, maxTokenLength, maxTtl } = this.#options
    if (compress) return whenKnown(this.#write(state, maxTtl), sealed => sealed.isSmallEnough)
    // Nothing has to be encrypted to know how long it gets: what comes on top is always the same.
    this.#lengthOfEmpty ??= whenKnown(cipher.seal(''), token => token.length)
    const { text } = this.#payload(state, maxTtl)
    const room = Math.ceil((utf8Length(text) * 4) / 3)
    return whenKnown(this.#lengthOfEmpty, length => length + room <= maxTokenLength)
  }

  #claimOf(state: WfState, expiresAt: number | undefined, id: TokenId | undefined): WfClaim {
    const seal = (next: WfState, lifetime: Lifetime) => this.#seal(next, lifetime)
    return new EncapsulatedClaim(state, expiresAt, { guard: this.#options.guard, seal, id })
  }

  #seal(state: WfState, { ttl, atMost = Infinity }: Lifetime): Awaitable<SealedToken> {
    const { maxTokenLength, maxTtl, defaultTtl } = this.#options
    if (ttl !== undefined && (Number.isNaN(ttl) || ttl > maxTtl)) {
      throw new WfError('WF_CONFIG', `A token may live ${maxTtl} ms at most; see maxTtl.`)
    }
    return whenKnown(this.#write(state, Math.min(ttl ?? defaultTtl, atMost)), sealed => {
      if (sealed.isSmallEnough) return sealed
      throw new WfError(
        'WF_STATE_TOO_LARGE',
        `The state does not fit into a token of ${maxTokenLength} characters. ` +
          `The most room is taken by: ${largestPaths(state.context)}.`,
      )
    })
  }

  #write(state: WfState, ttl: number): Awaitable<SealedToken> {
    const { cipher, compress, maxInflatedBytes, maxTokenLength } = this.#options
    const { id, text } = this.#payload(state, ttl)
    return whenKnown(cipher.seal(text), token => {
      // A compressed token can be short and still hold more than its reader will inflate.
      const isReadable = !compress || utf8Length(text) <= maxInflatedBytes
      return { token, id, isSmallEnough: isReadable && token.length <= maxTokenLength }
    })
  }

  #payload(state: WfState, ttl: number): { readonly id: TokenId; readonly text: string } {
    const iat = this.#options.clock.now()
    const content = { jti: randomId(), iat, exp: Math.floor(iat + ttl) }
    const id = { jti: content.jti, exp: content.exp, flowId: notesOf(state)?.flow.flowId }
    return { id, text: writePayload(this.#beginning, content, stateToJson(state)) }
  }

  // The cheap gates come first: nothing is decoded, let alone decrypted, before they are passed.
  #open(token: string): Awaitable<OpenToken | WfRefusal> {
    const { cipher, maxTokenLength } = this.#options
    if (typeof token !== 'string' || token.length > maxTokenLength) return { refusal: 'garbled' }
    return whenKnown(cipher.open(token), text => this.#judge(text))
  }

  #judge(text: string | null): OpenToken | WfRefusal {
    const content = text === null ? null : readPayload(this.#owner, text)
    if (!content) return { refusal: 'garbled' }
    const { state, exp, jti } = content
    const id = { jti, exp, flowId: notesOf(state)?.flow.flowId }
    const hasExpired = exp <= this.#options.clock.now()
    return hasExpired
      ? { refusal: 'expired', found: { state, expiresAt: exp }, id }
      : { state, expiresAt: exp, id }
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
