import { WfError } from '../../errors'
import { exactly, letOthersPass, ROUNDS, type RowAccess } from './row-access'
import { isExpired, unexpired } from './stored-row'
import type { WfStoredRow } from '../rows/wf-table'

export interface TakeStateRowOptions {
  readonly now: number
  /** Take only this version. */
  readonly version?: number
}

/** Removes a row that can be resumed and returns it, to exactly one of all callers. */
export async function takeStateRow(
  access: RowAccess,
  handle: string,
  { now, version }: TakeStateRowOptions,
): Promise<WfStoredRow | null> {
  const { table } = access
  if (table.takeOne && !access.looksUp()) {
    const wanted = version === undefined ? {} : { version }
    const live = { handle, ...wanted, ...access.scope(), ...unexpired(now) }
    return (await table.takeOne(live)) as WfStoredRow | null
  }
  for (let round = 0; round < ROUNDS; round++) {
    await letOthersPass(round)
    const row = await access.findRow(handle)
    const wanted = row && (version === undefined || row.version === version)
    if (!wanted || isExpired(row, now)) return null
    // The delete is the gate. It names the version that was read, because a handle may be written
    // again between the read and the delete.
    if (await removeRow(access, row)) return row
  }
  throw overtaken()
}

/** Removes whatever is there. */
export async function deleteStateRow(access: RowAccess, handle: string): Promise<void> {
  if (!access.looksUp()) {
    await access.table.deleteMany({ handle, ...access.scope() })
    return
  }
  for (let round = 0; round < ROUNDS; round++) {
    await letOthersPass(round)
    const row = await access.findRow(handle)
    if (!row || (await removeRow(access, row))) return
  }
  throw overtaken()
}

function overtaken(): WfError {
  return new WfError('WF_CONFLICT', 'The state was written again each time it was to be taken.')
}

async function removeRow(access: RowAccess, row: WfStoredRow): Promise<boolean> {
  const { deletedCount } = await access.table.deleteMany(exactly(access, row))
  return deletedCount === 1
}
