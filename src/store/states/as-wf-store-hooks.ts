import { WfError } from '../../errors'
import { type Clock, flowMetaOf, type WfState, type WfStoredState } from '../../state'
import {
  type AsWfStoreOptions,
  type ResolvedAsWfStoreOptions,
  resolveAsWfStoreOptions,
} from './as-wf-store-options'
import { resolvePath } from '../rows/resolve-path'
import { ShadowColumns, type ShadowHooks } from '../rows/shadow-columns'
import { idColumnOf, type RowAccess } from './row-access'
import { primitiveOf, type ShadowField, type ShadowPrimitive } from '../rows/shadow-field'
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
  readonly #shadows: ShadowColumns

  /** @throws WfError `WF_CONFIG` */
  constructor(options: AsWfStoreOptions) {
    this.options = resolveAsWfStoreOptions(options)
    this.table = this.options.table
    this.clock = this.options.clock
    this.rows = this.#accessRows()
    this.#shadows = new ShadowColumns(this.table, this.#shadowHooks(), this.options.warn)
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
    return this.#shadows.fields
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
    const payload: Record<string, unknown> = {
      handle,
      schemaId,
      state: { context, indexes, ...(meta && { meta }) },
      version: (existing?.version ?? follows) + 1,
      expiresAt: expiresAt ?? null,
      ...(existing ? {} : { createdAt: now, createdBy: by }),
      updatedAt: now,
      lastUpdatedBy: by,
      ...this.#flowColumns(state),
    }
    this.applyShadows(payload, state)
    return Object.assign(payload, this.rows.scope())
  }

  /**
   * Names the shadow columns of a state in what is written. A column that is not named keeps its
   * default, or what it had. `heal` asks it too, with the row that is there for a payload.
   */
  protected applyShadows(payload: Record<string, unknown>, state: WfState): void {
    this.#shadows.fill(payload, state.context)
  }

  /** The shadow columns that the type declares. */
  protected scanShadowFields(): ShadowField[] {
    return this.#shadows.scan()
  }

  /** What a column holds underneath; nothing for what cannot be a shadow column. */
  protected resolveFieldPrimitive(fieldType: WfTableField): ShadowPrimitive | null | undefined {
    return primitiveOf(fieldType)
  }

  /** The value at a path of the context; `undefined` if there is none. */
  protected resolvePath(obj: unknown, path: string[]): unknown {
    return resolvePath(obj, path)
  }

  /**
   * The value for a shadow column, given what was found, which may be nothing; `undefined` or `null`
   * if it is none that the column takes.
   */
  protected coerceShadowValue(raw: unknown, spec: ShadowField): unknown {
    return this.#shadows.coerce(raw, spec)
  }

  /**
   * Called for each value that a shadow column cannot take, with the names of the types. Two equal
   * ones stand for a value of the right type that does not fit. Logs once per column.
   */
  protected onShadowTypeMismatch(field: string, expected: string, actual: string): void {
    this.#shadows.warn(field, expected, actual)
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

  #shadowHooks(): ShadowHooks {
    return {
      scanShadowFields: () => this.scanShadowFields(),
      resolveFieldPrimitive: fieldType => this.resolveFieldPrimitive(fieldType),
      resolvePath: (obj, path) => this.resolvePath(obj, path),
      coerceShadowValue: (raw, spec) => this.coerceShadowValue(raw, spec),
      onShadowTypeMismatch: (...mismatch) => this.onShadowTypeMismatch(...mismatch),
    }
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
