import { WfError } from '../../errors'
import type { Column } from '../schema/column'
import type { TableSchema } from '../schema/table-schema'
import { SqlRow } from './sql-row'
import { Misfit, type SqlTerm, toSqlValue } from './sql-value'

/** Takes the place of what a row says of a column. */
export interface Stamp {
  readonly column: string
  readonly value: string
}

/** The columns that `row` names, checked. A key whose value is `undefined` is not named. */
export function encodeNamed(schema: TableSchema, row: object, stamp?: Stamp): SqlRow {
  return encodeColumns(schema, row, stamp, () => undefined)
}

/** All columns: what `row` does not name is its default, or null. With `keepsId` the id is left out. */
export function encodeWhole(
  schema: TableSchema,
  row: object,
  { keepsId = false, stamp }: { readonly keepsId?: boolean; readonly stamp?: Stamp } = {},
): SqlRow {
  return encodeColumns(schema, row, stamp, column =>
    keepsId && schema.primaryKey.includes(column.name) ? undefined : defaultOf(column),
  )
}

/** @param otherwise what to write to a column that is not named; `undefined` leaves it out */
function encodeColumns(
  schema: TableSchema,
  row: object,
  stamp: Stamp | undefined,
  otherwise: (column: Column) => unknown,
): SqlRow {
  if (typeof row !== 'object' || row === null) {
    throw new WfError('WF_DB_ROW', `A row for "${schema.name}" is an object.`)
  }
  const values = row as Record<string, unknown>
  const encoded = new SqlRow()
  let known = 0
  for (const column of schema.columns.values()) {
    const { name } = column
    let value: unknown
    if (Object.hasOwn(row, name)) {
      known++
      value = values[name]
    }
    if (stamp?.column === name) value = stamp.value
    if (value === undefined) value = otherwise(column)
    if (value !== undefined) encoded.add(name, encode(schema, column, value))
  }
  if (known < Object.keys(row).length) refuseOthers(schema, row)
  return encoded
}

function refuseOthers(schema: TableSchema, row: object): void {
  for (const key of Object.keys(row)) {
    if (!schema.columns.has(key)) misfit(schema, key, 'is not a column')
  }
}

/** Fills in the columns that `named` lacks. */
export function completeRow(schema: TableSchema, named: SqlRow): SqlRow {
  const encoded = new SqlRow()
  for (const column of schema.columns.values()) {
    const term = named.get(column.name)
    encoded.add(column.name, term === undefined ? encode(schema, column, defaultOf(column)) : term)
  }
  return encoded
}

/** Whether a value can be written to a column. */
export function fitsColumn(schema: TableSchema, name: string, value: unknown): boolean {
  const column = schema.columns.get(name)
  return column !== undefined && !(fit(column, value) instanceof Misfit)
}

function encode(schema: TableSchema, column: Column, value: unknown): SqlTerm {
  const fitted = fit(column, value)
  return fitted instanceof Misfit ? misfit(schema, column.name, fitted.problem) : fitted
}

function fit(column: Column, value: unknown): SqlTerm | Misfit {
  const encoded = toSqlValue(column, value)
  const { maxLength } = column
  const tooLong =
    maxLength !== undefined && typeof encoded === 'string' && encoded.length > maxLength
  return tooLong ? new Misfit(`is longer than ${maxLength} characters`) : encoded
}

function defaultOf({ default: byDefault }: Column): unknown {
  if (!byDefault) return null
  if ('literal' in byDefault) return byDefault.literal
  return byDefault.generate === 'uuid' ? crypto.randomUUID() : Date.now()
}

function misfit(schema: TableSchema, column: string, problem: string): never {
  throw new WfError('WF_DB_ROW', `"${column}" of a row for "${schema.name}" ${problem}.`)
}
