import type { SqlValue } from '../row/sql-value'
import type { Condition } from './condition'

/** The columns that a condition wants to have one value each. */
export function fixedValues(where: Condition): ReadonlyMap<string, SqlValue> {
  const parts = 'all' in where ? where.all : [where]
  const fixed = new Map<string, SqlValue>()
  for (const part of parts) {
    if ('operator' in part && part.operator === '=')
      fixed.set(part.column, part.values[0] as SqlValue)
  }
  return fixed
}
