import type { WfMoveOptions, WfStateStore } from '../../state'
import { toTime } from '../rows/expiry'
import { hashOfHandle } from './bury-row'
import { findByFlow } from './find-state-row'
import { moveRow } from './links'
import type { StateRows } from './state-rows'
import { storedHandle } from './stored-row'

/** @returns what moves flows, where the table can be asked for them; {@link WfStateStore.moveFlow} */
export function flowMover(states: StateRows): WfStateStore['moveFlow'] {
  const hasFlows = states.rows.table.type.type.props?.has('flowId')
  return hasFlows ? (flowId, options) => moveFlow(states, flowId, options) : undefined
}

async function moveFlow(
  states: StateRows,
  flowId: string,
  { admit, deliver }: WfMoveOptions,
): Promise<string | null> {
  const row = await findByFlow(states, flowId)
  const moved = row && admit(states.hooks.assembleResult(row))
  if (!row || !moved) return null
  const { state, expiresAt } = moved
  const handle = await storedHandle(moved.handle, states.options)
  const next = { handle, state, expiresAt: expiresAt && toTime(expiresAt) }
  await moveRow(states, row, next, async () => deliver())
  return hashOfHandle(row.handle)
}
