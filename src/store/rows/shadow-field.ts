import type { WfTableField, WfTableType } from './wf-table'

export type ShadowPrimitive = 'string' | 'number' | 'boolean'

/** A column that mirrors a path of the context. */
export interface ShadowField {
  readonly column: string
  readonly path: readonly string[]
  readonly primitive: ShadowPrimitive
  /** Without a value it keeps its default, or what it had; another column becomes null. */
  readonly hasDefault: boolean
  /** The longest text that the column takes. */
  readonly maxLength?: number | undefined
}

const DEFAULTS = ['db.default', 'db.default.uuid', 'db.default.now']
const PATH = /^[^.[\]*\s]+(?:\.[^.[\]*\s]+)*$/u
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** The columns of a type that are annotated with `@wf.store.fromContext`. */
export function readShadowFields(
  { type }: WfTableType,
  primitiveOf: (field: WfTableField) => ShadowPrimitive | undefined,
  refuse: (column: string, problem: string) => never,
): readonly ShadowField[] {
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
    const primitive = primitiveOf(field) ?? refuse(column, 'it is no string, number or boolean')
    return [{ column, path: segments, primitive, hasDefault, maxLength: maxLengthOf(field) }]
  })
}

/** The limit of an indexed text that declares none. */
const INDEXED_LENGTH = 255

function maxLengthOf({ metadata }: WfTableField): number | undefined {
  const declared = metadata.get('expect.maxLength')
  const length = (declared as { length?: unknown } | undefined)?.length ?? declared
  if (typeof length === 'number') return length
  const isIndexed = metadata.get('db.index.plain') ?? metadata.get('db.index.unique')
  return isIndexed === undefined ? undefined : INDEXED_LENGTH
}

/** Whether a value is of the type of the column, and one that any database can store. */
export function isStorable({ primitive, maxLength = Infinity }: ShadowField, value: unknown) {
  if (typeof value !== primitive) return false
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
