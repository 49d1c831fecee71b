import { WfError } from '../../errors'
import { exactly, letOthersPass, ROUNDS, type RowAccess } from './row-access'
import { isExpired } from './stored-row'
import type { WfStoredRow } from '../rows/wf-table'

/** What is to be written, given the row that is there, if it was looked up. */
export type PayloadFor = (existing: WfStoredRow | null) => object

/** One statement for a row that may be there: for tables that can, where a handle is one row. */
export async function upsertStateRow(
  { table, idColumn }: RowAccess,
  payload: object,
): Promise<void> {
  await table.upsertOne?.(payload, {
    conflict: ['handle'],
    insertOnly: [idColumn, 'createdAt', 'createdBy'],
    increment: ['version'],
  })
}

/** Writes whatever is there, or inserts. */
export async function findAndWriteStateRow(
  access: RowAccess,
  handle: string,
  payloadFor: PayloadFor,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await letOthersPass(round)
    const existing = await access.findRow(handle)
    const written = existing
      ? await updateStateRow(access, existing, payloadFor)
      : await insertStateRow(access, handle, payloadFor)
    if (written) return
  }
  throw conflict()
}

/** Writes over one version, or inserts a handle that must be new (0). */
export async function writeStateRowOfVersion(
  access: RowAccess,
  handle: string,
  payloadFor: PayloadFor,
  { version, now }: { readonly version: number; readonly now: number },
): Promise<void> {
  const existing = await access.findRow(handle)
  // What has expired is as good as gone.
  const current = existing && !isExpired(existing, now) ? existing.version : 0
  if (current !== version) throw conflict()
  const written = existing
    ? await updateStateRow(access, existing, payloadFor)
    : await insertStateRow(access, handle, payloadFor)
  if (!written) throw conflict()
}

async function updateStateRow(
  access: RowAccess,
  existing: WfStoredRow,
  payloadFor: PayloadFor,
): Promise<boolean> {
  const { matchedCount } = await access.table.updateMany(
    exactly(access, existing),
    payloadFor(existing),
  )
  return matchedCount > 0
}

/** How often an insert may fail for no reason that can be seen. */
const UNEXPLAINED = 20

/** `false` when another has inserted the handle meanwhile. */
async function insertStateRow(
  access: RowAccess,
  handle: string,
  payloadFor: PayloadFor,
): Promise<boolean> {
  for (let failures = 1; ; failures++) {
    await letOthersPass(failures)
    try {
      await access.table.insertOne(payloadFor(null))
      return true
    } catch (error) {
      // Tables differ in what they throw for a unique value that is taken; what is there tells,
      // unless it is gone again.
      if (isConflict(error) || (await findAnyRow(access, handle))) {
        if (await isForeign(access, handle)) throw conflict()
        return false
      }
      if (failures === UNEXPLAINED) throw error
    }
  }
}

/** Whether the handle is a row that this store does not see: one of another tenant. */
async function isForeign(access: RowAccess, handle: string): Promise<boolean> {
  const before = await findAnyRow(access, handle)
  const own = before && (await access.findRow(handle))
  const after = before && !own && (await findAnyRow(access, handle))
  // The same row twice, and not ours in between: no coming and going can look like that.
  return Boolean(after && after[access.idColumn] === before[access.idColumn])
}

async function findAnyRow({ table }: RowAccess, handle: string): Promise<WfStoredRow | null> {
  return (await table.findOne({ filter: { handle } })) as WfStoredRow | null
}

export const isConflict = (error: unknown): boolean =>
  error instanceof WfError && error.code === 'WF_CONFLICT'

function conflict(): WfError {
  return new WfError('WF_CONFLICT', 'The state was written by another meanwhile.')
}
