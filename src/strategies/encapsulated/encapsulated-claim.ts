import type { Awaitable, WfClaim, WfDeliver, WfPaused, WfPauseOptions, WfState } from '../../state'
import { deliverOrUndo } from '../claim/deliver-or-undo'
import type { ReplayGuard, TokenId } from './replay-guard'

/** A token that has been written, and what can be told of it. */
export interface SealedToken {
  readonly token: string
  readonly id: TokenId
  /** Short enough to be sent, and to be read again. */
  readonly isSmallEnough: boolean
}

/** The right to run a token's state. With a guard the token is spent meanwhile. */
export class EncapsulatedClaim implements WfClaim {
  readonly #guard: ReplayGuard
  readonly #seal: (state: WfState, lifetime: WfPauseOptions) => Awaitable<SealedToken>
  readonly #id: TokenId | undefined

  constructor(
    readonly state: WfState,
    readonly expiresAt: number | undefined,
    parts: {
      readonly guard: ReplayGuard
      readonly seal: (state: WfState, lifetime: WfPauseOptions) => Awaitable<SealedToken>
      /** The token that was claimed; a flow that has just begun has none. */
      readonly id?: TokenId
    },
  ) {
    this.#guard = parts.guard
    this.#seal = parts.seal
    this.#id = parts.id
  }

  pause<T>(next: WfState, options: WfPauseOptions, deliver: WfDeliver<T>): Awaitable<WfPaused<T>> {
    return deliverOrUndo({
      write: () => this.#seal(next, options),
      deliver: ({ token, id }) => deliver(token, id.exp),
      kill: ({ id }) => this.#guard.kill(id),
      restore: () => this.release(),
    })
  }

  finish(): void {}

  handOver(): void {}

  fail(): Promise<void> | void {
    return this.release()
  }

  release(): Promise<void> | void {
    return this.#id && this.#guard.restore(this.#id)
  }
}
