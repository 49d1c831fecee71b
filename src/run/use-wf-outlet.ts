import type { WfOutlet } from '../outlets'
import type { WfStateStrategy } from '../state'
import { useRunScope } from './run-scope'

/**
 * The outlets and the strategy of the request that runs this workflow.
 *
 * @throws WfError `WF_CONFIG` outside of a workflow that a request runs
 *
 * @example
 * ```ts
 * import { outletEmail, outletHttp, Step, useWfOutlet } from '@atscript/moost-wf'
 *
 * class Invite {
 *   @Step('send')
 *   send() {
 *     const canMail = useWfOutlet().getOutlet('email') !== null
 *     return canMail ? outletEmail('ada@example.com', 'invite') : outletHttp({ form: 'invite' })
 *   }
 * }
 * ```
 */
export function useWfOutlet() {
  const scope = useRunScope('useWfOutlet()')
  return {
    getOutlet: (name: string): WfOutlet | null => scope.outlets.get(name) ?? null,
    getOutlets: (): ReadonlyMap<string, WfOutlet> => scope.outlets,
    getStateStrategy: (): WfStateStrategy => scope.registry.named(scope.strategyName).strategy,
  }
}
