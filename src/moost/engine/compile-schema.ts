import type { TWorkflowItem, TWorkflowSchema, TWorkflowStepConditionFn } from '@prostojs/wf'
import { current } from '@wooksjs/event-core'
import { isGroup, isStep, type StepItem, stepOf } from './schema-item'
import { wfRunKey } from './wf-run'

type Condition<T> = string | TWorkflowStepConditionFn<T>

/**
 * Rewrites a schema so that the engine's positions survive a pause. What an uninterrupted run does
 * stays the same; a resumed run then does it too:
 *
 * - A conditional step becomes a conditional group of one. The engine skips the condition of a group
 *   that it re-enters, but asks a paused step's own condition again, and would hand the step's input
 *   to the next one.
 * - A `while` asks its condition inside its body, as the first item. The engine asks it before it
 *   re-enters a body that was left half way, and would drop the rest of that body.
 */
export function compileSchema<T>(schema: TWorkflowSchema<T>): TWorkflowSchema<T> {
  return schema.map(compileItem)
}

function compileItem<T>(item: TWorkflowItem<T>): TWorkflowItem<T> {
  if (isStep(item)) return compileStep(stepOf(item))
  if (!isGroup(item)) return item
  const steps = compileSchema(item.steps)
  const loop = item.while === undefined ? { steps } : compileLoop(item.while, steps)
  return item.condition === undefined ? loop : { ...loop, condition: item.condition }
}

function compileStep<T>({ condition, ...step }: StepItem<T>): TWorkflowItem<T> {
  return condition === undefined ? step : { condition, steps: [step] }
}

function compileLoop<T>(condition: Condition<T>, body: TWorkflowSchema<T>) {
  const nextRound = () => current().get(wfRunKey).nextRound()
  return { while: nextRound, steps: [{ break: negate(condition) }, ...body] }
}

function negate<T>(condition: Condition<T>): Condition<T> {
  if (typeof condition === 'function') return async context => !(await condition(context))
  // The line break ends a trailing comment in the user's expression.
  return `!(${condition}\n)`
}
