import { WfError } from '../../errors'
import type { VersionedRow, VersionedRows } from './versioned-rows'
import type { WfTableQuery } from './wf-table'

/** Which rows, and how many at a time. */
export interface ScanOptions {
  readonly filter: object
  readonly batchSize: number
  /** Go on behind this id. */
  readonly after: unknown
}

/** A batch of rows. */
export interface ScannedPage<Row> {
  readonly rows: readonly Row[]
  /** How many there were besides that hold what cannot be read. */
  readonly unreadable: number
  /** The id of the last one. */
  readonly last: unknown
}

/**
 * All rows, in batches, in the order of their ids. A page starts behind the last id of the one
 * before, so rows that come and go meanwhile shift nothing.
 */
export async function* scanRows<Row extends VersionedRow>(
  rows: VersionedRows<Row>,
  { filter, batchSize, after }: ScanOptions,
): AsyncGenerator<ScannedPage<Row>> {
  const { idColumn } = rows
  let last = after
  for (;;) {
    const behind = last === undefined ? [] : [{ [idColumn]: { $gt: last } }]
    const page = await readPage(rows, {
      filter: { $and: [filter, rows.scope(), ...behind] },
      controls: { $sort: { [idColumn]: 1 }, $limit: batchSize },
    })
    const found = page.rows.length + page.unreadable
    if (found > 0) yield page
    if (found < batchSize) return
    last = page.last
  }
}

async function readPage<Row extends VersionedRow>(
  rows: VersionedRows<Row>,
  query: WfTableQuery,
): Promise<ScannedPage<Row>> {
  try {
    const found = (await rows.table.findMany(query)) as Row[]
    return { rows: found, unreadable: 0, last: found.at(-1)?.[rows.idColumn] }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return readOneByOne(rows, query)
  }
}

/** One row that cannot be read must not hide the others. */
async function readOneByOne<Row extends VersionedRow>(
  rows: VersionedRows<Row>,
  { filter, controls }: WfTableQuery,
): Promise<ScannedPage<Row>> {
  const { table, idColumn } = rows
  const named = await table.findMany({ filter, controls: { ...controls, $select: [idColumn] } })
  const ids = named.map(row => (row as Record<string, unknown>)[idColumn])
  const found: Row[] = []
  for (const id of ids) {
    try {
      const row = await table.findOne({ filter: { [idColumn]: id, ...rows.scope() } })
      if (row) found.push(row as Row)
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
  }
  return { rows: found, unreadable: ids.length - found.length, last: ids.at(-1) }
}

/** Whether a row holds what cannot be read. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof WfError && error.code === 'WF_DB_FAILED'
