import { checkBatches, deleteExpired } from '../rows/delete-expired'
import type { WfLedgerTable } from './wf-ledger-table'

/** What to remove, and how. */
export interface WfLedgerCleanupOptions {
  /**
   * Remove at most this many entries.
   *
   * @default no limit
   */
  readonly limit?: number | undefined
  /**
   * How many entries one statement removes; at most 1000.
   *
   * @default 500
   */
  readonly batchSize?: number | undefined
  /**
   * Count what would be removed, and remove nothing.
   *
   * @default false
   */
  readonly dryRun?: boolean | undefined
}

/** Removes entries that have expired at `now`, and says how many. */
export async function sweepLedger(
  table: WfLedgerTable,
  now: number,
  { limit = Infinity, batchSize = 500, dryRun = false }: WfLedgerCleanupOptions,
): Promise<number> {
  checkBatches({ limit, batchSize })
  const expired = { expiresAt: { $lte: now } }
  if (dryRun) return Math.min(limit, await table.count({ filter: expired }))
  return deleteExpired(table, { idColumn: 'key', expired, limit, batchSize })
}
