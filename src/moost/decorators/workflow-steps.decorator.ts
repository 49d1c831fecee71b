import type { WfNamedSteps } from '../engine/named-steps'
import { getWfMate } from '../wf-metadata'

/**
 * Declares a workflow as a set of named steps, the first one first. Each step says by itself what comes next:
 * `goTo('ship')`, or `done(result)`, or it pauses. As an object it names for each step the ones that it may go
 * on at, and a name that there is not stops the application at its start.
 *
 * @example
 * ```ts
 * import { done, goTo, Step, Workflow, WorkflowParam, WorkflowSteps } from '@atscript/moost-wf'
 *
 * class Orders {
 *   @Workflow('order')
 *   @WorkflowSteps({ check: ['charge'], charge: ['charge', 'ship'], ship: [] })
 *   order() {}
 *
 *   @Step('check')
 *   check(@WorkflowParam('context') ctx: { total: number }) {
 *     return ctx.total > 0 ? goTo('charge') : done({ shipped: false })
 *   }
 *
 *   @Step('charge')
 *   charge() {
 *     return goTo('ship')
 *   }
 *
 *   @Step('ship')
 *   ship() {
 *     return done({ shipped: true })
 *   }
 * }
 * ```
 */
export const WorkflowSteps = (steps: WfNamedSteps): MethodDecorator =>
  getWfMate().decorate('wfNamedSteps', steps)
