import type { Column } from '../schema/column'
import type { TableSchema } from '../schema/table-schema'
import type { Condition } from './condition'
import { filterError, shown } from './filter-error'
import { parseComparison } from './parse-comparison'
import { plainEntries } from './plain-entries'
import { valuesOf } from './to-sql'

/** How deep a filter may nest, and how much it may hold: no database takes any number. */
const MAX_DEPTH = 20
const MAX_PARTS = 400
const MAX_VALUES = 2000

/**
 * Checks a filter, which may come straight from a request. Columns are those of the schema,
 * operators those of a list, values of the column's type.
 *
 * @throws WfError `WF_DB_FILTER`
 */
export function parseFilter(schema: TableSchema, filter: unknown): Condition {
  const parser = new FilterParser(schema)
  return parser.parse(filter, false, MAX_DEPTH)
}

class FilterParser {
  #parts = 0
  #values = 0

  constructor(private readonly schema: TableSchema) {}

  parse(filter: unknown, negated: boolean, depth: number): Condition {
    if (depth === 0) throw filterError(`it nests deeper than ${MAX_DEPTH} levels`)
    this.#count(1, 0)
    const parts = plainEntries(filter, 'a filter').map(([key, value]) => {
      if (key === '$and' || key === '$or') {
        const parsed = list(key, value).map(item => this.parse(item, negated, depth - 1))
        return group(key === '$and', negated, parsed)
      }
      if (key === '$not') return this.parse(value, !negated, depth - 1)
      return this.#comparison(key, value, negated, depth)
    })
    return group(true, negated, parts)
  }

  #comparison(key: string, value: unknown, negated: boolean, depth: number): Condition {
    const parsed = parseComparison(this.#column(key), value, negated, depth)
    this.#count(countComparisons(parsed), valuesOf(parsed).length)
    return parsed
  }

  #count(parts: number, values: number): void {
    this.#parts += parts
    this.#values += values
    if (this.#parts > MAX_PARTS) throw filterError(`it has more than ${MAX_PARTS} parts`)
    if (this.#values > MAX_VALUES) throw filterError(`it holds more than ${MAX_VALUES} values`)
  }

  #column(name: string): Column {
    const column = this.schema.columns.get(name)
    if (column) return column
    const what = name.startsWith('$') ? 'operator' : `column of "${this.schema.name}"`
    throw filterError(`${shown(name)} is not a known ${what}`)
  }
}

function list(operator: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw filterError(`${operator} takes a list of filters`)
  if (value.length > MAX_PARTS) throw filterError(`it has more than ${MAX_PARTS} parts`)
  return Array.from(value)
}

function countComparisons(condition: Condition): number {
  if ('all' in condition)
    return condition.all.reduce((sum, part) => sum + countComparisons(part), 0)
  if ('any' in condition)
    return condition.any.reduce((sum, part) => sum + countComparisons(part), 0)
  return condition.orNull ? 2 : 1
}

/** De Morgan: a negated "all" is an "any" of the negated parts. */
function group(all: boolean, negated: boolean, parts: readonly Condition[]): Condition {
  if (parts.length === 1) return parts[0]!
  return all === negated ? { any: parts } : { all: parts }
}
