import { useWfState } from '@wooksjs/event-wf'
import { Resolve } from 'moost'

const RESOLVERS = {
  context: () => useWfState().ctx(),
  input: () => useWfState().input(),
  stepId: () => useWfState().stepId(),
  schemaId: () => useWfState().schemaId,
  indexes: () => useWfState().indexes(),
  resume: () => useWfState().resume,
  state: () => useWfState(),
}

/**
 * Injects a part of the running workflow: its `context`, the `input` of this step, the ids of the
 * step and the workflow, its position, whether this run is a resume, or all of it as `state`.
 *
 * @example
 * ```ts
 * import { Step, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Order {
 *   @Step('total')
 *   total(@WorkflowParam('context') ctx: { items: number[]; total?: number }) {
 *     ctx.total = ctx.items.reduce((sum, price) => sum + price, 0)
 *   }
 * }
 * ```
 */
export const WorkflowParam = (
  name: keyof typeof RESOLVERS,
): ParameterDecorator & PropertyDecorator => Resolve(RESOLVERS[name], name)
