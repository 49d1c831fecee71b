import type { BoundStatement } from '../db-engine'
import type { SqlValue } from '../row/sql-value'

/**
 * Lets a statement take all of its values from one parameter, a JSON list. SQLite reads back from it
 * what was written: text, whole numbers, and doubles to the last bit.
 */
export function packValues(sql: string, values: readonly SqlValue[]): BoundStatement {
  let at = 0
  // Statements of ours hold no literal texts, so each question mark is a parameter.
  const packed = sql.replaceAll('?', () => `json_extract(?1, '$[${at++}]')`)
  return { sql: packed, values: [JSON.stringify(values)] }
}
