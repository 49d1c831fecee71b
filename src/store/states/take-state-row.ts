import { WfError } from '../../errors'
import type { WfStoredState, WfTakeOptions } from '../../state'
import { isExpired, unexpired, wholeTime } from '../rows/expiry'
import { letOthersPass, ROUNDS } from '../rows/let-others-pass'
import { looksUp, type StateRows } from './state-rows'
import { isHandle, storedHandle, type WfStoredRow } from './stored-row'

/** Removes a state that can be resumed and gives it out, to exactly one of all callers. */
export async function takeState(
  states: StateRows,
  handle: string,
  options: WfTakeOptions,
): Promise<WfStoredState | null> {
  const row = await takeStateRow(states, handle, options)
  if (!row) return null
  try {
    return states.hooks.assembleResult(row)
  } catch (error) {
    // What cannot be given out is put back.
    await states.rows.table.insertOne(row)
    throw error
  }
}

async function takeStateRow(
  states: StateRows,
  handle: string,
  { version }: WfTakeOptions,
): Promise<WfStoredRow | null> {
  if (!isHandle(handle)) return null
  const { rows, hooks, options } = states
  const now = wholeTime(options.clock)
  const stored = await storedHandle(handle, options)
  if (rows.table.takeOne && !looksUp(states)) {
    const wanted = version === undefined ? {} : { version }
    const live = { handle: stored, ...wanted, ...rows.scope(), ...unexpired(now) }
    return (await rows.table.takeOne(live)) as WfStoredRow | null
  }
  for (let round = 0; round < ROUNDS; round++) {
    await letOthersPass(round)
    const row = await hooks.findRow(stored)
    const wanted = row && (version === undefined || row.version === version)
    if (!wanted || isExpired(row, now)) return null
    // The delete is the gate. It names the version that was read, because a handle may be written
    // again between the read and the delete.
    if (await rows.delete(row)) return row
  }
  throw overtaken()
}

/** Removes whatever is there. */
export async function deleteStateRow(states: StateRows, handle: string): Promise<void> {
  if (!isHandle(handle)) return
  const { rows, hooks, options } = states
  const stored = await storedHandle(handle, options)
  if (!looksUp(states)) {
    await rows.table.deleteMany({ handle: stored, ...rows.scope() })
    return
  }
  for (let round = 0; round < ROUNDS; round++) {
    await letOthersPass(round)
    const row = await hooks.findRow(stored)
    if (!row || (await rows.delete(row))) return
  }
  throw overtaken()
}

function overtaken(): WfError {
  return new WfError('WF_CONFLICT', 'The state was written again each time it was to be taken.')
}
