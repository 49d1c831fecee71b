import { WfError } from '../../errors'
import type { Comparison, Condition } from '../filter/condition'
import { filterError } from '../filter/filter-error'
import { parseFilter } from '../filter/parse-filter'
import { fixedValues } from '../filter/fixed-values'
import { encodeNamed, encodeWhole, fitsColumn, type Stamp } from '../row/encode-row'
import type { SqlRow } from '../row/sql-row'
import { DbMoment } from '../row/db-moment'
import type { SqlValue } from '../row/sql-value'
import type { TableSchema } from '../schema/table-schema'
import type { DbTableType } from '../schema/table-type'
import {
  COMMIT_ID,
  type CommitPlan,
  equals,
  type GateInsert,
  type GateUpdate,
  keepsCommits,
  type PlannedChange,
  type PlannedInsert,
  rowKey,
} from './commit-plan'
import type { DbCommit } from './db-commit'
import type { DbDelete, DbInsert, DbUpdate } from './db-write'

type SchemaOf = (type: DbTableType) => TableSchema

/**
 * Checks a commit, before there is any SQL.
 *
 * @throws WfError `WF_DB_ROW`, `WF_DB_FILTER`, `WF_CONFIG`
 */
export function planCommit(commit: DbCommit<object>, schemaOf: SchemaOf): CommitPlan {
  const { write, returning = [], with: along = [], commitId = crypto.randomUUID() } = commit
  if (typeof commitId !== 'string' || commitId === '') refuse('its id is a text')
  const gate = planGate(write, commitId, schemaOf)
  for (const column of returning as readonly string[]) {
    if (!gate.schema.columns.has(column)) {
      refuse(`"${column}" is not a column of "${gate.schema.name}"`)
    }
  }
  const changes: PlannedChange[] = []
  const changed = new Set([gate.schema.name])
  const inserts: { schema: TableSchema; rows: readonly SqlRow[] }[] = []
  for (const part of along) {
    if (kindOf(part) === 'insert') {
      const insert = planInsert(part as DbInsert, commitId, schemaOf)
      const same = inserts.find(({ schema }) => schema === insert.schema)
      if (same) same.rows = [...same.rows, ...insert.rows]
      else if (insert.rows.length > 0) inserts.push(insert)
      continue
    }
    const change = planChange(part as DbUpdate | DbDelete, schemaOf)
    // Engines differ in what the second would find of a row that the first has written.
    if (changed.has(change.schema.name)) refuse(`it changes "${change.schema.name}" twice`)
    changed.add(change.schema.name)
    if (change.patch?.size !== 0) changes.push(change)
  }
  return { commitId, gate, returning, changes, inserts }
}

function kindOf(part: unknown): 'insert' | 'update' | 'delete' {
  for (const kind of ['insert', 'update', 'delete'] as const) {
    if (typeof part === 'object' && part !== null && kind in part) return kind
  }
  return refuse('its parts are made by insertInto, updateIn and deleteFrom')
}

function planGate(write: unknown, commitId: string, schemaOf: SchemaOf): CommitPlan['gate'] {
  const kind = kindOf(write)
  if (kind === 'insert') return planGateInsert(write as DbInsert, commitId, schemaOf)
  if (kind === 'update') return planGateUpdate(write as DbUpdate, commitId, schemaOf)
  return refuse('it starts with an update or an insert')
}

function planGateInsert(write: DbInsert, commitId: string, schemaOf: SchemaOf): GateInsert {
  const { schema, rows } = planInsert(write, commitId, schemaOf)
  checkKeepsCommits(schema)
  const [row] = rows
  if (!row || rows.length > 1) return refuse('it starts with one row')
  return { schema, row, key: rowKey(schema, row), isPinned: true }
}

function planGateUpdate(
  { update, filter, patch }: DbUpdate,
  commitId: string,
  schemaOf: SchemaOf,
): GateUpdate {
  const schema = schemaOf(update)
  checkKeepsCommits(schema)
  const where = parseFilter(schema, filter)
  const fixed = fixedValues(where)
  const key = schema.uniqueKeys.find(columns => columns.every(column => fixed.has(column)))
  if (!key) {
    throw filterError(
      `a commit needs the "${schema.primaryKey.join(' and ')}" of a row, or all columns of a unique index`,
    )
  }
  const named = encodeNamed(schema, patch, stampOf(schema, commitId))
  return {
    schema,
    where: { all: [where, not(schema, commitId)] },
    patch: named,
    key: { all: key.map(column => isNow(column, named, fixed)) },
    isPinned: [...fixed].some(([column, value]) => isRaised(column, value, named)),
  }
}

/** What a column of the key holds after the write, which may have set it to null. */
function isNow(column: string, patch: SqlRow, fixed: ReadonlyMap<string, SqlValue>): Comparison {
  const value = patch.has(column) ? patch.get(column) : fixed.get(column)
  if (value instanceof DbMoment) return refuse(`"${column}" is a key, and no moment`)
  return value === null || value === undefined
    ? { column, operator: 'is null', values: [], orNull: false }
    : equals(column, value)
}

/** An id of a commit is never used again, so whoever names the last one names it once. */
const isRaised = (column: string, value: SqlValue, patch: SqlRow): boolean =>
  column === COMMIT_ID ||
  (typeof value === 'number' && Number(patch.get(column) ?? Number.NaN) > value)

/** Sent twice, a commit is carried out once. */
const not = (schema: TableSchema, commitId: string): Comparison => ({
  column: COMMIT_ID,
  operator: '<>',
  values: [commitId],
  orNull: schema.columns.get(COMMIT_ID)!.nullable,
})

function planInsert(
  { insert, rows }: DbInsert,
  commitId: string,
  schemaOf: SchemaOf,
): PlannedInsert {
  const schema = schemaOf(insert)
  if (rows.length === 0) return { schema, rows: [] }
  const stamp = keepsCommits(schema) ? stampOf(schema, commitId) : undefined
  return { schema, rows: rows.map(row => encodeWhole(schema, row, { stamp })) }
}

function stampOf(schema: TableSchema, commitId: string): Stamp {
  if (!fitsColumn(schema, COMMIT_ID, commitId)) refuse('its id does not fit the column of a table')
  return { column: COMMIT_ID, value: commitId }
}

function planChange(part: DbUpdate | DbDelete, schemaOf: SchemaOf): PlannedChange {
  const schema = schemaOf('update' in part ? part.update : part.delete)
  const where: Condition = parseFilter(schema, part.filter)
  return 'update' in part
    ? { schema, where, patch: encodeNamed(schema, part.patch) }
    : { schema, where }
}

/** @throws WfError `WF_CONFIG` */
export function checkKeepsCommits(schema: TableSchema): void {
  if (keepsCommits(schema)) return
  throw new WfError(
    'WF_CONFIG',
    `The table "${schema.name}" has no column that keeps the id of a commit: add commitId?: string to its interface.`,
  )
}

function refuse(problem: string): never {
  throw new WfError('WF_DB_ROW', `The commit is refused: ${problem}.`)
}
