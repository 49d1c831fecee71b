import { describe } from 'vitest'
import { describeLedgerEntries } from './ledger/entries.suite'
import { describeLedgerExpiry } from './ledger/expiry.suite'
import { describeLedgerExtending } from './ledger/extending.suite'
import { describeLedgerRaces } from './ledger/races.suite'
import type { LedgerSuite } from './ledger/opened-ledger'

/**
 * The conformance suite of ledgers, for vitest. A ledger that passes it can guard tokens and count
 * attempts.
 *
 * @example
 * ```ts
 * import { WfLedgerMemory } from '@atscript/moost-wf'
 * import { describeLedger, FakeClock } from '@atscript/moost-wf/testing'
 *
 * describeLedger({
 *   name: 'in memory',
 *   open: () => {
 *     const clock = new FakeClock()
 *     return { ledger: new WfLedgerMemory({ clock }), clock }
 *   },
 * })
 * ```
 */
export function describeLedger({ name, open, lacks = {} }: LedgerSuite): void {
  describe(`ledger: ${name}`, () => {
    describeLedgerEntries(open)
    describeLedgerExpiry(open, lacks)
    describeLedgerExtending(open, lacks)
    describeLedgerRaces(open)
  })
}
