import type { WfClaim, WfPauseOptions, WfState, WfStoredState } from '../../state'
import { expiryOf, type ResolvedHandleOptions } from './handle-options'
import { persevere } from './persevere'
import { formatStableToken, versionOf, withVersion } from './stable-token'

type Deliver<T> = (raw: string, expiresAt?: number) => Promise<T>

/** A state that has been taken out of the store, and the ways in which it can go on from there. */
export class HandleClaim implements WfClaim {
  readonly state: WfState
  readonly expiresAt?: number
  /** As it was taken: a run changes `state`. */
  readonly #original: string

  constructor(
    readonly options: ResolvedHandleOptions,
    taken: WfStoredState,
    /** Where it was taken from; a flow that has just begun was nowhere. */
    readonly handle?: string,
    readonly letGo: () => void = () => undefined,
  ) {
    this.state = taken.state
    this.expiresAt = taken.expiresAt
    this.#original = JSON.stringify(taken.state)
  }

  // The row is there before the token leaves: an answer can arrive before `deliver` returns.
  async pause<T>(
    next: WfState,
    { ttl, audience }: WfPauseOptions,
    deliver: Deliver<T>,
  ): Promise<T> {
    const { store, stable, generateHandle } = this.options
    const keep = stable && audience === 'caller' ? this.handle : undefined
    const handle = keep ?? generateHandle()
    const version = keep === undefined ? 1 : versionOf(this.state) + 1
    const expiresAt = expiryOf(this.options, ttl)
    try {
      await store.set(handle, stable ? withVersion(next, version) : next, expiresAt)
      return await deliver(stable ? formatStableToken({ handle, version }) : handle, expiresAt)
    } catch (error) {
      // First the new token dies, then the old one lives again: never both.
      if (keep === undefined) await persevere(() => store.delete(handle))
      await this.#putBack()
      throw error
    } finally {
      this.letGo()
    }
  }

  async finish(): Promise<void> {
    this.letGo()
  }

  async fail(): Promise<void> {
    if (this.options.onError === 'restore') await this.release()
    else this.letGo()
  }

  async release(): Promise<void> {
    try {
      await this.#putBack()
    } finally {
      this.letGo()
    }
  }

  async #putBack(): Promise<void> {
    const { handle, expiresAt } = this
    if (handle === undefined) return
    const state = JSON.parse(this.#original) as WfState
    await persevere(() => this.options.store.set(handle, state, expiresAt))
  }
}
