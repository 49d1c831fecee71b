import type { WfStoredRun } from '../../state'
import type { ShadowColumns } from '../rows/shadow-columns'
import type { VersionedRow, VersionedRows } from '../rows/versioned-rows'
import type { ResolvedRunStoreOptions } from './as-wf-run-store-options'

/** The three tables of durable runs, and what belongs to their rows. */
export interface RunTables {
  readonly options: ResolvedRunStoreOptions
  readonly rows: VersionedRows<VersionedRow>
  readonly shadows: ShadowColumns
}

/** Columns of a run, with those that mirror its context. */
export function withShadows(
  { shadows }: Pick<RunTables, 'shadows'>,
  columns: Record<string, unknown>,
  { state }: Pick<WfStoredRun, 'state'>,
): Record<string, unknown> {
  shadows.fill(columns, state.context)
  return columns
}
