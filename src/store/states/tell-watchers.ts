import {
  noteWatch,
  noteWatchEnd,
  notesOf,
  TOMBSTONE_TTL_MS,
  type WatchedPause,
  watchUntil,
} from '../../state'
import type { ResolvedAsWfStoreOptions } from './as-wf-store-options'
import { stateOf, type WfStoredRow } from './stored-row'

/** Tells those who watch a flow that it was revoked. */
export async function tellRevoked(
  options: ResolvedAsWfStoreOptions,
  row: WfStoredRow,
): Promise<void> {
  await tell(options, row, (ledger, hash, now) => {
    const until = watchUntil(row.expiresAt ?? undefined, now, TOMBSTONE_TTL_MS)
    return noteWatchEnd(ledger, hash, { state: 'revoked', at: now }, until)
  })
}

/** Tells those who watch a flow that it waits until another time. */
export async function tellExtended(
  options: ResolvedAsWfStoreOptions,
  row: WfStoredRow,
): Promise<void> {
  await tell(options, row, (ledger, hash, now, pause) => {
    const expiresAt = row.expiresAt ?? undefined
    const until = watchUntil(expiresAt, now, TOMBSTONE_TTL_MS)
    return noteWatch(ledger, hash, { ...pause, expiresAt }, until)
  })
}

/** The row is as it should be already: a ledger that fails costs what a page says, and nothing else. */
async function tell(
  { ledger, clock, warn }: ResolvedAsWfStoreOptions,
  row: WfStoredRow,
  note: (
    ledger: NonNullable<ResolvedAsWfStoreOptions['ledger']>,
    hash: string,
    now: number,
    pause: WatchedPause,
  ) => Promise<void>,
): Promise<void> {
  if (!ledger) return
  try {
    const notes = notesOf(stateOf(row))
    const { watch, strategy } = notes?.pause ?? {}
    if (watch === undefined || strategy === undefined) return
    const pause = { wfid: row.schemaId, flowId: notes?.flow.flowId, strategy }
    await note(ledger, watch, clock.now(), pause)
  } catch {
    warn('AsWfStore: those who watch a flow could not be told that it was revoked or extended.')
  }
}
