import type { Clock } from '../../state'
import { checkBatches, deleteExpired } from './delete-expired'
import { wholeTime } from './expiry'
import { countMatching } from './row-pages'
import type { VersionedRow, VersionedRows } from './versioned-rows'

/** How far a cleanup has come. */
export interface WfCleanupProgress {
  readonly deleted: number
}

/** What to delete, and how. */
export interface WfCleanupOptions {
  /**
   * Milliseconds past its expiry for which a row is kept. `Infinity` keeps all.
   *
   * @default 0
   */
  readonly retention?: number | undefined
  /**
   * Delete at most this many rows.
   *
   * @default no limit
   */
  readonly limit?: number | undefined
  /**
   * Rows per statement, at most 1,000.
   *
   * @default 500
   */
  readonly batchSize?: number | undefined
  /**
   * Count what would be deleted, and delete nothing.
   *
   * @default false
   */
  readonly dryRun?: boolean | undefined
  /** Called after each batch. */
  readonly onProgress?: ((progress: WfCleanupProgress) => void) | undefined
}

/** Deletes rows whose expiry is that long ago, and says how many. A row that can be resumed stays. */
export async function cleanupRows<Row extends VersionedRow>(
  rows: VersionedRows<Row>,
  clock: Clock,
  options: WfCleanupOptions,
): Promise<number> {
  const { retention = 0, limit = Infinity, batchSize = 500, dryRun = false, onProgress } = options
  if (!(retention >= 0)) throw new TypeError('retention is a number from 0.')
  checkBatches({ limit, batchSize })
  if (retention === Infinity) return 0
  const { table, idColumn } = rows
  const expired = { expiresAt: { $lte: Math.floor(wholeTime(clock) - retention) }, ...rows.scope() }
  if (dryRun) return Math.min(limit, await countMatching(rows, expired))
  return deleteExpired(table, { idColumn, expired, limit, batchSize, onProgress })
}
