import { WfError } from '../../errors'
import { type Column, type ColumnKind, INDEXED_STRING_LENGTH } from './column'
import { readDefault } from './read-default'
import type { DbFieldShape, DbFieldType } from './table-type'

/** What fits into a key of every database, in characters of four bytes. */
export const LONGEST_KEY = 640

/** @throws WfError `WF_CONFIG` for a field that no column can hold */
export function readColumn(name: string, field: DbFieldType, indexed: boolean): Column {
  const refuse = (problem: string): never => {
    throw new WfError('WF_CONFIG', `The field "${name}" cannot be a column: ${problem}.`)
  }
  const kind = kindOf(field) ?? refuse(whyUnfit(field.type))
  if (indexed && kind === 'json') refuse('JSON cannot be indexed')
  const byDefault = readDefault(field.metadata, kind, refuse)
  const isShort = kind === 'string' && (indexed || byDefault !== undefined)
  const maxLength = kind === 'string' ? lengthOf(field, isShort) : undefined
  if (isShort && maxLength! > LONGEST_KEY) {
    refuse(
      `a string that is indexed or has a default has at most ${LONGEST_KEY} characters, not ${maxLength}`,
    )
  }
  const literal = byDefault && 'literal' in byDefault ? String(byDefault.literal) : ''
  if (literal.length > (maxLength ?? Infinity) || literal.includes('\0')) {
    refuse('its default is too long, or holds NUL')
  }
  return {
    name,
    kind,
    nullable: field.optional === true && !field.metadata.get('meta.id'),
    ...(byDefault && { default: byDefault }),
    ...(maxLength !== undefined && { maxLength }),
    ...(isShort && { isShort }),
  }
}

function kindOf({ type, metadata }: DbFieldType): ColumnKind | undefined {
  if (metadata.get('db.json')) return 'json'
  const primitive = primitiveOf(type)
  if (primitive === 'number') return metadata.get('expect.int') ? 'integer' : 'number'
  return primitive === 'string' || primitive === 'boolean' ? primitive : undefined
}

/** A union of literals is what its members are: `'admin' | 'member'` is a string. */
function primitiveOf(type: DbFieldShape): string | undefined {
  if (type.kind === '') return type.designType
  if (type.kind !== 'union') return undefined
  const members = new Set(type.items?.map(item => primitiveOf(item.type)))
  return members.size === 1 ? [...members][0] : undefined
}

function whyUnfit(type: DbFieldShape): string {
  if (type.kind === '') return `there is no column type for ${type.designType}`
  return `it is an ${type.kind}; annotate it with @db.json`
}

/** An indexed string needs a limit on some databases, a string with a default on MySQL. */
function lengthOf({ metadata }: DbFieldType, needsLimit: boolean): number | undefined {
  const declared = metadata.get('expect.maxLength')
  const length = (declared as { length?: unknown } | undefined)?.length ?? declared
  if (typeof length === 'number') return length
  return needsLimit ? INDEXED_STRING_LENGTH : undefined
}
