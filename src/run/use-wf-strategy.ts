import { findRunScope } from './run-scope'

/**
 * Reads or changes the state strategy of the next pause. Outside of a workflow that a request runs
 * there is none, and nothing to change.
 *
 * @example
 * ```ts
 * import { Step, useWfStrategy } from '@atscript/moost-wf'
 *
 * class Save {
 *   @Step('save')
 *   save() {
 *     const { current, swap } = useWfStrategy()
 *     if (current() !== 'handle') swap('handle')
 *   }
 * }
 * ```
 */
export function useWfStrategy() {
  const scope = findRunScope()
  return {
    /** The name of the strategy that the next pause will use. */
    current: (): string | undefined => scope?.strategyName,
    /** @throws WfError `WF_CONFIG` when there is no strategy of that name */
    swap: (name: string): void => {
      if (scope) scope.strategyName = scope.registry.named(name).name
    },
  }
}

/**
 * Moves the flow to another state strategy at its next pause.
 *
 * @throws WfError `WF_CONFIG` when there is no strategy of that name
 *
 * @example
 * ```ts
 * import { outletEmail, Step, swapStrategy } from '@atscript/moost-wf'
 *
 * class Invite {
 *   @Step('send')
 *   send() {
 *     swapStrategy('handle')
 *     return outletEmail('ada@example.com', 'invite')
 *   }
 * }
 * ```
 */
export function swapStrategy(name: string): void {
  useWfStrategy().swap(name)
}
