import {
  isStorable,
  keepsWithoutValue,
  readShadowFields,
  type ShadowField,
  type ShadowPrimitive,
} from './shadow-field'
import { describeMisfit, isFirstTime } from './shadow-warning'
import type { WfTable, WfTableField } from './wf-table'

/** What a store may say of its shadow columns: its protected methods of these names. */
export interface ShadowHooks {
  scanShadowFields(): ShadowField[]
  resolveFieldPrimitive(fieldType: WfTableField): ShadowPrimitive | null | undefined
  resolvePath(obj: unknown, path: string[]): unknown
  coerceShadowValue(raw: unknown, spec: ShadowField): unknown
  onShadowTypeMismatch(field: string, expected: string, actual: string): void
}

/**
 * The columns of a table that mirror values of a context. Each of its steps asks the hook for it, and
 * does by default what the hook would.
 */
export class ShadowColumns {
  readonly #table: WfTable
  readonly #hooks: ShadowHooks
  readonly #log: (message: string) => void
  #declared: ShadowField[] | undefined
  #fields: readonly ShadowField[] | undefined

  constructor(table: WfTable, hooks: ShadowHooks, log: (message: string) => void) {
    this.#table = table
    this.#hooks = hooks
    this.#log = log
  }

  /** Those that the hook names, asked once. */
  get fields(): readonly ShadowField[] {
    this.#fields ??= this.#hooks.scanShadowFields()
    return this.#fields
  }

  /** Those that the type declares, read once. @throws WfError `WF_CONFIG` */
  scan(): ShadowField[] {
    this.#declared ??= readShadowFields(this.#table.type, field =>
      this.#hooks.resolveFieldPrimitive(field),
    )
    return this.#declared
  }

  /** Names the columns in `payload`. One that is not named keeps its default, or what it had. */
  fill(payload: Record<string, unknown>, context: unknown): void {
    for (const spec of this.fields) {
      const raw = this.#hooks.resolvePath(context, spec.path)
      const value = this.#hooks.coerceShadowValue(raw, spec) ?? null
      if (value !== null || !keepsWithoutValue(spec)) payload[spec.field] = value
    }
  }

  /** A value that the column takes; `undefined` for any other. */
  coerce(raw: unknown, spec: ShadowField): unknown {
    if (raw === undefined || raw === null) return undefined
    const { field, expectedType } = spec
    const takes = isStorable(spec, raw) && (this.#table.fits?.(field, raw) ?? true)
    if (takes) return raw
    this.#hooks.onShadowTypeMismatch(field, expectedType, typeof raw)
    return undefined
  }

  /** Logs once per column of the process. */
  warn(field: string, expected: string, actual: string): void {
    if (!isFirstTime(this.#table.type, field)) return
    const spec = this.fields.find(one => one.field === field)
    try {
      this.#log(describeMisfit(field, spec, { expected, actual }))
    } catch {
      // A log that fails must not keep a flow from being stored.
    }
  }
}
