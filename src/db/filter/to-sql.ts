import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  sql,
  type SqlBool,
} from 'kysely'
import type { DbEngine } from '../db-engine'
import { DbMoment } from '../row/db-moment'
import { termFor } from '../row/sql-terms'
import type { SqlTerm } from '../row/sql-value'
import type { Comparison, Condition } from './condition'

// oxlint-disable-next-line typescript/no-explicit-any -- columns are known at run time only
type AnyBuilder = ExpressionBuilder<any, any>

/** A condition as an expression for a "where". */
export function toSql(condition: Condition, engine: WhereEngine): Expression<SqlBool> {
  return build(expressionBuilder(), condition, engine)
}

type WhereEngine = Pick<DbEngine, 'positionFunction' | 'now'>

function build(eb: AnyBuilder, condition: Condition, engine: WhereEngine): Expression<SqlBool> {
  const buildAll = (parts: readonly Condition[]) => parts.map(part => build(eb, part, engine))
  // Kysely's own "and" and "or" of nothing are literals that not every database knows.
  if ('all' in condition) {
    return condition.all.length === 0 ? sql`1 = 1` : join(buildAll(condition.all), eb.and)
  }
  if ('any' in condition) {
    return condition.any.length === 0 ? sql`1 = 0` : join(buildAll(condition.any), eb.or)
  }
  const compared = compare(eb, condition, engine)
  return condition.orNull ? eb.or([compared, eb(condition.column, 'is', null)]) : compared
}

/** More in a row are halved: D1 takes no deeper tree than 100, and each part of a row is one deeper. */
const MOST_IN_A_ROW = 10

type Parts = readonly Expression<SqlBool>[]

function join(parts: Parts, joined: (parts: Parts) => Expression<SqlBool>): Expression<SqlBool> {
  if (parts.length <= MOST_IN_A_ROW) return joined(parts)
  const middle = parts.length >> 1
  return joined([join(parts.slice(0, middle), joined), join(parts.slice(middle), joined)])
}

function compare(
  eb: AnyBuilder,
  { column, operator, values }: Comparison,
  engine: WhereEngine,
): Expression<SqlBool> {
  if (operator === 'is null') return eb(column, 'is', null)
  if (operator === 'is not null') return eb(column, 'is not', null)
  if (operator === 'contains' || operator === 'not contains') {
    // A text that stands nowhere is at 0. "like" would take % and _ for patterns.
    const found = eb.fn(engine.positionFunction ?? 'instr', [eb.ref(column), eb.val(values[0])])
    return eb(found, operator === 'contains' ? '>' : '=', sql.lit(0))
  }
  if (operator === 'in' || operator === 'not in') return eb(column, operator, values)
  return eb(column, operator, termFor(engine, values[0]!))
}

/** What two conditions have in common whose SQL is the same but for the values. */
export function shapeOf(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(shapeOf).join('&')})`
  if ('any' in condition) return `[${condition.any.map(shapeOf).join('|')}]`
  const { column, operator, values, orNull } = condition
  const operand = values[0] instanceof DbMoment ? 'now' : values.length
  return `${column} ${operator} ${operand}${orNull ? '?' : ''}`
}

/** Whether the text depends on how many values there are. */
export function hasLists(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(hasLists)
  if ('any' in condition) return condition.any.some(hasLists)
  return condition.operator === 'in' || condition.operator === 'not in'
}

/** The values of a condition, in the order in which its SQL names them. */
export function valuesOf(condition: Condition, into: SqlTerm[] = []): SqlTerm[] {
  if ('all' in condition) for (const part of condition.all) valuesOf(part, into)
  else if ('any' in condition) for (const part of condition.any) valuesOf(part, into)
  else into.push(...condition.values)
  return into
}
