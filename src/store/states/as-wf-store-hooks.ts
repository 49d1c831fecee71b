import { WfError } from '../../errors'
import { type Clock, flowMetaOf, type WfState, type WfStoredState } from '../../state'
import {
  type AsWfStoreOptions,
  type ResolvedAsWfStoreOptions,
  resolveAsWfStoreOptions,
} from './as-wf-store-options'
import { resolvePath } from '../rows/resolve-path'
import { idColumnOf, type RowAccess } from './row-access'
import {
  isStorable,
  primitiveOf,
  readShadowFields,
  type ShadowField,
  type ShadowPrimitive,
} from '../rows/shadow-field'
import { describeMisfit, isFirstTime } from '../rows/shadow-warning'
import { stateOf } from './stored-row'
import type { WfStoredRow, WfTable, WfTableField } from '../rows/wf-table'

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

/** Columns are added to filters of ours, of which an operator could replace a part. */
function checkScope(scope: Record<string, unknown>): Record<string, unknown> {
  for (const column in scope) {
    if (column.startsWith('$')) throw new WfError('WF_CONFIG', 'scope() names columns alone.')
  }
  return scope
}

const FLOW_COLUMNS = ['flowId', 'startedAt', 'startedBy'] as const

/**
 * What a row looks like, and which rows are meant: the part of {@link AsWfStore} that subclasses
 * change. The operations keep their promises whatever is overridden here.
 */
export abstract class AsWfStoreHooks {
  readonly clock: Clock
  protected readonly table: WfTable
  protected readonly options: ResolvedAsWfStoreOptions
  protected readonly rows: RowAccess
  readonly #flowColumnNames: readonly (typeof FLOW_COLUMNS)[number][]
  #shadowFields: readonly ShadowField[] | undefined

  /** @throws WfError `WF_CONFIG` */
  constructor(options: AsWfStoreOptions) {
    this.options = resolveAsWfStoreOptions(options)
    this.table = this.options.table
    this.clock = this.options.clock
    this.rows = this.#accessRows()
    const columns = this.table.type.type.props
    this.#flowColumnNames = FLOW_COLUMNS.filter(column => columns?.has(column))
    // A subclass is not complete yet: hooks of its own are called when they are first needed.
    const { scanShadowFields, resolveFieldPrimitive } = AsWfStoreHooks.prototype
    const scansAsUsual =
      this.scanShadowFields === scanShadowFields &&
      this.resolveFieldPrimitive === resolveFieldPrimitive
    if (scansAsUsual) this.scanShadowFields()
  }

  /** The shadow columns, found once. */
  protected get shadowFields(): readonly ShadowField[] {
    this.#shadowFields ??= this.scanShadowFields()
    return this.#shadowFields
  }

  /**
   * Columns that belong to every filter and to every row that is written, such as a tenant's id.
   * Used by all operations, so that no row of another scope is ever given out, written or deleted.
   * Only whether a handle is taken is asked of all rows.
   */
  protected scope(): Record<string, unknown> {
    return {}
  }

  /**
   * The row of a handle, in the scope. If it is overridden, `set`, `get`, `delete` and `getAndDelete`
   * all go through it, and then act on the id and the version of the row that it found.
   */
  protected async findRow(handle: string): Promise<WfStoredRow | null> {
    const row = await this.table.findOne({ filter: { handle, ...this.rows.scope() } })
    return row as WfStoredRow | null
  }

  /** What is written: the last word on each column. Its version must go up. */
  protected buildSetPayload(
    handle: string,
    state: WfState,
    { expiresAt, now, actor, existing, follows = 0 }: WfSetPayloadOptions,
  ): Record<string, unknown> {
    const { schemaId, indexes, context, meta } = state
    const by = actor ?? null
    return {
      handle,
      schemaId,
      state: { context, indexes, ...(meta && { meta }) },
      version: (existing?.version ?? follows) + 1,
      expiresAt: expiresAt ?? null,
      ...(existing ? {} : { createdAt: now, createdBy: by }),
      updatedAt: now,
      lastUpdatedBy: by,
      ...this.#flowColumns(state),
      ...this.applyShadows(state),
      ...this.rows.scope(),
    }
  }

  /** The shadow columns of a state. A column that is not named keeps its default, or what it had. */
  protected applyShadows(state: WfState): Record<string, unknown> {
    const columns: Record<string, unknown> = {}
    for (const field of this.shadowFields) {
      const found = this.resolvePath(state.context, field.path)
      const value = found === undefined ? undefined : this.coerceShadowValue(field, found)
      if (value !== undefined || !field.hasDefault) columns[field.column] = value ?? null
    }
    return columns
  }

  /** The shadow columns that the type declares. */
  protected scanShadowFields(): readonly ShadowField[] {
    return readShadowFields(
      this.table.type,
      field => this.resolveFieldPrimitive(field),
      (column, problem) => {
        throw new WfError('WF_CONFIG', `"${column}" cannot be a shadow column: ${problem}.`)
      },
    )
  }

  /** What a column holds underneath. */
  protected resolveFieldPrimitive(field: WfTableField): ShadowPrimitive | undefined {
    return primitiveOf(field)
  }

  /** The value at a path of the context; `undefined` if there is none. */
  protected resolvePath(context: unknown, path: readonly string[]): unknown {
    return resolvePath(context, path)
  }

  /** The value for a shadow column; `undefined` for one that it cannot take. */
  protected coerceShadowValue(field: ShadowField, value: unknown): unknown {
    const takes = isStorable(field, value) && (this.table.fits?.(field.column, value) ?? true)
    if (takes) return value
    this.onShadowTypeMismatch(field, value)
    return undefined
  }

  /** Called for each value that a shadow column cannot take. Logs once per column, never the value. */
  protected onShadowTypeMismatch(field: ShadowField, value: unknown): void {
    if (!isFirstTime(this.table.type, field)) return
    try {
      this.options.warn(describeMisfit(field, value))
    } catch {
      // A log that fails must not keep a flow from being stored.
    }
  }

  /** A row as the strategies see it. */
  protected assembleResult(row: WfStoredRow): WfStoredState {
    const { expiresAt, version } = row
    const revision = `${String(row[this.rows.idColumn])} ${version}`
    return { state: stateOf(row), expiresAt: expiresAt ?? undefined, version, revision }
  }

  /** Who writes. */
  protected getActor(): string | undefined {
    return this.options.actor()
  }

  /** Who the flow is, as columns, so that an admin sees its age and its origin. */
  #flowColumns(state: WfState): Record<string, unknown> {
    const flow = flowMetaOf(state)
    const columns: Record<string, unknown> = {}
    for (const column of this.#flowColumnNames) {
      const value = flow?.[column]
      // They come with the state, which may have been anywhere.
      columns[column] = (this.table.fits?.(column, value) ?? true) ? (value ?? null) : null
    }
    return columns
  }

  /** Asked each time: a subclass may override a method by a field, which is not there yet. */
  #accessRows(): RowAccess {
    const { findRow, buildSetPayload } = AsWfStoreHooks.prototype
    return {
      table: this.table,
      idColumn: idColumnOf(this.table),
      looksUp: () => this.findRow !== findRow,
      needsExisting: () => this.buildSetPayload !== buildSetPayload,
      scope: () => checkScope(this.scope()),
      findRow: handle => this.findRow(handle),
    }
  }
}
