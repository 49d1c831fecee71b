import { readRowColumns } from '../rows/row-column'
import { isUnreadable } from '../rows/scan-rows'
import { movedOn, type WfRowId } from '../rows/versioned-rows'
import { looksUp, type StateRows } from './state-rows'
import { isHandle, storedHandle, type WfRowView, type WfStoredRow } from './stored-row'

/** The row of a handle, which comes from a request: what cannot be one stands for nothing. */
export async function findByHandle(
  { hooks, options }: StateRows,
  handle: string,
): Promise<WfStoredRow | null> {
  return isHandle(handle) ? hooks.findRow(await storedHandle(handle, options)) : null
}

/** The row with this id, as far as the store sees it. */
export async function findById(
  states: StateRows,
  id: WfRowId,
  $select?: readonly string[],
): Promise<WfStoredRow | null> {
  const { rows, hooks } = states
  const row = await rows.findById(id, $select)
  // A store that looks rows up by its own rules must find this one by them as well.
  if (!row || !looksUp(states)) return row
  const own = await hooks.findRow(row.handle)
  return own?.[rows.idColumn] === row[rows.idColumn] ? row : null
}

/** The row of a flow, as far as the store sees it. */
export async function findByFlow(states: StateRows, flowId: string): Promise<WfStoredRow | null> {
  const { rows, hooks } = states
  const row = (await rows.table.findOne({
    filter: { flowId, ...rows.scope() },
  })) as WfStoredRow | null
  if (!row || !looksUp(states)) return row
  const own = await hooks.findRow(row.handle)
  return own?.[rows.idColumn] === row[rows.idColumn] ? row : null
}

/** A row as someone has seen it. */
export interface SeenRow {
  readonly id: WfRowId
  readonly version: number
}

/**
 * The row with this id, for whoever has seen this version of it.
 *
 * @throws WfError `WF_CONFLICT` if it is another by now
 */
export async function findSeen(
  states: StateRows,
  { id, version }: SeenRow,
  $select?: readonly string[],
): Promise<WfStoredRow | null> {
  const row = await findById(states, id, $select)
  if (row && row.version !== version) throw movedOn()
  return row
}

/** The row with this id and its state; of one that cannot be read, the columns that may be shown. */
export async function viewRow(states: StateRows, id: WfRowId): Promise<WfRowView | null> {
  try {
    const row = await findById(states, id)
    return row && { row, state: states.hooks.assembleResult(row).state }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const shown = readRowColumns(states.rows.table.type, []).map(({ name }) => name)
    const row = await findById(states, id, [...shown, 'handle'])
    return row && { row, state: null }
  }
}
