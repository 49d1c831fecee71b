import { handlerDecorator } from '../../controllers'
import { getWfMate, WF_STEP } from '../wf-metadata'

/**
 * Makes a method a step. Its id is the controller's prefix and `path`, or the method's name.
 * A step pauses the workflow by returning `{ inputRequired }` or by throwing a `StepRetriableError`.
 *
 * @example
 * ```ts
 * import { Step, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Greeting {
 *   @Step('name')
 *   name(@WorkflowParam('input') input?: { name: string }) {
 *     if (!input) return { inputRequired: { field: 'name' } }
 *   }
 * }
 * ```
 */
export const Step = (path?: string): MethodDecorator =>
  handlerDecorator(getWfMate().decorate('handlers', { type: WF_STEP, path }, true))
