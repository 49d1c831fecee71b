import { WfError } from '../errors'
import type { Clock, WfLedger } from '../state'
import { Rejection } from './rejection'

/** How many flows someone may start. */
export interface WfStartLimit {
  /** How many a period has. */
  readonly limit: number
  /** How long a period is, in milliseconds. It begins with its first start. */
  readonly windowMs: number
  /**
   * Who is counted. Called within the request that starts a flow.
   * @default the actor, or else, over HTTP, the network of the connection: `networkOf(useClientAddress())`
   */
  readonly key?: ((actor: string | undefined) => string) | undefined
}

const KIND = 'starts'

/** @throws WfError `WF_CONFIG` */
export function assertStartLimit(
  option: WfStartLimit | undefined,
  ledger: WfLedger | undefined,
): void {
  if (option === undefined) return
  const { limit, windowMs, key } = option
  const isCount = Number.isSafeInteger(limit) && limit > 0
  const isPeriod = Number.isFinite(windowMs) && windowMs > 0
  if (!isCount || !isPeriod || (key !== undefined && typeof key !== 'function')) {
    throw new WfError(
      'WF_CONFIG',
      'startLimit is { limit, windowMs, key? }: two positive numbers, and a function that names who is counted.',
    )
  }
  if (!ledger) throw new WfError('WF_CONFIG', 'startLimit counts on the ledger, and there is none.')
}

/** Counts a start. Of any number at once, in any number of processes, no more than the limit pass. */
export async function countStart(
  { limit, windowMs, key }: WfStartLimit,
  { ledger, clock }: { readonly ledger: WfLedger; readonly clock: Clock },
  actor: string | undefined,
  client: () => string,
): Promise<void> {
  const who = key ? key(actor) : whoOf(actor, client)
  const now = clock.now()
  if ((await ledger.increment(KIND, who, now + windowMs)) <= limit) return
  const { expiresAt = now } = (await ledger.get(KIND, who)) ?? {}
  const seconds = Math.max(1, Math.ceil((expiresAt - now) / 1000))
  throw new Rejection('WF_TOO_MANY', { retryAfterSeconds: seconds })
}

function whoOf(actor: string | undefined, client: () => string): string {
  return actor === undefined ? `client:${client()}` : `actor:${actor}`
}
