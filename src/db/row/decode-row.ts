import { WfError } from '../../errors'
import type { Column } from '../schema/column'
import type { TableSchema } from '../schema/table-schema'

/** A row as a driver gives it out, back to what was written. */
export function decodeRow(
  schema: TableSchema,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const name of Object.keys(raw)) {
    const column = schema.columns.get(name)
    if (column) row[name] = decode(schema, column, raw[name])
  }
  return row
}

function decode(schema: TableSchema, column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (column.kind) {
    case 'string':
      return String(value)
    case 'boolean':
      // A database without booleans gives 0 and 1; some drivers give them as text.
      return value === true || Number(value) === 1
    case 'integer':
    case 'number':
      // Drivers give 64-bit integers as text, because not all of them fit.
      return Number(value)
    case 'json':
      return parse(schema, column, String(value))
  }
}

function parse(schema: TableSchema, column: Column, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No cause: it would quote the text.
    throw new WfError('WF_DB_FAILED', `"${column.name}" of a row of "${schema.name}" is not JSON.`)
  }
}
