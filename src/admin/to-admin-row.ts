import type { WfAdminStoredRow, WfRowColumn, WfRowId } from '../store'
import type { WfAdminRow } from './admin-answers'
import { statusAt } from './flow-status'

/** A row with the columns that are shown, and no others. */
export function toAdminRow(
  row: WfAdminStoredRow,
  columns: readonly WfRowColumn[],
  id: string,
  now: number,
): WfAdminRow {
  return {
    id: row[id] as WfRowId,
    version: row.version,
    status: statusAt(now, row),
    values: Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])),
  }
}
