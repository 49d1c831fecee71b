import { WfError } from '../../errors'
import type { SqlRow } from '../row/sql-row'
import type { Column } from '../schema/column'
import type { TableSchema } from '../schema/table-schema'

/** How a row is written that may be there already. */
export interface DbUpsertOptions<Column extends string, Returned extends Column = Column> {
  /** The id, or all columns of a unique index: a row with the same values is the same row. */
  readonly conflict: readonly Column[]
  /** Columns that stay as they are when the row is there already. */
  readonly insertOnly?: readonly Column[] | undefined
  /** Columns that go up by one when the row is there already. */
  readonly increment?: readonly Column[] | undefined
  /** Columns to give back as they are after the write. */
  readonly returning?: readonly Returned[] | undefined
}

/** An upsert, checked, whatever the values are. */
export interface UpsertPlan {
  readonly shape: string
  readonly conflict: readonly string[]
  /** Columns that are written to a row that is there. */
  readonly copy: readonly string[]
  readonly increment: readonly string[]
  readonly returning: readonly string[]
  /** Whether a row can share a unique value with another than the one that is meant. */
  readonly canMeetOthers: boolean
}

const plans = new WeakMap<TableSchema, Map<string, UpsertPlan>>()
const MOST_PLANS = 100

/** @throws WfError `WF_DB_ROW` */
export function planUpsert(
  schema: TableSchema,
  named: SqlRow,
  options: DbUpsertOptions<string>,
): UpsertPlan {
  const { conflict, insertOnly = [], increment = [], returning = [] } = options
  const columns = [...named.keys()]
  const shape = `${columns} upsert ${conflict};${insertOnly};${increment};${returning}`
  const known = plans.get(schema) ?? new Map<string, UpsertPlan>()
  const plan = known.get(shape) ?? checkPlan(schema, columns, options, shape)
  if (known.size < MOST_PLANS) plans.set(schema, known.set(shape, plan))
  if (conflict.some(column => (named.get(column) ?? null) === null)) {
    refuse(`the row must name ${conflict.join(' and ')}`)
  }
  return plan
}

function checkPlan(
  schema: TableSchema,
  columns: readonly string[],
  { conflict, insertOnly = [], increment = [], returning = [] }: DbUpsertOptions<string>,
  shape: string,
): UpsertPlan {
  for (const column of [...conflict, ...insertOnly, ...increment, ...returning]) {
    if (!schema.columns.has(column)) refuse(`"${column}" is not a column of "${schema.name}"`)
  }
  if (increment.some(column => !isNumeric(schema.columns.get(column)))) {
    refuse('only a number can go up')
  }
  const others = schema.uniqueKeys.filter(key => !sameColumns(key, conflict))
  if (others.length === schema.uniqueKeys.length) {
    refuse(
      `conflict must be the "${schema.primaryKey.join(' and ')}" of a row, or all columns of a unique index`,
    )
  }
  const notCopied = new Set([...conflict, ...insertOnly, ...increment])
  const copy = columns.filter(column => !notCopied.has(column))
  return {
    shape,
    conflict,
    // There must be something to write, else nothing is returned for a row that is there.
    copy: copy.length + increment.length === 0 ? conflict.slice(0, 1) : copy,
    increment,
    returning,
    // An id that is generated is no one else's.
    canMeetOthers: others.some(
      key => key !== schema.primaryKey || key.every(column => columns.includes(column)),
    ),
  }
}

function isNumeric(column: Column | undefined): boolean {
  return column?.kind === 'number' || column?.kind === 'integer'
}

function sameColumns(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(column => other.includes(column))
}

function refuse(problem: string): never {
  throw new WfError('WF_DB_ROW', `The upsert is refused: ${problem}.`)
}
