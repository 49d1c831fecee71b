import { useTriggerScope } from './trigger-scope'

/** The action that the client has named, such as a button beside the submit button. */
export function useWfAction() {
  const scope = useTriggerScope('useWfAction()')
  return { getAction: (): string | undefined => scope.action }
}
