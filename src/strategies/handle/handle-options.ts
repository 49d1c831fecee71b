import { WfError } from '../../errors'
import { type Clock, systemClock, type WfPauseOptions, type WfStateStore } from '../../state'
import { lifetimeOf } from '../claim/lifetime'

/** Options of {@link HandleStateStrategy}. */
export interface HandleStateStrategyOptions {
  readonly store: WfStateStore
  /**
   * How long a pause can be resumed, in milliseconds, unless the step says otherwise.
   * @default no limit
   */
  readonly defaultTtl?: number | undefined
  /**
   * Makes a handle. It must be impossible to guess: who has it can go on with the flow.
   * @default crypto.randomUUID
   */
  readonly generateHandle?: (() => string) | undefined
  /**
   * Keep one handle while the same caller goes on. The token then ends in the version, so that an
   * older page's token is refused as superseded. A pause for someone else still gets a new handle.
   * @default false
   */
  readonly stable?: boolean | undefined
  /**
   * What becomes of a state whose step threw something unexpected.
   * @default 'restore'
   */
  readonly onError?: 'restore' | 'discard' | undefined
  /** @default the store's clock, or the machine's */
  readonly clock?: Clock | undefined
}

export type ResolvedHandleOptions = Required<Omit<HandleStateStrategyOptions, 'defaultTtl'>> & {
  readonly defaultTtl: number | undefined
}

const STORE_METHODS = ['get', 'set', 'delete', 'getAndDelete'] as const

/** @throws WfError `WF_CONFIG` */
export function resolveHandleOptions(options: HandleStateStrategyOptions): ResolvedHandleOptions {
  const { store, defaultTtl, onError = 'restore', stable = false } = options
  const { generateHandle = () => globalThis.crypto.randomUUID() } = options
  const clock = options.clock ?? store?.clock ?? systemClock
  check(
    STORE_METHODS.every(method => typeof store?.[method] === 'function'),
    `store has ${STORE_METHODS.join(', ')}`,
  )
  check(
    defaultTtl === undefined || (Number.isFinite(defaultTtl) && defaultTtl > 0),
    'defaultTtl is a positive number of milliseconds',
  )
  check(onError === 'restore' || onError === 'discard', "onError is 'restore' or 'discard'")
  check(typeof stable === 'boolean', 'stable is true or false')
  check(typeof generateHandle === 'function', 'generateHandle is a function')
  check(typeof clock.now === 'function', 'clock has a now()')
  return Object.freeze({ store, defaultTtl, onError, generateHandle, stable, clock })
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `HandleStateStrategy: ${rule}.`)
}

/** When a pause expires. */
export function expiryOf(
  { clock, defaultTtl }: ResolvedHandleOptions,
  options: Partial<WfPauseOptions>,
): number | undefined {
  const lifetime = lifetimeOf(options, defaultTtl)
  return lifetime === Infinity ? undefined : clock.now() + lifetime
}
