import type { WfRowColumn, WfRowId, WfStoredRow } from '../store'
import { isExpired } from '../store/rows/expiry'
import type { WfAdminRow } from './admin-answers'

/** A row with the columns that are shown, and no others. */
export function toAdminRow(
  row: WfStoredRow,
  columns: readonly WfRowColumn[],
  id: string,
  now: number,
): WfAdminRow {
  return {
    id: row[id] as WfRowId,
    version: row.version,
    status: isExpired(row, now) ? 'expired' : 'live',
    values: Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])),
  }
}
