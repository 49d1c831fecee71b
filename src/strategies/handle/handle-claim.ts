import {
  type Awaitable,
  formatVersionedHandle,
  newVersion,
  notesOf,
  versionOf,
  type WfClaim,
  type WfDeliver,
  type WfPaused,
  type WfPauseOptions,
  type WfSetOptions,
  type WfState,
  type WfStoredState,
  withoutVersion,
  withProblem,
  withVersion,
} from '../../state'
import { deliverOrUndo } from '../claim/deliver-or-undo'
import { persevere } from '../claim/persevere'
import { expiryOf, type ResolvedHandleOptions } from './handle-options'

/** A state that has been taken out of the store, and the ways in which it can go on from there. */
export class HandleClaim implements WfClaim {
  readonly state: WfState
  readonly expiresAt?: number
  /** As it was taken: a run changes `state`. Looked at only if it is needed. */
  readonly #taken: WfStoredState
  readonly #options: ResolvedHandleOptions
  /** Where it was taken from; a flow that has just begun was nowhere. */
  readonly #handle: string | undefined
  readonly #letGo: () => void

  /** @param copy what the run may change; `taken` is kept as it is */
  constructor(
    options: ResolvedHandleOptions,
    taken: WfStoredState,
    copy: WfState,
    handle?: string,
    letGo: () => void = () => undefined,
  ) {
    this.#options = options
    this.#handle = handle
    this.#letGo = letGo
    this.state = options.stable ? withoutVersion(copy) : copy
    this.expiresAt = taken.expiresAt
    this.#taken = taken
  }

  // The row is there before the token leaves: an answer can arrive before `deliver` returns.
  pause<T>(next: WfState, options: WfPauseOptions, deliver: WfDeliver<T>): Awaitable<WfPaused<T>> {
    const { store, stable, generateHandle } = this.#options
    const kept = options.audience === 'caller' ? this.#keptHandle() : undefined
    const version = newVersion()
    const expiresAt = expiryOf(this.#options, options)
    let handle = ''
    return deliverOrUndo({
      write: () => {
        handle = kept ?? generateHandle()
        const state = stable ? withVersion(next, version) : next
        return store.set(handle, state, expiresAt, this.#followingTaken(handle))
      },
      deliver: () =>
        deliver(stable ? formatVersionedHandle({ handle, version }) : handle, expiresAt),
      kill: () => this.#kill(handle, handle === kept ? version : undefined),
      restore: error => this.#putBackNoting(error),
      settled: this.#letGo,
    })
  }

  /** A link is for one use: whoever has a copy of it must not share the handle that goes on. */
  #keptHandle(): string | undefined {
    if (!this.#options.stable) return undefined
    return notesOf(this.#taken.state)?.pause?.outOfBand ? undefined : this.#handle
  }

  /** Takes back what was written, unless someone has used it: with a version, only that one. */
  async #kill(handle: string, version: string | undefined): Promise<boolean> {
    const { store } = this.#options
    if (version === undefined) {
      const taken = await persevere(() => store.getAndDelete(handle))
      // One that has expired meanwhile is as dead.
      return taken !== null || Boolean(await store.getExpired?.(handle))
    }
    const written = await persevere(() => store.get(handle))
    if (!written) return Boolean(await store.getExpired?.(handle))
    if (versionOf(written.state) !== version) return false
    const options = { version: written.version }
    return (await persevere(() => store.getAndDelete(handle, options))) !== null
  }

  // The version stays too: the token that the caller has is the one that lives on.
  async stay(next: WfState): Promise<void> {
    const version = versionOf(this.#taken.state)
    const state = version === undefined ? next : withVersion(next, version)
    await this.#end(this.#putBackOrFormer(state))
  }

  finish(): void {
    this.#letGo()
  }

  handOver(): void {
    this.#letGo()
  }

  async fail(error: unknown): Promise<void> {
    if (this.#options.onError === 'discard') this.#letGo()
    else await this.#end(this.#putBackNoting(error))
  }

  async release(): Promise<void> {
    await this.#end(this.#putBack(this.#taken.state))
  }

  async #end(settled: Promise<void>): Promise<void> {
    try {
      await settled
    } finally {
      this.#letGo()
    }
  }

  /** What cannot be stored leaves what was there. */
  async #putBackOrFormer(next: WfState): Promise<void> {
    try {
      await this.#store(next)
    } catch (error) {
      await this.#putBackNoting(error)
      throw error
    }
  }

  /** With a note of what went wrong; without it, rather than not at all. */
  async #putBackNoting(error: unknown): Promise<void> {
    const { state } = this.#taken
    const noted = withProblem(state, error, this.#options.clock.now())
    try {
      await this.#putBack(noted)
    } catch (failure) {
      if (noted === state) throw failure
      await this.#putBack(state)
    }
  }

  /** While it is out of the store, this process has the only copy. */
  #putBack(state: WfState): Promise<void> {
    return persevere(() => this.#store(state))
  }

  async #store(state: WfState): Promise<void> {
    const handle = this.#handle
    if (handle === undefined) return
    await this.#options.store.set(handle, state, this.expiresAt, this.#followingTaken(handle))
  }

  /** A handle that is written again goes on counting, so that no two states have one version. */
  #followingTaken(handle: string): WfSetOptions {
    return handle === this.#handle ? { follows: this.#taken.version } : {}
  }
}
