import type { WfStoredState } from '../../state'
import { isExpired, wholeTime } from '../rows/expiry'
import { findByHandle } from './find-state-row'
import type { StateRows } from './state-rows'
import { snapshotOf, type WfSnapshot } from './wf-snapshot'

/** A state that can be resumed. */
export async function readState(states: StateRows, handle: string): Promise<WfStoredState | null> {
  const row = await findByHandle(states, handle)
  const isThere = row && !isExpired(row, wholeTime(states.options.clock))
  return isThere ? states.hooks.assembleResult(row) : null
}

/** A state that has expired and was not cleaned up yet. */
export async function readExpired(
  states: StateRows,
  handle: string,
): Promise<WfStoredState | null> {
  const row = await findByHandle(states, handle)
  const hasExpired = row && isExpired(row, wholeTime(states.options.clock))
  return hasExpired ? states.hooks.assembleResult(row) : null
}

/** A state, expired or not, as plain JSON. */
export async function readSnapshot(states: StateRows, handle: string): Promise<WfSnapshot | null> {
  const row = await findByHandle(states, handle)
  if (!row) return null
  const { state } = states.hooks.assembleResult(row)
  return snapshotOf(row, state, wholeTime(states.options.clock))
}
