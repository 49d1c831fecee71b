import { checkCount } from './check-count'

/** What is needed of a table whose rows expire. */
export interface ExpiringTable {
  findMany(query: { readonly filter: object; readonly controls: object }): Promise<object[]>
  deleteMany(filter: object): Promise<{ readonly deletedCount: number }>
}

export interface DeleteExpiredOptions {
  readonly idColumn: string
  /** Matches rows that have expired. */
  readonly expired: object
  readonly limit: number
  readonly batchSize: number
  readonly onProgress?: (progress: { readonly deleted: number }) => void
}

/** The longest list that a filter takes. */
const MOST_IDS = 1000

/** @throws TypeError */
export function checkBatches({ limit, batchSize }: { limit: number; batchSize: number }): void {
  checkCount('limit', limit)
  checkCount('batchSize', batchSize, MOST_IDS)
}

/** Deletes rows in batches, the oldest first, which is what an index on `expiresAt` gives at once. */
export async function deleteExpired(
  table: ExpiringTable,
  { idColumn, expired, limit, batchSize, onProgress }: DeleteExpiredOptions,
): Promise<number> {
  let deleted = 0
  let stuckAt: unknown
  for (;;) {
    const $limit = Math.min(batchSize, limit - deleted)
    const controls = { $select: [idColumn], $sort: { expiresAt: 1 }, $limit }
    const rows = await table.findMany({ filter: expired, controls })
    if (rows.length > 0) {
      const ids = rows.map(row => (row as Record<string, unknown>)[idColumn])
      // Asked again in the delete: a row may have been given more time since it was found.
      const { deletedCount } = await table.deleteMany({ [idColumn]: { $in: ids }, ...expired })
      deleted += deletedCount
      onProgress?.({ deleted })
      // Rows that cannot be deleted would be found for ever.
      if (deletedCount === 0 && ids[0] === stuckAt) return deleted
      stuckAt = ids[0]
    }
    if (rows.length < $limit || deleted >= limit) return deleted
  }
}
