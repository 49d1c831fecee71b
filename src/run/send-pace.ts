import type { Clock, WfLedger } from '../state'
import type { WfFreshLinks } from './fresh-options'

const DAY_MS = 24 * 60 * 60_000

/** How often something may be sent to the same person, and where that is counted. */
export interface SendPace extends Required<WfFreshLinks> {
  readonly ledger: WfLedger
  readonly clock: Clock
  /** The ledger's kinds of entries. */
  readonly sent: { readonly soon: string; readonly today: string }
}

/** Whether the next one may be sent, which counts as sent then. */
export async function isInTime(
  { ledger, clock, sent, everyMs, perDay }: SendPace,
  key: string,
): Promise<boolean> {
  const now = clock.now()
  if ((await ledger.increment(sent.soon, key, now + everyMs)) > 1) return false
  return (await ledger.increment(sent.today, key, now + DAY_MS)) <= perDay
}
