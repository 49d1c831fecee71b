import type { WfDescription } from './wf-description'
import type { WfPosition } from './wf-notes'

/** What is noted of a flow that waits at a step. */
export function positionAt(
  description: WfDescription | undefined,
  indexes: readonly number[],
): WfPosition {
  const stepId = description?.stepIdAt(indexes)
  return { stepId, shape: description?.shape, repeated: isRepeated(description, stepId) }
}

/** What is noted of a flow that goes on right behind a step, waiting for nothing. */
export function positionBehind(
  description: WfDescription | undefined,
  indexes: readonly number[],
): WfPosition {
  const after = description?.stepIdAt(stepBefore(indexes))
  return { after, shape: description?.shape, repeated: isRepeated(description, after) }
}

/** Whether the path of a state leads to where its note says. */
export function isAt(
  { stepId, after }: WfPosition,
  indexes: readonly number[],
  { stepIdAt, hasPosition }: WfDescription,
): boolean {
  if (after === undefined) return stepId !== undefined && stepIdAt(indexes) === stepId
  return hasPosition(indexes) && stepIdAt(stepBefore(indexes)) === after
}

/** Where a flow goes on in a workflow of another shape; `undefined` if there is any doubt. */
export function findPosition(
  { stepId, after, repeated }: WfPosition,
  description: WfDescription,
): number[] | undefined {
  if (repeated) return undefined
  if (after === undefined) {
    return stepId === undefined ? undefined : onlyPositionOf(stepId, description)
  }
  const step = onlyPositionOf(after, description)
  return step && moveLast(step, 1)
}

/** Where the only step of this id is. */
export function onlyPositionOf(stepId: string, { steps }: WfDescription): number[] | undefined {
  const [only, ...others] = steps.filter(step => step.stepId === stepId)
  return only && others.length === 0 ? [...only.indexes] : undefined
}

function isRepeated(description: WfDescription | undefined, stepId: string | undefined) {
  const found = description?.steps.filter(step => step.stepId === stepId).length ?? 0
  return found > 1 ? (true as const) : undefined
}

function stepBefore(indexes: readonly number[]): number[] {
  return moveLast(indexes, -1)
}

function moveLast(indexes: readonly number[], by: number): number[] {
  return [...indexes.slice(0, -1), (indexes.at(-1) ?? 0) + by]
}
