import { WfError } from '../../errors'
import type { WfStoredRow, WfTable } from '../rows/wf-table'

/** How a store reaches its rows. */
export interface RowAccess {
  readonly table: WfTable
  /** The column that `@meta.id` marks. */
  readonly idColumn: string
  /**
   * Rows are looked up first and then addressed by what was found, because only the store's
   * `findRow` knows which row a handle stands for.
   */
  looksUp(): boolean
  /** What is written depends on what is there. */
  needsExisting(): boolean
  /** Columns that belong to every filter. */
  scope(): object
  findRow(handle: string): Promise<WfStoredRow | null>
}

/** Another writer may come first, and then another, but not for ever. */
export const ROUNDS = 100

/** A short pause, longer with every round that was lost. */
export async function letOthersPass(round: number): Promise<void> {
  if (round < 2) return
  await new Promise<void>(resolve => setTimeout(resolve, Math.random() * Math.min(round, 20)))
}

/** The row as it was read: written again, it has another version; made anew, another id. */
export function exactly({ idColumn, scope }: RowAccess, row: WfStoredRow): object {
  return { [idColumn]: row[idColumn], handle: row.handle, version: row.version, ...scope() }
}

/**
 * Without one, the handle, which is unique too.
 *
 * @throws WfError `WF_CONFIG` for an id of several columns
 */
export function idColumnOf({ type }: WfTable): string {
  const fields = [...(type.type.props ?? [])]
  const ids = fields.filter(([, field]) => field.metadata.get('meta.id')).map(([name]) => name)
  if (ids.length <= 1) return ids[0] ?? 'handle'
  throw new WfError('WF_CONFIG', 'AsWfStore: the row has one field with @meta.id, not several.')
}
