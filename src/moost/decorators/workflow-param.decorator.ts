import { current } from '@wooksjs/event-core'
import { resumeKey, useWfState, wfKind } from '@wooksjs/event-wf'
import { Resolve } from 'moost'

const { inputContext, input, stepId, schemaId, indexes } = wfKind.keys

const RESOLVERS = {
  context: () => current().get(inputContext),
  input: () => current().get(input),
  stepId: () => current().get(stepId),
  schemaId: () => current().get(schemaId),
  indexes: () => current().get(indexes),
  resume: () => current().get(resumeKey),
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
