import { WfError } from '../../errors'
import { isRecord } from '../../state'
import { scanRows } from '../rows/scan-rows'
import { movedOn } from '../rows/versioned-rows'
import { buryRow } from './bury-row'
import { findByHandle, findSeen, type SeenRow, viewRow } from './find-state-row'
import type { StateRows } from './state-rows'
import type { WfStoredRow } from './stored-row'
import { tellRevoked } from './tell-watchers'

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

/** Deletes the row of a handle, as `findRow` finds it, by its id. @returns how many that were */
export async function revokeHandle(
  states: StateRows,
  handle: string,
  options: WfRevokeOptions,
): Promise<number> {
  const { idColumn } = states.rows
  const row = await findByHandle(states, handle)
  if (!row) return 0
  return revokeRows(states, { [idColumn]: row[idColumn], handle: row.handle }, options)
}

/**
 * Deletes the rows that a filter names, each as it was read: a flow that goes on at that very moment
 * is not among them.
 *
 * @returns how many
 * @throws WfError `WF_DB_FILTER` for a filter that names nothing in particular
 */
export async function revokeRows(
  { rows, options }: StateRows,
  filter: object,
  { preview = false }: WfRevokeOptions,
): Promise<number> {
  assertNamesSomething(filter)
  let count = 0
  for await (const page of scanRows(rows, { filter, batchSize: BATCH, after: undefined })) {
    for (const row of page.rows) {
      if (!preview && !(await rows.delete(row))) continue
      count++
      if (!preview) await tellOfRevoked(options, row)
    }
  }
  return count
}

/**
 * Deletes the row that was seen.
 *
 * @returns whether there was such a row
 * @throws WfError `WF_CONFLICT` if it is another by now
 */
export async function revokeSeen(states: StateRows, seen: SeenRow): Promise<boolean> {
  const { rows, options } = states
  // Not the state: a row whose state cannot be read can be revoked.
  const row = await findSeen(states, seen, [rows.idColumn, 'handle', 'version'])
  if (!row) return false
  const view = options.ledger && (await viewRow(states, seen.id))
  if (!(await rows.delete(row))) throw movedOn()
  if (view?.state) await tellOfRevoked(options, view.row)
  return true
}

/** Tells those who have the link, and those who wait for them. */
async function tellOfRevoked(options: StateRows['options'], row: WfStoredRow): Promise<void> {
  await buryRow(options, row, 'revoked')
  await tellRevoked(options, row)
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
