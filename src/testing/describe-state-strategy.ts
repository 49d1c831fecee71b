import { describe } from 'vitest'
import { describeClaims } from './strategy/claims.suite'
import type { StateStrategySuite } from './strategy/opened-strategy'
import { describePanels } from './strategy/panels.suite'
import { describePauses } from './strategy/pauses.suite'
import { describeReissues } from './strategy/reissues.suite'
import { describeStays } from './strategy/stays.suite'
import { describeTokens } from './strategy/tokens.suite'

/**
 * The conformance suite of state strategies, for vitest. A strategy that passes it works under
 * `handleAsOutletRequest`.
 *
 * @example
 * ```ts
 * import { HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
 * import { describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
 *
 * describeStateStrategy({
 *   name: 'handle, in memory',
 *   open: () => {
 *     const clock = new FakeClock()
 *     const store = new WfStateStoreMemory({ clock })
 *     return { strategy: new HandleStateStrategy({ store }), clock }
 *   },
 *   lacks: { runKeys: 'a handle knows nothing of other flows', panels: 'there is one handle' },
 * })
 * ```
 */
export function describeStateStrategy({ name, open, lacks = {} }: StateStrategySuite): void {
  describe(`state strategy: ${name}`, () => {
    describeTokens(open, lacks)
    describeClaims(open, lacks)
    describePauses(open, lacks)
    describePanels(open, lacks)
    describeStays(open, lacks)
    describeReissues(open, lacks)
  })
}
