import { describe } from 'vitest'
import { describeExpiry } from './store/expiry.suite'
import type { StateStoreSuite } from './store/opened-store'
import { describeStates } from './store/states.suite'
import { describeTaking } from './store/taking.suite'
import { describeVersions } from './store/versions.suite'

/**
 * The conformance suite of state stores, for vitest. What passes it can be handed to
 * `HandleStateStrategy`.
 *
 * @example
 * ```ts
 * import { WfStateStoreMemory } from '@atscript/moost-wf'
 * import { describeStateStore, FakeClock } from '@atscript/moost-wf/testing'
 *
 * describeStateStore({
 *   name: 'memory',
 *   open: () => {
 *     const clock = new FakeClock()
 *     return { store: new WfStateStoreMemory({ clock }), clock }
 *   },
 * })
 * ```
 */
export function describeStateStore({ name, open, lacks = {} }: StateStoreSuite): void {
  describe(`state store: ${name}`, () => {
    describeStates(open)
    describeExpiry(open)
    describeTaking(open)
    describeVersions(open, lacks)
  })
}
