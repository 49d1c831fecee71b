import { handlerDecorator } from '../../controllers'
import { getWfMate, WF_FLOW } from '../wf-metadata'

/**
 * Makes a method the head of a workflow. Its id is the controller's prefix and `path`, or the
 * method's name. The method runs at the start *and at every resume*, before the steps.
 *
 * @example
 * ```ts
 * import { Step, Workflow, WorkflowSchema } from '@atscript/moost-wf'
 * import { Controller } from 'moost'
 *
 * @Controller('auth')
 * export class AuthController {
 *   @Workflow('login')
 *   @WorkflowSchema<{ user?: string }>(['password', { id: 'greet', condition: ctx => !!ctx.user }])
 *   login() {}
 *
 *   @Step('password')
 *   password() {}
 *
 *   @Step('greet')
 *   greet() {}
 * }
 * ```
 */
export const Workflow = (path?: string): MethodDecorator =>
  handlerDecorator(getWfMate().decorate('handlers', { type: WF_FLOW, path }, true))
