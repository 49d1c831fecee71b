import { WfError } from '../../errors'
import type { WfTableField, WfTableType } from './wf-table'

export type ShadowPrimitive = 'string' | 'number' | 'boolean'

/** A column that mirrors a path of the context. */
export interface ShadowField {
  /** The column. */
  readonly field: string
  readonly path: string[]
  readonly expectedType: ShadowPrimitive
  readonly optional: boolean
  /**
   * Without a value it keeps its default, or what it had; another column becomes null.
   *
   * @default whether it is not optional
   */
  readonly hasDefault?: boolean | undefined
  /** The longest text that the column takes. */
  readonly maxLength?: number | undefined
}

const DEFAULTS = ['db.default', 'db.default.uuid', 'db.default.now']
const PATH = /^[^.[\]*\s]+(?:\.[^.[\]*\s]+)*$/u
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The columns of a type that are annotated with `@wf.store.fromContext`.
 *
 * @throws WfError `WF_CONFIG` for one that cannot be
 */
export function readShadowFields(
  { type }: WfTableType,
  primitiveOf: (field: WfTableField) => ShadowPrimitive | null | undefined,
): ShadowField[] {
  return [...(type.props ?? [])].flatMap(([column, field]) => {
    const path = field.metadata.get('wf.store.fromContext')
    if (path === undefined) return []
    const segments = String(path).split('.')
    const hasDefault = DEFAULTS.some(annotation => field.metadata.get(annotation) !== undefined)
    // The compiler is stricter, where our plugin is the one that compiles.
    if (!PATH.test(String(path))) refuse(column, 'its path is not in dot notation')
    if (segments.some(segment => FORBIDDEN.has(segment))) {
      refuse(column, 'a path never goes through __proto__, constructor or prototype')
    }
    if (field.metadata.get('meta.id')) refuse(column, 'it is the id')
    if (!field.optional && !hasDefault) refuse(column, 'it is neither optional nor has a default')
    const expectedType = primitiveOf(field) ?? refuse(column, 'it is no string, number or boolean')
    const optional = field.optional ?? false
    const maxLength = maxLengthOf(field)
    return [{ field: column, path: segments, expectedType, optional, hasDefault, maxLength }]
  })
}

function refuse(column: string, problem: string): never {
  throw new WfError('WF_CONFIG', `"${column}" cannot be a shadow column: ${problem}.`)
}

/** The limit of an indexed text that declares none. */
const INDEXED_LENGTH = 255
const INDEXES = ['db.index.plain', 'db.index.unique', 'db.index.sparse']

function maxLengthOf({ metadata }: WfTableField): number | undefined {
  const declared = metadata.get('expect.maxLength')
  const length = (declared as { length?: unknown } | undefined)?.length ?? declared
  if (typeof length === 'number') return length
  const isIndexed = INDEXES.some(name => metadata.get(name) !== undefined)
  return isIndexed ? INDEXED_LENGTH : undefined
}

/** A subclass may name a column without saying whether it has a default. */
export function keepsWithoutValue({ hasDefault, optional }: ShadowField): boolean {
  return hasDefault ?? !optional
}

/** Whether a value is of the type of the column, and one that any database can store. */
export function isStorable({ expectedType, maxLength = Infinity }: ShadowField, value: unknown) {
  if (typeof value !== expectedType) return false
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'string') return true
  return value.length <= maxLength && !/\0|\p{Surrogate}/u.test(value)
}

/** A union of literals is what its members are. */
export function primitiveOf({ type }: WfTableField): ShadowPrimitive | undefined {
  if (type.kind === 'union') {
    const members = new Set(type.items?.map(primitiveOf))
    return members.size === 1 ? [...members][0] : undefined
  }
  const { designType } = type
  if (type.kind !== '' || !isPrimitive(designType)) return undefined
  return designType
}

function isPrimitive(designType: string | undefined): designType is ShadowPrimitive {
  return designType === 'string' || designType === 'number' || designType === 'boolean'
}
