import type { WfState, WfStoredState } from '../../state'
import type { VersionedRows } from '../rows/versioned-rows'
import type { ResolvedAsWfStoreOptions } from './as-wf-store-options'
import type { WfStoredRow } from './stored-row'

/** What a row is made of besides its handle and its state. */
export interface WfSetPayloadOptions {
  readonly expiresAt: number | undefined
  readonly now: number
  readonly actor: string | undefined
  /** The row that is written over, where it was looked up. */
  readonly existing: WfStoredRow | null
  /** The version of a state that was taken out and that this one goes on from. */
  readonly follows?: number | undefined
}

type OverridableHook = 'findRow' | 'buildSetPayload' | 'scanShadowFields' | 'resolveFieldPrimitive'

/** What a store says of its rows: its protected methods of these names. */
export interface StateHooks {
  findRow(handle: string): Promise<WfStoredRow | null>
  buildSetPayload(
    handle: string,
    state: WfState,
    options: WfSetPayloadOptions,
  ): Record<string, unknown>
  applyShadows(payload: Record<string, unknown>, state: WfState): void
  assembleResult(row: WfStoredRow): WfStoredState
  getActor(): string | undefined
  /** Whether a subclass has one of its own. Asked each time: it may be a field, which comes later. */
  overrides(...names: OverridableHook[]): boolean
}

/** The rows of states: what each operation of the store works with. */
export interface StateRows {
  readonly rows: VersionedRows<WfStoredRow>
  readonly hooks: StateHooks
  readonly options: ResolvedAsWfStoreOptions
}

/**
 * Rows are looked up first and then addressed by what was found, because only the store's `findRow`
 * knows which row a handle stands for.
 */
export const looksUp = ({ hooks }: StateRows): boolean => hooks.overrides('findRow')
