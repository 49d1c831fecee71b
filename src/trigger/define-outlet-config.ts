import { asEnvelope } from './answer/envelope'
import type { WfOutletConfig } from './outlet-config'
import { resolveOutletConfig } from './resolve-outlet-config'

/**
 * Checks a configuration when the application starts, not when the first request comes, and types
 * the names of its strategies. Returns a copy that no longer changes.
 *
 * @throws WfError `WF_CONFIG`
 *
 * @example
 * ```ts
 * import { defineOutletConfig, HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
 *
 * const config = defineOutletConfig({
 *   allow: ['auth/login'],
 *   state: {
 *     strategies: { handle: new HandleStateStrategy({ store: new WfStateStoreMemory() }) },
 *     default: 'handle',
 *   },
 * })
 * ```
 */
export function defineOutletConfig<const N extends string>(
  config: WfOutletConfig<N>,
): WfOutletConfig<N> {
  const own = Object.freeze({ ...config })
  resolveOutletConfig(own as WfOutletConfig, asEnvelope)
  return own
}
