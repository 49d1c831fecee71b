import { describe } from 'vitest'
import { describeRunChanges } from './runs/changes.suite'
import { describeRunExpiry } from './runs/expiry.suite'
import { describeRunKeys } from './runs/keys.suite'
import { describeDue } from './runs/due.suite'
import { describeLeases } from './runs/leases.suite'
import { describeRunLinks } from './runs/links.suite'
import { describeManyRuns } from './runs/many.suite'
import { describeRunMessages } from './runs/messages.suite'
import { describeOpenedLinks } from './runs/opens.suite'
import { describeRunSignals } from './runs/signals.suite'
import type { RunStoreSuite } from './runs/opened-run-store'

/**
 * The conformance suite of stores of durable runs, for vitest: what passes it, a
 * `DurableStateStrategy` can stand on.
 *
 * @example
 * ```ts
 * import { WfRunStoreMemory } from '@atscript/moost-wf/store'
 * import { describeRunStore, FakeClock } from '@atscript/moost-wf/testing'
 *
 * describeRunStore({
 *   name: 'memory',
 *   open: () => {
 *     const clock = new FakeClock()
 *     return { clock, store: new WfRunStoreMemory({ clock, outbox: true }) }
 *   },
 * })
 * ```
 */
export function describeRunStore({ name, open, lacks = {} }: RunStoreSuite): void {
  describe(`run store: ${name}`, () => {
    describeRunChanges(open)
    describeRunExpiry(open)
    describeRunLinks(open)
    describeRunKeys(open)
    describeLeases(open)
    describeDue(open)
    describeManyRuns(open)
    describeRunMessages(open, lacks)
    describeRunSignals(open, lacks)
    describeOpenedLinks(open, lacks)
  })
}
