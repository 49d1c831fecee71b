import { isRecord } from '../../state'

/** What a step of a workflow of named steps says: which one is next. */
export interface WfGoTo<Name extends string = string> {
  readonly step: Name
}

/** What such a step says at the end. */
export interface WfDone<R = unknown> {
  readonly done: true
  readonly result?: R | undefined
}

/** What each step of a workflow of named steps ends with, unless it pauses. */
export type WfContinuation<Name extends string = string, R = unknown> = WfGoTo<Name> | WfDone<R>

/**
 * Goes on at the step with this name, as `@WorkflowSteps` has it.
 *
 * @example
 * ```ts
 * import { done, goTo, Step, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Orders {
 *   @Step('charge')
 *   charge(@WorkflowParam('context') ctx: { total: number }) {
 *     return ctx.total > 0 ? goTo('ship') : done({ charged: false })
 *   }
 * }
 * ```
 */
export function goTo<const Name extends string>(step: Name): WfGoTo<Name> {
  return { step }
}

/** Ends a workflow of named steps. The result is what it comes to. */
export function done<R>(result?: R): WfDone<R> {
  return { done: true, result }
}

export function isGoTo(output: unknown): output is WfGoTo {
  return isRecord(output) && typeof output.step === 'string'
}

export function isDone(output: unknown): output is WfDone {
  return isRecord(output) && output.done === true
}
