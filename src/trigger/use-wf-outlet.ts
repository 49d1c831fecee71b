import type { WfOutlet } from '../outlets'
import type { WfStateStrategy } from '../state'
import { useTriggerScope } from './trigger-scope'

/** The outlets and the strategy of the request that runs this workflow. */
export function useWfOutlet() {
  const scope = useTriggerScope('useWfOutlet()')
  return {
    getOutlet: (name: string): WfOutlet | undefined => scope.outlets.get(name),
    getOutlets: (): WfOutlet[] => [...scope.outlets.values()],
    getStateStrategy: (): WfStateStrategy => scope.registry.named(scope.strategyName).strategy,
  }
}
