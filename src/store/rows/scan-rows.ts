import type { RowAccess } from '../states/row-access'
import { WfError } from '../../errors'
import type { WfStoredRow, WfTable, WfTableQuery } from './wf-table'

/** Which rows, and how many at a time. */
export interface ScanOptions {
  readonly filter: object
  readonly batchSize: number
  /** Go on behind this id. */
  readonly after: unknown
}

/** A batch of rows. */
export interface ScannedPage {
  readonly rows: readonly WfStoredRow[]
  /** How many there were besides that hold what cannot be read. */
  readonly unreadable: number
  /** The id of the last one. */
  readonly last: unknown
}

/**
 * All rows, in batches, in the order of their ids. A page starts behind the last id of the one
 * before, so rows that come and go meanwhile shift nothing.
 */
export async function* scanRows(
  { table, idColumn, scope }: RowAccess,
  { filter, batchSize, after }: ScanOptions,
): AsyncGenerator<ScannedPage> {
  let last = after
  for (;;) {
    const behind = last === undefined ? [] : [{ [idColumn]: { $gt: last } }]
    const page = await readPage(table, idColumn, {
      filter: { $and: [filter, scope(), ...behind] },
      controls: { $sort: { [idColumn]: 1 }, $limit: batchSize },
    })
    const found = page.rows.length + page.unreadable
    if (found > 0) yield page
    if (found < batchSize) return
    last = page.last
  }
}

async function readPage(
  table: WfTable,
  idColumn: string,
  query: WfTableQuery,
): Promise<ScannedPage> {
  try {
    const rows = (await table.findMany(query)) as WfStoredRow[]
    return { rows, unreadable: 0, last: rows.at(-1)?.[idColumn] }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return readOneByOne(table, idColumn, query)
  }
}

/** One row that cannot be read must not hide the others. */
async function readOneByOne(
  table: WfTable,
  idColumn: string,
  { filter, controls }: WfTableQuery,
): Promise<ScannedPage> {
  const named = await table.findMany({ filter, controls: { ...controls, $select: [idColumn] } })
  const ids = named.map(row => (row as Record<string, unknown>)[idColumn])
  const rows: WfStoredRow[] = []
  for (const id of ids) {
    try {
      const row = await table.findOne({ filter: { [idColumn]: id } })
      if (row) rows.push(row as WfStoredRow)
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
  }
  return { rows, unreadable: ids.length - rows.length, last: ids.at(-1) }
}

/** Whether a row holds what cannot be read. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof WfError && error.code === 'WF_DB_FAILED'
