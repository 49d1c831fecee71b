import type { WfClaim, WfPauseOptions, WfState, WfStoredState } from '../../state'
import { deliverOrUndo } from '../claim/deliver-or-undo'
import { persevere } from '../claim/persevere'
import { expiryOf, type ResolvedHandleOptions } from './handle-options'
import { formatStableToken, versionOf, withoutVersion, withVersion } from './stable-token'

type Deliver<T> = (raw: string, expiresAt?: number) => Promise<T>

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
  pause<T>(
    next: WfState,
    { ttl, atMost, audience }: WfPauseOptions,
    deliver: Deliver<T>,
  ): Promise<T> {
    const { store, stable, generateHandle } = this.#options
    const kept = stable && audience === 'caller' ? this.#handle : undefined
    const version = kept === undefined ? 1 : versionOf(this.#taken.state) + 1
    const expiresAt = expiryOf(this.#options, ttl, atMost)
    return deliverOrUndo({
      write: () => {
        const handle = kept ?? generateHandle()
        const written = store.set(handle, stable ? withVersion(next, version) : next, expiresAt)
        return written.then(() => handle)
      },
      deliver: handle =>
        deliver(stable ? formatStableToken({ handle, version }) : handle, expiresAt),
      // A handle that was kept is written over when the old state is put back.
      kill: async handle =>
        handle === kept || (await persevere(() => store.getAndDelete(handle))) !== null,
      restore: () => this.#putBack(),
      settled: this.#letGo,
    })
  }

  async finish(): Promise<void> {
    this.#letGo()
  }

  async fail(): Promise<void> {
    if (this.#options.onError === 'restore') await this.release()
    else this.#letGo()
  }

  async release(): Promise<void> {
    try {
      await this.#putBack()
    } finally {
      this.#letGo()
    }
  }

  async #putBack(): Promise<void> {
    const { expiresAt } = this
    const handle = this.#handle
    if (handle === undefined) return
    await persevere(() => this.#options.store.set(handle, this.#taken.state, expiresAt))
  }
}
