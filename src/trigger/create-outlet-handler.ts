import type { WfTriggerDeps } from '../run'
import { handleWfOutletRequest } from './handle-outlet-request'
import type { WfOutletConfig } from './outlet-config'

/**
 * Answers requests with the workflows of one app: `handleWfOutletRequest` without having to hand the app
 * over each time.
 *
 * @example
 * ```ts
 * import { createOutletHandler, type MoostWf, type WfOutletConfig } from '@atscript/moost-wf'
 *
 * export const handlerOf = (wf: MoostWf, config: WfOutletConfig) => {
 *   const handle = createOutletHandler(wf)
 *   return () => handle(config)
 * }
 * ```
 */
export function createOutletHandler(
  deps: WfTriggerDeps,
): <const N extends string>(config: WfOutletConfig<N>) => Promise<unknown> {
  return config => handleWfOutletRequest(config, deps)
}
