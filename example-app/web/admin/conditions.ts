import type { WfAdminColumn } from '@atscript/moost-wf/admin'

/** One thing that a flow must be like to be listed. */
export interface Condition {
  readonly column: string
  readonly operator: Operator
  readonly value?: string | number | boolean
}

const WORDS = {
  $contains: 'contains',
  $eq: 'is',
  $ne: 'is not',
  $gt: 'more than',
  $gte: 'at least',
  $lt: 'less than',
  $lte: 'at most',
  after: 'after',
  before: 'before',
  longerAgo: 'is longer ago than',
  within: 'comes within',
  empty: 'is empty',
  filled: 'is not empty',
} as const

export type Operator = keyof typeof WORDS

/** A question without a value. */
export const isUnary = (operator: Operator): boolean =>
  operator === 'empty' || operator === 'filled'

export const wordsFor = (operator: Operator): string => WORDS[operator]

/** What can be asked about a column. */
export function operatorsFor({ type, options, nullable }: WfAdminColumn): Operator[] {
  const unary: Operator[] = nullable ? ['filled', 'empty'] : []
  if (options || type === 'boolean') return ['$eq', '$ne', ...unary]
  if (type === 'string') return ['$contains', '$eq', '$ne', ...unary]
  if (type === 'timestamp') return ['after', 'before', ...unary]
  return ['$gte', '$lte', '$gt', '$lt', '$eq', '$ne', ...unary]
}

/** A time that is told from now on, so that an address means the same tomorrow. */
export const isSpan = (operator: Operator): boolean =>
  operator === 'longerAgo' || operator === 'within'

/** The filter for `GET flows`; `undefined` if nothing is asked. */
export function filterOf(conditions: readonly Condition[], now = Date.now()): string | undefined {
  if (conditions.length === 0) return undefined
  return JSON.stringify({ $and: conditions.map(condition => partOf(condition, now)) })
}

function partOf({ column, operator, value }: Condition, now: number): object {
  const span = Number(value) || 0
  switch (operator) {
    case 'empty':
      return { [column]: null }
    case 'filled':
      return { [column]: { $ne: null } }
    case 'after':
      return { [column]: { $gt: value } }
    case 'before':
      return { [column]: { $lt: value } }
    case 'longerAgo':
      return { [column]: { $lt: now - span } }
    case 'within':
      return { [column]: { $gt: now, $lt: now + span } }
    default:
      return { [column]: { [operator]: value } }
  }
}

/** Reads conditions from the address, where anybody may have written anything. */
export function parseConditions(text: string | null): Condition[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isCondition) : []
  } catch {
    return []
  }
}

function isCondition(value: unknown): value is Condition {
  const { column, operator } = (value ?? {}) as Record<string, unknown>
  return (
    typeof column === 'string' && typeof operator === 'string' && Object.hasOwn(WORDS, operator)
  )
}

/** What was typed, as the column holds it; `undefined` if it is no such value. */
export function valueOf({ type }: WfAdminColumn, typed: string): Condition['value'] {
  if (type === 'string') return typed
  if (type === 'boolean') return typed === 'true'
  if (type === 'timestamp') return finite(Date.parse(typed))
  return typed.trim() === '' ? undefined : finite(Number(typed))
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
