import type { WfState, WfStoredState } from '../../state'
import { toTime, wholeTime } from '../rows/expiry'
import { movedOn } from '../rows/versioned-rows'
import { buryRow } from './bury-row'
import { findByHandle, findSeen, type SeenRow } from './find-state-row'
import type { StateRows } from './state-rows'
import { storedHandle, type WfStoredRow } from './stored-row'
import { tellExtended } from './tell-watchers'
import { isConflict } from './write-state-row'

/** Sends a new handle to whoever may go on. */
export type DeliverHandle = (handle: string, stored: WfStoredState) => Promise<void>

/** @returns whether there is such a flow */
export async function extendHandle(
  states: StateRows,
  handle: string,
  ttl: number,
): Promise<boolean> {
  if (!Number.isFinite(ttl) || ttl <= 0) throw new TypeError('ttl is a positive number.')
  const row = await findByHandle(states, handle)
  if (row) await extend(states, row, wholeTime(states.options.clock) + ttl)
  return row !== null
}

/** @returns its version now; `null` if there is no such row */
export async function extendSeen(
  states: StateRows,
  seen: SeenRow,
  expiresAt: number,
): Promise<number | null> {
  if (!Number.isFinite(expiresAt)) throw new TypeError('expiresAt is a number of milliseconds.')
  const row = await findSeen(states, seen)
  return row && extend(states, row, expiresAt)
}

/** @returns the new handle; `null` if there is no such flow */
export async function reissueHandle(states: StateRows, handle: string): Promise<string | null> {
  const row = await findByHandle(states, handle)
  if (!row) return null
  let fresh = ''
  await reissue(states, row, async given => {
    fresh = given
  })
  return fresh
}

/** @returns its version now; `null` if there is no such row */
export async function reissueSeen(
  states: StateRows,
  seen: SeenRow,
  deliver: DeliverHandle,
): Promise<number | null> {
  const row = await findSeen(states, seen)
  return row && reissue(states, row, deliver)
}

async function extend(states: StateRows, row: WfStoredRow, expiresAt: number): Promise<number> {
  const { state } = states.hooks.assembleResult(row)
  const written = await rewrite(states, row, { ...row, state, expiresAt: toTime(expiresAt) })
  await tellExtended(states.options, written)
  return written.version
}

/** If `deliver` throws, the old handle lives again, unless the new one was used meanwhile. */
async function reissue(
  states: StateRows,
  row: WfStoredRow,
  deliver: DeliverHandle,
): Promise<number> {
  const { hooks, options } = states
  const stored = hooks.assembleResult(row)
  const handle = crypto.randomUUID()
  const kept = await storedHandle(handle, options)
  const next = { ...row, state: stored.state, handle: kept }
  const version = await moveRow(states, row, next, written =>
    deliver(handle, { ...stored, version: written }),
  )
  await buryRow(options, row, 'superseded')
  return version
}

/** If `deliver` throws, the row is where it was, unless the new handle was used meanwhile. */
export async function moveRow(
  states: StateRows,
  row: WfStoredRow,
  next: RewrittenRow,
  deliver: (version: number) => Promise<void>,
): Promise<number> {
  const { state } = states.hooks.assembleResult(row)
  const written = await rewrite(states, row, next)
  try {
    await deliver(written.version)
  } catch (error) {
    await bringBack(() => rewrite(states, written, { ...row, state }), error)
    throw error
  }
  return written.version
}

/** What a row is written over with. */
export interface RewrittenRow {
  readonly handle: string
  readonly state: WfState
  readonly expiresAt?: number | null | undefined
}

async function bringBack(oldHandle: () => Promise<unknown>, error: unknown): Promise<void> {
  try {
    await oldHandle()
  } catch (second) {
    // The new one was used: there is nothing left to bring back.
    if (isConflict(second)) return
    const problem = 'An old link could not be brought back.'
    throw new AggregateError([error, second], problem, { cause: second })
  }
}

/** Writes over the row that was read, and no later one. @returns the row as it is now */
async function rewrite(
  { rows, hooks, options }: StateRows,
  row: WfStoredRow,
  { handle, state, expiresAt }: RewrittenRow,
): Promise<WfStoredRow> {
  const stamps = {
    expiresAt: expiresAt ?? undefined,
    now: wholeTime(options.clock),
    actor: hooks.getActor(),
  }
  const payload = hooks.buildSetPayload(handle, state, { ...stamps, existing: row })
  if (!(await rows.write(row, payload))) throw movedOn()
  return { ...row, ...payload }
}
