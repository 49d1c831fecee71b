import { WfError } from '../../errors'
import type { Column } from '../schema/column'
import type { TableSchema } from '../schema/table-schema'
import { Misfit, type SqlTerm, toSqlValue } from './sql-value'

/** Columns and what to bind to them, in the order of the schema. */
export type SqlRow = Map<string, SqlTerm>

/** The columns that `row` names, checked. A key whose value is `undefined` is not named. */
export function encodeNamed(schema: TableSchema, row: object): SqlRow {
  if (typeof row !== 'object' || row === null) {
    throw new WfError('WF_DB_ROW', `A row for "${schema.name}" is an object.`)
  }
  for (const key of Object.keys(row)) {
    if (!schema.columns.has(key)) misfit(schema, key, 'is not a column')
  }
  const values = row as Record<string, unknown>
  const encoded: SqlRow = new Map()
  for (const column of schema.columns.values()) {
    if (Object.hasOwn(row, column.name) && values[column.name] !== undefined) {
      encoded.set(column.name, encode(schema, column, values[column.name]))
    }
  }
  return encoded
}

/** All columns: what `row` does not name is its default, or null. With `keepsId` the id is left out. */
export function encodeWhole(
  schema: TableSchema,
  row: object,
  options: { readonly keepsId?: boolean } = {},
): SqlRow {
  return completeRow(schema, encodeNamed(schema, row), options)
}

/** Fills in the columns that `named` lacks. */
export function completeRow(
  schema: TableSchema,
  named: SqlRow,
  { keepsId = false }: { readonly keepsId?: boolean } = {},
): SqlRow {
  const encoded: SqlRow = new Map()
  for (const column of schema.columns.values()) {
    const value = named.get(column.name)
    if (keepsId && value === undefined && schema.primaryKey.includes(column.name)) continue
    encoded.set(
      column.name,
      value === undefined ? encode(schema, column, defaultOf(column)) : value,
    )
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
