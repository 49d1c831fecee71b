import { WfError } from '../../errors'
import { checkCount } from './check-count'
import type { WfFilter } from './row-query'
import { scanRows } from './scan-rows'
import type { VersionedRow, VersionedRows } from './versioned-rows'
import type { WfTable } from './wf-table'

/** How far a heal has come. */
export interface WfHealProgress {
  readonly scanned: number
  readonly changed: number
  /** Rows that hold no workflow state, which were left alone. */
  readonly damaged: number
  /** The id of the last row; `heal({ after })` goes on from there. */
  readonly after: unknown
}

/** Which rows to heal, and how. */
export interface WfHealOptions<Row extends object = object> {
  /**
   * Only these rows.
   *
   * @default all
   */
  readonly filter?: WfFilter<Row> | undefined
  /**
   * Rows per transaction, at most 1,000.
   *
   * @default 100
   */
  readonly batchSize?: number | undefined
  /** Go on behind this id, which a former `onProgress` has told. */
  readonly after?: unknown
  /**
   * Count what would change, and change nothing.
   *
   * @default false
   */
  readonly dryRun?: boolean | undefined
  /** Called after each batch. */
  readonly onProgress?: ((progress: WfHealProgress) => void) | undefined
}

/** All rows of a batch are in memory, and locked for as long as it takes to write them. */
const LARGEST_BATCH = 1000

/** The columns of a row that are to be written, none if it is as it should be. */
export type Correction<Row> = (row: Row) => Record<string, unknown>

/** Writes shadow columns that differ from their context, and says how many rows that changed. */
export async function healRows<Row extends VersionedRow>(
  rows: VersionedRows<Row>,
  correct: Correction<Row>,
  { filter = {}, batchSize = 100, after, dryRun = false, onProgress }: WfHealOptions,
): Promise<number> {
  checkCount('batchSize', batchSize, LARGEST_BATCH)
  const progress = { scanned: 0, changed: 0, damaged: 0 }
  for await (const page of scanRows(rows, { filter, batchSize, after })) {
    const wrong = page.rows.flatMap(row => {
      try {
        const patch = correct(row)
        return Object.keys(patch).length > 0 ? [{ row, patch }] : []
      } catch (error) {
        if (!(error instanceof WfError)) throw error
        progress.damaged++
        return []
      }
    })
    progress.scanned += page.rows.length + page.unreadable
    progress.damaged += page.unreadable
    progress.changed += dryRun ? wrong.length : await inOneBatch(rows, wrong)
    onProgress?.({ ...progress, after: page.last })
  }
  return progress.changed
}

interface WrongRow<Row> {
  readonly row: Row
  readonly patch: object
}

/** One transaction per batch where the table has them: a commit costs more than the rows. */
async function inOneBatch<Row extends VersionedRow>(
  rows: VersionedRows<Row>,
  wrong: readonly WrongRow<Row>[],
): Promise<number> {
  if (wrong.length === 0) return 0
  const write = async (table: WfTable) => {
    let changed = 0
    for (const { row, patch } of wrong) {
      // Only the version that was read: what has been written since has its shadows.
      if (await rows.write(row, patch, table)) changed++
    }
    return changed
  }
  const { table } = rows
  return table.transaction && table.hasTransactions !== false
    ? table.transaction(write)
    : write(table)
}

/** A heal is no write of the flow, whatever a hook names. */
const NOT_HEALED = new Set(['version', 'updatedAt', 'lastUpdatedBy'])

/** The columns of a payload that differ from the row. */
export function changesOf(
  row: Readonly<Record<string, unknown>>,
  payload: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const differs = ([column, value]: [string, unknown]) =>
    value !== undefined && value !== (row[column] ?? null) && !NOT_HEALED.has(column)
  return Object.fromEntries(Object.entries(payload).filter(differs))
}
