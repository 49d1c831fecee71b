import { createHash } from 'node:crypto'
import type { TWorkflowItem, TWorkflowSchema } from '@prostojs/wf'
import {
  normalizeId,
  type WfDescription,
  type WfGroupPosition,
  type WfStepPosition,
} from '../../state'
import { type GroupItem, isBreak, isGroup, isStep, stepOf } from './schema-item'

/** Describes a *compiled* schema, because positions are positions in that one. */
export function describeSchema<T>(
  schemaId: string,
  schema: TWorkflowSchema<T>,
  prefix: string,
): WfDescription {
  const steps = collectSteps(schema, prefix)
  const stepIds = new Map(steps.map(step => [step.indexes.join('.'), step.stepId]))
  return Object.freeze({
    schemaId,
    shape: hashShape(schema, prefix),
    steps,
    groups: collectGroups(schema),
    stepIdAt: (indexes: readonly number[]) => stepIds.get(indexes.join('.')),
    stepIdOf: (name: string) => {
      const stepId = resolveStepId(name, prefix)
      const isOnce = steps.filter(step => step.stepId === stepId).length === 1
      return isOnce ? stepId : undefined
    },
    hasPosition: (indexes: readonly number[]) => hasPosition(schema, indexes),
  })
}

function collectSteps<T>(
  schema: TWorkflowSchema<T>,
  prefix: string,
  path: readonly number[] = [],
): WfStepPosition[] {
  return schema.flatMap((item, index) => {
    const indexes = [...path, index]
    if (isStep(item)) return [{ stepId: resolveStepId(item, prefix), indexes }]
    return isGroup(item) ? collectSteps(item.steps, prefix, indexes) : []
  })
}

function collectGroups<T>(
  schema: TWorkflowSchema<T>,
  path: readonly number[] = [],
): WfGroupPosition[] {
  return schema.flatMap((item, index) => {
    if (!isGroup(item)) return []
    const indexes = [...path, index]
    const { kind, conditional } = groupOf(item)
    return [{ indexes, kind, conditional }, ...collectGroups(item.steps, indexes)]
  })
}

function groupOf<T>(item: GroupItem<T>): Pick<WfGroupPosition, 'kind' | 'conditional'> {
  return {
    kind: item.while === undefined ? 'group' : 'loop',
    conditional: item.condition !== undefined,
  }
}

function hasPosition<T>(schema: TWorkflowSchema<T>, indexes: readonly number[]): boolean {
  const [index, ...rest] = indexes
  if (index === undefined || !Number.isInteger(index) || index < 0) return false
  if (rest.length === 0) return index <= schema.length
  const item = schema[index]
  return item !== undefined && isGroup(item) && hasPosition(item.steps, rest)
}

function hashShape<T>(schema: TWorkflowSchema<T>, prefix: string): string {
  const outline = JSON.stringify(outlineOf(schema, prefix))
  return createHash('sha256').update(outline).digest('base64url').slice(0, 16)
}

type Outline = (string | { kind: string; conditional: boolean; items?: Outline })[]

// The source of a condition is left out on purpose: it differs between builds of one source and is
// the same for different closures.
function outlineOf<T>(schema: TWorkflowSchema<T>, prefix: string): Outline {
  return schema.map(item => {
    if (isStep(item)) return resolveStepId(item, prefix)
    if (!isGroup(item)) return { kind: isBreak(item) ? 'break' : 'continue', conditional: true }
    return { ...groupOf(item), items: outlineOf(item.steps, prefix) }
  })
}

function resolveStepId<T>(
  item: Extract<TWorkflowItem<T>, string | { id: string }>,
  prefix: string,
) {
  const { id } = stepOf(item)
  return normalizeId(id.startsWith('/') ? id : `${prefix}/${id}`)
}
