import { WfError } from '../../errors'
import { isRecord, notesOf, type WfState } from '../../state'
import { isExpired } from '../rows/expiry'
import type { WfStoredRow } from './stored-row'

/** A paused flow as plain JSON, to look at, to keep, or to bring back. */
export interface WfSnapshot {
  readonly flowId: string | null
  readonly schemaId: string
  readonly version: number
  readonly status: 'paused' | 'expired'
  /** Where it waits. */
  readonly stepId: string | null
  readonly state: WfState
  /** Whether nothing can follow. What is paused can always go on. */
  readonly isTerminal: boolean
  readonly history?: readonly unknown[] | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a snapshot is brought back as. */
export interface WfRestoreOptions {
  /** The workflow that it must be of. */
  readonly schemaId: string
  /** @default never */
  readonly expiresAt?: number | undefined
}

export function snapshotOf(row: WfStoredRow, state: WfState, now: number): WfSnapshot {
  const notes = notesOf(state)
  return {
    flowId: notes?.flow.flowId ?? null,
    schemaId: state.schemaId,
    version: row.version,
    status: isExpired(row, now) ? 'expired' : 'paused',
    stepId: notes?.position?.stepId ?? null,
    state,
    isTerminal: false,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/**
 * The state in a snapshot, which may have been anywhere meanwhile.
 *
 * @throws WfError `WF_STATE_INVALID` if it is none, `WF_MISMATCH` if it is another workflow's
 */
export function stateInSnapshot(
  snapshot: unknown,
  { schemaId }: Pick<WfRestoreOptions, 'schemaId'>,
): WfState {
  const state = isRecord(snapshot) && isRecord(snapshot.state) ? snapshot.state : undefined
  const valid =
    state &&
    typeof state.schemaId === 'string' &&
    Array.isArray(state.indexes) &&
    state.indexes.every(index => Number.isSafeInteger(index) && index >= 0) &&
    (state.meta === undefined || isRecord(state.meta))
  if (!valid) throw new WfError('WF_STATE_INVALID', 'This is not a snapshot of a workflow.')
  if (state.schemaId !== schemaId) {
    throw new WfError('WF_MISMATCH', `This is not a snapshot of the workflow "${schemaId}".`)
  }
  const { indexes, context, meta } = state as unknown as WfState
  return { schemaId, indexes, context, ...(meta && { meta }) }
}
