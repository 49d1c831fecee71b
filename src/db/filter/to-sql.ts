import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  sql,
  type SqlBool,
} from 'kysely'
import type { SqlValue } from '../row/sql-value'
import type { Comparison, Condition } from './condition'

// oxlint-disable-next-line typescript/no-explicit-any -- columns are known at run time only
type AnyBuilder = ExpressionBuilder<any, any>

/** A condition as an expression for a "where". */
export function toSql(condition: Condition): Expression<SqlBool> {
  return build(expressionBuilder(), condition)
}

function build(eb: AnyBuilder, condition: Condition): Expression<SqlBool> {
  // Kysely's own "and" and "or" of nothing are literals that not every database knows.
  if ('all' in condition) {
    return condition.all.length === 0 ? sql`1 = 1` : eb.and(condition.all.map(c => build(eb, c)))
  }
  if ('any' in condition) {
    return condition.any.length === 0 ? sql`1 = 0` : eb.or(condition.any.map(c => build(eb, c)))
  }
  const compared = compare(eb, condition)
  return condition.orNull ? eb.or([compared, eb(condition.column, 'is', null)]) : compared
}

function compare(eb: AnyBuilder, { column, operator, values }: Comparison): Expression<SqlBool> {
  if (operator === 'is null') return eb(column, 'is', null)
  if (operator === 'is not null') return eb(column, 'is not', null)
  return eb(column, operator, operator === 'in' || operator === 'not in' ? values : values[0])
}

/** What two conditions have in common whose SQL is the same but for the values. */
export function shapeOf(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(shapeOf).join('&')})`
  if ('any' in condition) return `[${condition.any.map(shapeOf).join('|')}]`
  const { column, operator, values, orNull } = condition
  return `${column} ${operator} ${values.length}${orNull ? '?' : ''}`
}

/** Whether the text depends on how many values there are. */
export function hasLists(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(hasLists)
  if ('any' in condition) return condition.any.some(hasLists)
  return condition.operator === 'in' || condition.operator === 'not in'
}

/** The values of a condition, in the order in which its SQL names them. */
export function valuesOf(condition: Condition, into: SqlValue[] = []): SqlValue[] {
  if ('all' in condition) for (const part of condition.all) valuesOf(part, into)
  else if ('any' in condition) for (const part of condition.any) valuesOf(part, into)
  else into.push(...condition.values)
  return into
}
