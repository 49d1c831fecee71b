import type {
  TSubWorkflowSchemaObj,
  TWorkflowItem,
  TWorkflowSchema,
  TWorkflowStepSchemaObj,
} from '@prostojs/wf'
import { WfError } from '../../errors'

export type StepItem<T> = TWorkflowStepSchemaObj<T, unknown>
export type GroupItem<T> = TSubWorkflowSchemaObj<T>

export function isStep<T>(item: TWorkflowItem<T>): item is string | StepItem<T> {
  return typeof item === 'string' || (item as Partial<StepItem<T>>).id !== undefined
}

export function isGroup<T>(item: TWorkflowItem<T>): item is GroupItem<T> {
  return typeof item === 'object' && (item as Partial<GroupItem<T>>).steps !== undefined
}

export function isBreak<T>(item: TWorkflowItem<T>): boolean {
  return typeof item === 'object' && (item as { break?: unknown }).break !== undefined
}

export function stepOf<T>(item: string | StepItem<T>): StepItem<T> {
  return typeof item === 'string' ? { id: item } : item
}

const KINDS = ['id', 'steps', 'break', 'continue'] as const

/**
 * Refuses a schema that the engine would run in a way nobody meant.
 *
 * @throws WfError `WF_CONFIG`, naming the position.
 */
export function assertSchema<T>(schema: TWorkflowSchema<T>, path: readonly number[] = []): void {
  if (!Array.isArray(schema)) throw malformed(path, 'a schema is an array of items')
  schema.forEach((item, index) => assertItem(item, [...path, index]))
}

function assertItem<T>(item: TWorkflowItem<T>, path: readonly number[]): void {
  if (typeof item === 'string') return assertStepId(item, path)
  if (typeof item !== 'object' || item === null) {
    throw malformed(path, 'an item is a step id or an object')
  }
  const fields = item as Record<string, unknown>
  const kinds = KINDS.filter(kind => fields[kind] !== undefined)
  if (kinds.length !== 1) {
    throw malformed(path, `an item has exactly one of ${KINDS.join(', ')}`)
  }
  for (const key of ['condition', 'while', 'break', 'continue'] as const) {
    assertCondition(fields[key], key, path)
  }
  if (isStep(item)) assertStepId(stepOf(item).id, path)
  if (isGroup(item)) assertSchema(item.steps, path)
  if (fields.while !== undefined && !isGroup(item))
    throw malformed(path, '"while" belongs to "steps"')
  if (fields.condition !== undefined && !isStep(item) && !isGroup(item)) {
    throw malformed(path, '"break" and "continue" are conditions themselves')
  }
}

function assertStepId(id: unknown, path: readonly number[]): void {
  if (typeof id !== 'string' || id === '') throw malformed(path, 'a step id is a non-empty string')
}

function assertCondition(condition: unknown, key: string, path: readonly number[]): void {
  if (condition === undefined || typeof condition === 'function') return
  if (typeof condition !== 'string' || condition.trim() === '') {
    throw malformed(path, `"${key}" is a function or an expression`)
  }
}

function malformed(path: readonly number[], rule: string): WfError {
  const where = path.length > 0 ? `Item [${path.join(', ')}] of the schema` : 'The schema'
  return new WfError('WF_CONFIG', `${where} is malformed: ${rule}.`)
}
