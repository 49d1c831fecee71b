import {
  type EncapsulatedStateStrategyOptions,
  type ResolvedEncapsulatedOptions,
  resolveEncapsulatedOptions,
} from './encapsulated-options'
import { NamedTokens } from './named-tokens'

/** A key that is accepted. */
export interface WfTokenKey {
  readonly kid: string
  /** Whether new tokens are written with it. */
  readonly current: boolean
}

/**
 * The token *is* the state, encrypted (JWE, `dir`, `A256GCM`). Nothing is stored on the server; with
 * a replay guard, one small entry per used token.
 *
 * Without the guard a token can be used until it expires: a counter in the context can be rolled
 * back by sending an older token. `guarantees` says which of the two a strategy is.
 *
 * @example
 * ```ts
 * import { EncapsulatedStateStrategy, WfLedgerMemory } from '@atscript/moost-wf'
 *
 * const strategy = new EncapsulatedStateStrategy({
 *   secret: process.env.WF_SECRET ?? '',
 *   replay: new WfLedgerMemory(),
 * })
 * ```
 */
export class EncapsulatedStateStrategy extends NamedTokens {
  readonly #options: ResolvedEncapsulatedOptions
  readonly #views = new Map<string, NamedTokens>()

  /** @throws WfError `WF_CONFIG` */
  constructor(options: EncapsulatedStateStrategyOptions) {
    const resolved = resolveEncapsulatedOptions(options)
    super(resolved, '')
    this.#options = resolved
  }

  /** The strategy under a name of the registry. Its tokens open under that name only. */
  forName(name: string): NamedTokens {
    const view = this.#views.get(name) ?? new NamedTokens(this.#options, name)
    this.#views.set(name, view)
    return view
  }

  /** The keys that are accepted, the one that encrypts first. */
  async keys(): Promise<WfTokenKey[]> {
    const kids = await this.#options.cipher.kids()
    return kids.map((kid, index) => ({ kid, current: index === 0 }))
  }

  /**
   * Refuses every token of a flow from now on.
   *
   * @throws WfError `WF_CONFIG` without a replay guard
   */
  async revokeFlow(flowId: string): Promise<void> {
    await this.#options.guard.revokeFlow(flowId)
  }
}
