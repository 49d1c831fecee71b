import type { TWorkflowSchema } from '@prostojs/wf'
import { getWfMate } from '../wf-metadata'

/**
 * Declares the steps of a workflow. Step ids are relative to the controller's prefix, unless they
 * begin with a slash. Conditions are functions of the context or expressions over its keys.
 *
 * @example
 * ```ts
 * import { Workflow, WorkflowSchema } from '@atscript/moost-wf'
 *
 * class Checkout {
 *   @Workflow('checkout')
 *   @WorkflowSchema<{ paid: boolean; tries: number }>([
 *     'address',
 *     { while: ctx => !ctx.paid, steps: ['pay', { break: 'tries > 2' }] },
 *     { id: 'receipt', condition: 'paid' },
 *   ])
 *   checkout() {}
 * }
 * ```
 */
export const WorkflowSchema = <T = unknown>(schema: TWorkflowSchema<T>): MethodDecorator =>
  getWfMate().decorate('wfSchema', schema as TWorkflowSchema<unknown>)
