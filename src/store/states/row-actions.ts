import { WfError } from '../../errors'
import { exactly, type RowAccess } from './row-access'
import type { WfStoredRow } from '../rows/wf-table'

/** The id of a row, as `@meta.id` has it. */
export type WfRowId = string | number

/** Finds a row by its id, in the scope. What cannot be an id is the id of no row. */
export async function findRowById(
  access: RowAccess,
  id: WfRowId,
  $select?: readonly string[],
): Promise<WfStoredRow | null> {
  const { table, idColumn, scope } = access
  if (typeof id !== 'string' && typeof id !== 'number') return null
  const row = (await table
    .findOne({
      filter: { [idColumn]: id, ...scope() },
      ...($select && { controls: { $select } }),
    })
    .catch(noneIfUnfit)) as WfStoredRow | null
  // A store that looks rows up by its own rules must find this one by them as well.
  if (!row || !access.looksUp()) return row
  const own = await access.findRow(row.handle)
  return own?.[idColumn] === row[idColumn] ? row : null
}

function noneIfUnfit(error: unknown): null {
  if (error instanceof WfError && error.code === 'WF_DB_FILTER') return null
  throw error
}

/** Deletes the row that was read, and no later one. */
export async function deleteExactly(access: RowAccess, row: WfStoredRow): Promise<void> {
  const { deletedCount } = await access.table.deleteMany(exactly(access, row))
  if (deletedCount === 0) throw movedOn()
}

/** Writes over the row that was read, and no later one. @returns the row as it is now */
export async function writeExactly(
  access: RowAccess,
  row: WfStoredRow,
  payload: object,
): Promise<WfStoredRow> {
  const { matchedCount } = await access.table.updateMany(exactly(access, row), payload)
  if (matchedCount === 0) throw movedOn()
  return { ...row, ...payload }
}

/** @throws WfError `WF_CONFLICT` if it is not this version any more */
export function checkVersion(row: WfStoredRow, version: number): void {
  if (row.version !== version) throw movedOn()
}

function movedOn(): WfError {
  return new WfError('WF_CONFLICT', 'The flow has moved on since it was looked at.')
}
