import { WfError } from '../../errors'
import { type Clock, flowMetaOf, isRecord, sha256, type WfState, withFlowMeta } from '../../state'
import type { WfStoredRow } from '../rows/wf-table'

/**
 * The state in a row. What a table holds is not trusted: others write to it as well.
 *
 * @throws WfError `WF_DB_FAILED` for a row that holds none
 */
export function stateOf({ schemaId, state }: WfStoredRow): WfState {
  if (typeof schemaId !== 'string' || !isRecord(state) || !isPath(state.indexes)) {
    throw new WfError('WF_DB_FAILED', 'A row does not hold a workflow state.')
  }
  const { indexes, context, meta } = state
  return { schemaId, indexes, context, ...(isRecord(meta) && { meta }) }
}

function isPath(indexes: unknown): indexes is number[] {
  return Array.isArray(indexes) && indexes.every(index => Number.isSafeInteger(index))
}

/** Whether a row can no longer be resumed: from the moment on, not after it. */
export function isExpired({ expiresAt }: Pick<WfStoredRow, 'expiresAt'>, now: number): boolean {
  return typeof expiresAt === 'number' && expiresAt <= now
}

/** Matches rows that can be resumed; those that never expire are among them. */
export const unexpired = (now: number): object => ({ expiresAt: { $not: { $lte: now } } })

/** What a handle must be to be a value of its column; no other was ever given out. */
export function isHandle(handle: unknown): handle is string {
  return (
    typeof handle === 'string' &&
    handle !== '' &&
    handle.length <= LONGEST_HANDLE &&
    !handle.startsWith(HASHED) &&
    !/\0|\p{Surrogate}/u.test(handle)
  )
}

const LONGEST_HANDLE = 255

/** Marks hashes in the table, so that one from a stolen dump is no handle, to whichever store. */
export const HASHED = 'sha256:'

/** A handle as the table has it. */
export function storedHandle(
  handle: string,
  { hashHandles }: { readonly hashHandles: boolean },
): string | Promise<string> {
  if (!hashHandles) return handle
  const hashed = sha256(handle)
  return typeof hashed === 'string' ? HASHED + hashed : hashed.then(hash => HASHED + hash)
}

/** Whole, because the columns are. */
export const wholeTime = (clock: Clock): number => Math.floor(clock.now())

/** The state with another end of its pause, where the step has set one: that is held to as well. */
export function withExpiry(state: WfState, expiresAt: number): WfState {
  const flow = flowMetaOf(state)
  if (flow?.expiresAt === undefined) return state
  return withFlowMeta(state, state.meta, { ...flow, expiresAt })
}

/** A moment as the column takes it: never later than promised, so rounded down; `undefined` for never. */
export function toTime(expiresAt: number | undefined): number | undefined {
  if (expiresAt === undefined || expiresAt > Number.MAX_SAFE_INTEGER) return undefined
  if (Number.isNaN(expiresAt)) throw new TypeError('A state expires at a number of milliseconds.')
  return Math.max(Math.floor(expiresAt), Number.MIN_SAFE_INTEGER)
}
