import { WfError } from '../../errors'
import { type Clock, systemClock, type WfStateStore } from '../../state'

/** Options of {@link HandleStateStrategy}. */
export interface HandleStateStrategyOptions {
  readonly store: WfStateStore
  /**
   * How long a pause can be resumed, in milliseconds, unless the step says otherwise.
   * @default no limit
   */
  readonly defaultTtl?: number
  /**
   * Makes a handle. It must be impossible to guess: who has it can go on with the flow.
   * @default crypto.randomUUID
   */
  readonly generateHandle?: () => string
  /**
   * Keep one handle while the same caller goes on. The token then ends in the version, so that an
   * older page's token is refused as superseded. A pause for someone else still gets a new handle.
   * @default false
   */
  readonly stable?: boolean
  /**
   * What becomes of a state whose step threw something unexpected.
   * @default 'restore'
   */
  readonly onError?: 'restore' | 'discard'
  /** @default the store's clock, or the machine's */
  readonly clock?: Clock
}

export type ResolvedHandleOptions = Required<Omit<HandleStateStrategyOptions, 'defaultTtl'>> & {
  readonly defaultTtl: number | undefined
}

/** @throws WfError `WF_CONFIG` */
export function resolveHandleOptions(options: HandleStateStrategyOptions): ResolvedHandleOptions {
  const { store, defaultTtl, onError = 'restore' } = options
  if (typeof store?.getAndDelete !== 'function') {
    throw new WfError('WF_CONFIG', 'HandleStateStrategy needs a store: { store: new … }.')
  }
  if (defaultTtl !== undefined && !(Number.isFinite(defaultTtl) && defaultTtl > 0)) {
    throw new WfError('WF_CONFIG', 'defaultTtl is a positive number of milliseconds.')
  }
  if (onError !== 'restore' && onError !== 'discard') {
    throw new WfError('WF_CONFIG', "onError is 'restore' or 'discard'.")
  }
  return Object.freeze({
    store,
    defaultTtl,
    onError,
    generateHandle: options.generateHandle ?? (() => globalThis.crypto.randomUUID()),
    stable: options.stable ?? false,
    clock: options.clock ?? store.clock ?? systemClock,
  })
}

/** When a pause of this ttl expires. */
export function expiryOf(
  { clock, defaultTtl }: ResolvedHandleOptions,
  ttl: number | undefined,
): number | undefined {
  const lifetime = ttl ?? defaultTtl
  return lifetime === undefined ? undefined : clock.now() + lifetime
}
