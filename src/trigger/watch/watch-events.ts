import { WfError } from '../../errors'
import { isRecord } from '../../state'

/** How pages are told of a change by server-sent events, instead of asking again and again. */
export interface WfWatchEvents {
  /**
   * How many streams may be open at once, in this process. One more is answered 429.
   * @default 200
   */
  readonly maxStreams?: number | undefined
  /**
   * Milliseconds after which a stream ends. Browsers open it anew by themselves.
   * @default 5 minutes
   */
  readonly lifetimeMs?: number | undefined
  /**
   * Milliseconds between two signs of life, for proxies that cut off what is silent.
   * @default 15 seconds
   */
  readonly heartbeatMs?: number | undefined
  /**
   * Milliseconds between two looks at the ledger. The first ones come sooner.
   * @default 5 seconds
   */
  readonly pollMs?: number | undefined
}

/** The same with every default filled in. */
export type WatchEvents = { readonly [K in keyof WfWatchEvents]-?: number }

const DEFAULTS: WatchEvents = {
  maxStreams: 200,
  lifetimeMs: 5 * 60_000,
  heartbeatMs: 15_000,
  pollMs: 5000,
}
/** What a timer takes. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * @returns `undefined` where there are no streams
 * @throws WfError `WF_CONFIG`
 */
export function resolveWatchEvents(
  option: boolean | WfWatchEvents | undefined,
  hasLedger: boolean,
): WatchEvents | undefined {
  if (option === undefined || option === false) return undefined
  if (option !== true && !isRecord(option)) {
    throw new WfError('WF_CONFIG', 'watchEvents is true, or an object of limits.')
  }
  if (!hasLedger) throw new WfError('WF_CONFIG', 'watchEvents needs a ledger.')
  const given = Object.entries(option === true ? {} : option).filter(
    ([, value]) => value !== undefined,
  )
  for (const [name, value] of given) {
    const isLimit = Number.isInteger(value) && Number(value) > 0 && Number(value) <= LONGEST_MS
    if (!Object.hasOwn(DEFAULTS, name) || !isLimit) {
      throw new WfError('WF_CONFIG', `watchEvents.${name} is a positive whole number.`)
    }
  }
  return Object.freeze({ ...DEFAULTS, ...Object.fromEntries(given) })
}
