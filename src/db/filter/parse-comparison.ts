import { DbMoment } from '../row/db-moment'
import { Misfit, type SqlTerm, type SqlValue, toSqlValue } from '../row/sql-value'
import type { Column } from '../schema/column'
import type { Comparison, Condition, SqlOperator } from './condition'
import { filterError, shown } from './filter-error'
import { plainEntries } from './plain-entries'

/** The longest list that `$in` and `$nin` take. */
const MAX_LIST = 1000

/** What follows a column: a value, or operators with their operands. */
export function parseComparison(
  column: Column,
  value: unknown,
  negated: boolean,
  depth: number,
): Condition {
  if (typeof value !== 'object' || value === null) return equals(column, value, negated)
  if (depth === 0) throw filterError(`${shown(column.name)} nests too deeply`)
  const entries = plainEntries(value, `what ${shown(column.name)} is compared with`)
  if (entries.length === 0) throw filterError(`${shown(column.name)} is compared with nothing`)
  const parts = entries.map(([operator, operand]) => {
    if (operator === '$not') return parseNot(column, operand, negated, depth)
    const parse = OPERATORS.get(operator)
    if (!parse) throw filterError(`${shown(operator)} is not a known operator`)
    return parse(column, operand, negated)
  })
  if (parts.length === 1) return parts[0]!
  return negated ? { any: parts } : { all: parts }
}

function parseNot(column: Column, operand: unknown, negated: boolean, depth: number): Condition {
  if (typeof operand !== 'object' || operand === null) throw filterError('$not takes operators')
  return parseComparison(column, operand, !negated, depth - 1)
}

type Parse = (column: Column, operand: unknown, negated: boolean) => Condition

const OPERATORS = new Map<string, Parse>([
  ['$eq', equals],
  ['$ne', (column, operand, negated) => equals(column, operand, !negated)],
  ['$gt', ordered('>', '<=')],
  ['$gte', ordered('>=', '<')],
  ['$lt', ordered('<', '>=')],
  ['$lte', ordered('<=', '>')],
  ['$in', isIn],
  ['$nin', (column, operand, negated) => isIn(column, operand, !negated)],
  ['$contains', contains],
  ['$exists', exists],
])

function equals(column: Column, operand: unknown, negated: boolean): Condition {
  if (operand === null) return compare(column, negated ? 'is not null' : 'is null')
  return compare(column, negated ? '<>' : '=', [toOperand(column, operand)], negated)
}

function ordered(operator: SqlOperator, complement: SqlOperator): Parse {
  return (column, operand, negated) =>
    compare(column, negated ? complement : operator, [toTerm(column, operand)], negated)
}

function isIn(column: Column, operand: unknown, negated: boolean): Condition {
  if (!Array.isArray(operand)) throw filterError('$in and $nin take a list')
  if (operand.length > MAX_LIST) {
    throw filterError(`$in and $nin take at most ${MAX_LIST} values`)
  }
  const items: unknown[] = Array.from(operand)
  const values = items.filter(item => item !== null).map(item => toOperand(column, item))
  const hasNull = values.length < items.length
  if (values.length === 0) {
    if (hasNull) return equals(column, null, negated)
    return negated ? { all: [] } : { any: [] }
  }
  return compare(column, negated ? 'not in' : 'in', values, negated !== hasNull)
}

function contains(column: Column, operand: unknown, negated: boolean): Condition {
  if (column.kind !== 'string') throw filterError(`${shown(column.name)} holds no text`)
  if (operand === '') throw filterError('$contains takes a text that is not empty')
  const values = [toOperand(column, operand)]
  return compare(column, negated ? 'not contains' : 'contains', values, negated)
}

function exists(column: Column, operand: unknown, negated: boolean): Condition {
  if (typeof operand !== 'boolean') throw filterError('$exists takes true or false')
  return equals(column, null, operand !== negated)
}

function compare(
  { name, nullable }: Column,
  operator: SqlOperator,
  values: readonly SqlTerm[] = [],
  orNull = false,
): Comparison {
  return { column: name, operator, values, orNull: orNull && nullable }
}

/** A moment is before or after another. That two are the same means nothing. */
function toOperand(column: Column, operand: unknown): SqlValue {
  const term = toTerm(column, operand)
  if (!(term instanceof DbMoment)) return term
  throw filterError(`${shown(column.name)} is compared with a moment: use $gt, $gte, $lt or $lte`)
}

function toTerm(column: Column, operand: unknown): SqlTerm {
  if (column.kind === 'json') {
    throw filterError(`${shown(column.name)} holds JSON; only null and $exists can be asked of it`)
  }
  if (operand === undefined || operand === null) {
    throw filterError(`${shown(column.name)} is compared with ${operand}`)
  }
  const value = toSqlValue(column, operand)
  if (value instanceof Misfit) {
    throw filterError(`what ${shown(column.name)} is compared with ${value.problem}`)
  }
  return value
}
