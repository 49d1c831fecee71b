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
const KEYS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  id: ['id', 'condition', 'input'],
  steps: ['steps', 'condition', 'while'],
  break: ['break'],
  continue: ['continue'],
}

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
  const [kind, another] = KINDS.filter(name => fields[name] !== undefined)
  if (!kind || another) {
    throw malformed(path, `an item has exactly one of ${KINDS.join(', ')}`)
  }
  const stray = Object.keys(fields).find(
    key => fields[key] !== undefined && !KEYS[kind].includes(key),
  )
  if (stray) throw malformed(path, `an item with "${kind}" has no "${stray}"`)
  for (const key of ['condition', 'while', 'break', 'continue']) {
    assertCondition(fields[key], key, path)
  }
  if (isStep(item)) assertStepId(stepOf(item).id, path)
  if (isGroup(item)) assertSchema(item.steps, path)
}

function assertStepId(id: unknown, path: readonly number[]): void {
  if (typeof id !== 'string' || id === '') throw malformed(path, 'a step id is a non-empty string')
}

function assertCondition(condition: unknown, key: string, path: readonly number[]): void {
  if (condition === undefined || typeof condition === 'function') return
  if (typeof condition !== 'string' || !isExpression(condition)) {
    throw malformed(path, `"${key}" is a function or an expression`)
  }
}

/** Compiles it the way the engine will, and does not run it. */
function isExpression(text: string): boolean {
  try {
    // oxlint-disable-next-line no-new-func, no-implied-eval -- schemas are code of the application
    return (
      text.trim() !== '' && Boolean(new Function('context', `with(context){return (${text}\n)}`))
    )
  } catch {
    return false
  }
}

function malformed(path: readonly number[], rule: string): WfError {
  const where = path.length > 0 ? `Item [${path.join(', ')}] of the schema` : 'The schema'
  return new WfError('WF_CONFIG', `${where} is malformed: ${rule}.`)
}
