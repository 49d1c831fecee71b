import type { DbEngine } from '../db-engine'
import type { SqlRow } from '../row/sql-row'
import { shapeOfMoments, termsOf } from '../row/sql-terms'
import type { TableSchema } from '../schema/table-schema'
import type { Statement } from '../session/db-session'
import type { TableAccess } from './table-access'

/** What one statement may carry, whatever the database takes: some limit the bytes. */
const MAX_VALUES = 5000
const MAX_CHARACTERS = 4_000_000

/** Inserts all rows or none, each of them whole. */
export async function insertRows(access: TableAccess, rows: readonly SqlRow[]): Promise<void> {
  const { schema, session } = access
  const [first, ...others] = splitRows(session.engine, rows).map(chunk =>
    insertion(session.engine, schema, chunk),
  )
  if (others.length > 0) await session.runAll([first!, ...others])
  else if (first) await session.run(first)
}

/** Inserts a row unless a unique value is taken; `false` then. */
export async function tryInsertRow(
  { schema, session }: TableAccess,
  row: SqlRow,
): Promise<boolean> {
  return (await session.tryRun(insertion(session.engine, schema, [row]))) !== null
}

/** How many rows a statement may insert that is kept: its text depends on their number. */
export const MOST_KEPT_ROWS = 4

/** What inserts rows, each of them whole. */
export function insertion(
  engine: DbEngine,
  schema: TableSchema,
  rows: readonly SqlRow[],
): Statement {
  return {
    shape: `${schema.name} insert ${rows.length}${shapeOfMoments(rows)}`,
    isOneOff: rows.length > MOST_KEPT_ROWS,
    values: rows.flatMap(row => [...row.values()]),
    build: db => db.insertInto(schema.name).values(rows.map(row => termsOf(engine, row))),
  }
}

/** Whether rows with so many values and characters can travel in one statement. */
export const fitsStatement = (engine: DbEngine, values: number, characters: number): boolean =>
  values <= Math.min(MAX_VALUES, engine.maxParameters) && characters <= MAX_CHARACTERS

/** Rows in portions for a statement each. */
export function splitRows(
  { maxParameters }: Pick<DbEngine, 'maxParameters'>,
  rows: readonly SqlRow[],
): SqlRow[][] {
  const most = Math.min(MAX_VALUES, maxParameters)
  const chunks: SqlRow[][] = []
  let values = Infinity
  let characters = 0
  for (const row of rows) {
    const length = row.characters
    if (values + row.size > most || characters + length > MAX_CHARACTERS) {
      chunks.push([])
      values = 0
      characters = 0
    }
    chunks.at(-1)!.push(row)
    values += row.size
    characters += length
  }
  return chunks
}
