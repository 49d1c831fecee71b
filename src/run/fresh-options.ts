import { WfError } from '../errors'
import type { WfLedger } from '../state'
import { JobQueue } from './job-queue'

const MINUTE_MS = 60_000
const AT_ONCE = 4
/** Anybody may ask, and most of it is found to be nothing by one look. */
const MOST_WAITING = 1000

/** How often a link is sent anew. */
export interface WfFreshLinks {
  /** Milliseconds between two links of one flow, to the same person if it asks several. @default 1 minute */
  readonly everyMs?: number | undefined
  /** How many links one flow sends anew within 24 hours, to each if it asks several. @default 5 */
  readonly perDay?: number | undefined
}

/** The same with every default filled in, and where the work waits for its turn. */
export interface PacedSending extends Required<WfFreshLinks> {
  readonly queue: JobQueue
}

/** @throws WfError `WF_CONFIG` */
export function resolveFresh(
  option: boolean | WfFreshLinks | undefined,
  ledger: WfLedger | undefined,
): PacedSending | undefined {
  if (option === false || (option === undefined && !ledger)) return undefined
  const { everyMs = MINUTE_MS, perDay = 5 } = typeof option === 'object' ? option : {}
  check(ledger !== undefined, 'needs a ledger')
  check(everyMs > 0 && Number.isFinite(everyMs), 'has a positive everyMs')
  check(perDay > 0 && Number.isSafeInteger(perDay), 'has a perDay from 1')
  return paced({ everyMs, perDay })
}

/** What is sent to whoever asks, and not too often to the same person. */
export function paced({ everyMs = MINUTE_MS, perDay = 5 }: WfFreshLinks = {}): PacedSending {
  return { everyMs, perDay, queue: new JobQueue({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING }) }
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `freshLinks ${rule}.`)
}
