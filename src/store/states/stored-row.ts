import { WfError } from '../../errors'
import { isRecord, sha256, type WfState, type WfStoredState } from '../../state'
import type { WfSelected } from '../rows/row-query'
import type { VersionedRow } from '../rows/versioned-rows'

/** A row of a stored state. Shadow columns come on top. */
export interface WfStoredRow extends VersionedRow {
  readonly handle: string
  readonly schemaId: string
  readonly state: {
    readonly context: unknown
    readonly indexes: number[]
    readonly meta?: Record<string, unknown> | undefined
  }
  readonly expiresAt?: number | null | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly createdBy?: string | null | undefined
  readonly lastUpdatedBy?: string | null | undefined
  readonly flowId?: string | null | undefined
  readonly startedAt?: number | null | undefined
  readonly startedBy?: string | null | undefined
}

/** A row as the store gives it out, with the selected columns. */
export type WfListedRow<Row extends object = object, Selected = keyof Row> = WfSelected<
  Row,
  Selected,
  WfStoredRow
>

/** A row and the state in it; without one if it cannot be read. */
export interface WfRowView<Row = WfStoredRow> {
  readonly row: Row
  readonly state: WfState | null
}

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

/** A row as the strategies see it. */
export function storedStateOf(row: WfStoredRow, idColumn: string): WfStoredState {
  const { expiresAt, version } = row
  const revision = `${String(row[idColumn])} ${version}`
  return { state: stateOf(row), expiresAt: expiresAt ?? undefined, version, revision }
}

function isPath(indexes: unknown): indexes is number[] {
  return Array.isArray(indexes) && indexes.every(index => Number.isSafeInteger(index))
}

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
