import type { Awaitable, WfAsker, WfState } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { isBetweenSteps } from './run-note'

/** What is kept of whoever has asked, sealed when it is first needed. */
export class SealedAsker {
  readonly #seal: ResolvedDurableOptions['seal']
  readonly #flowId: string
  readonly #asker: WfAsker | undefined
  #sealing: { readonly sealed: Awaitable<string | undefined> } | undefined

  constructor(seal: ResolvedDurableOptions['seal'], flowId: string, asker: WfAsker | undefined) {
    this.#seal = seal
    this.#flowId = flowId
    this.#asker = asker
  }

  /** Steps behind the one that was answered may ask for the request too. */
  get value(): Awaitable<string | undefined> {
    const asker = this.#asker
    this.#sealing ??= { sealed: this.#seal.closeRequest(this.#flowId, { asker }) }
    return this.#sealing.sealed
  }

  /** Where a run stands: at a pause, the next request brings its own. */
  at(state: WfState): Awaitable<string | undefined> {
    return isBetweenSteps(state) ? this.value : undefined
  }
}
