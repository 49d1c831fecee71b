import { WfError } from '../../errors'
import { isStepName, type WfDescription } from '../../state'

/**
 * Refuses a workflow in which the deadline of a step goes on at a step that it does not have, or not once.
 *
 * @throws WfError `WF_CONFIG`
 */
export function assertDeadlines({ steps, policyOf, stepIdOf }: WfDescription): void {
  for (const { stepId } of steps) {
    const { onTimeout } = policyOf?.(stepId)?.deadline ?? {}
    if (onTimeout === undefined || !isStepName(onTimeout)) continue
    if (stepIdOf?.(onTimeout) !== undefined) continue
    throw new WfError(
      'WF_CONFIG',
      `The deadline of "${stepId}" goes on at "${onTimeout}", which must be a step of the workflow, once.`,
    )
  }
}
