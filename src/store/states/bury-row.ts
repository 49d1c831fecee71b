import {
  bury,
  type BuriedToken,
  notesOf,
  sha256,
  type Tombstone,
  TOMBSTONE_TTL_MS,
} from '../../state'
import type { ResolvedAsWfStoreOptions } from './as-wf-store-options'
import { HASHED, stateOf, type WfStoredRow } from './stored-row'

/**
 * Notes what became of the link to a row. The row is as it should be already: a ledger that fails
 * costs a better message, and nothing else.
 */
export async function buryRow(
  { ledger, clock, warn }: ResolvedAsWfStoreOptions,
  row: WfStoredRow,
  reason: Tombstone['reason'],
): Promise<void> {
  if (!ledger) return
  try {
    const token = await buriedTokenOf(row)
    if (!token) return
    const tombstone = { reason, wfid: row.schemaId }
    await bury(ledger, token, tombstone, clock.now() + TOMBSTONE_TTL_MS)
  } catch {
    warn('AsWfStore: it could not be noted that a link was revoked or replaced.')
  }
}

/** A state that no endpoint has written has no strategy, and no token. */
async function buriedTokenOf(row: WfStoredRow): Promise<BuriedToken | undefined> {
  const strategy = notesOf(stateOf(row))?.pause?.strategy
  if (strategy === undefined) return undefined
  return { strategy, hash: await hashOfHandle(row.handle) }
}

/** The hash of a handle, as the table has it. */
export function hashOfHandle(handle: string): string | Promise<string> {
  return handle.startsWith(HASHED) ? handle.slice(HASHED.length) : sha256(handle)
}
