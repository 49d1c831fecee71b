import { WfError } from '../../errors'
import { isRecord } from '../../state'
import { exactly, type RowAccess } from './row-access'
import { scanRows } from '../rows/scan-rows'
import type { WfStoredRow } from '../rows/wf-table'

const BATCH = 200

/** How flows are revoked. */
export interface WfRevokeOptions {
  /**
   * Count what would be revoked, and change nothing.
   *
   * @default false
   */
  readonly preview?: boolean | undefined
}

/**
 * Deletes the rows that a filter names, each as it was read: a flow that goes on at that very moment
 * is not among them.
 *
 * @returns how many
 * @throws WfError `WF_DB_FILTER` for a filter that names nothing in particular
 */
export async function revokeRows(
  rows: RowAccess,
  filter: object,
  { preview = false }: WfRevokeOptions,
  revoked: (row: WfStoredRow) => Promise<void>,
): Promise<number> {
  assertNamesSomething(filter)
  let count = 0
  for await (const page of scanRows(rows, { filter, batchSize: BATCH, after: undefined })) {
    if (preview) {
      count += page.rows.length
      continue
    }
    for (const row of page.rows) {
      const { deletedCount } = await rows.table.deleteMany(exactly(rows, row))
      if (deletedCount === 0) continue
      count++
      await revoked(row)
    }
  }
  return count
}

// A filter that a program has put together may have lost what it was about on the way.
function assertNamesSomething(filter: object): void {
  if (isRecord(filter) && namesSomething(filter)) return
  throw new WfError('WF_DB_FILTER', 'Say which flows to revoke: an empty filter names them all.')
}

function namesSomething(filter: Record<string, unknown>): boolean {
  return Object.entries(filter).some(([key, value]) => {
    if (value === undefined) return false
    if (!key.startsWith('$')) return true
    return Array.isArray(value) && value.some(part => isRecord(part) && namesSomething(part))
  })
}
