import type { WfLedger } from '../../state'

/** An empty ledger that is to be tested, and the clock that decides what has expired in it. */
export interface OpenedLedger {
  readonly ledger: WfLedger
  readonly clock: { now(): number; advance(ms: number): void }
}

export type OpenLedger = () => OpenedLedger | Promise<OpenedLedger>

/** What a ledger may lack, each with the reason, which is printed. */
export interface LedgerLacks {
  /** It has no `cleanup`. */
  readonly cleanup?: string | undefined
  /** It has no `extend`. */
  readonly extend?: string | undefined
}

export interface LedgerSuite {
  readonly name: string
  /** Called for each test. */
  readonly open: OpenLedger
  readonly lacks?: LedgerLacks | undefined
}
