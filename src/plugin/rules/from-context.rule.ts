import { type AnnotatedField, annotatedField } from './annotated-field'
import { pathProblem } from './context-path'
import { fieldType } from './field-type'
import { type Rule, textOf } from './rule'

const BASE_RECORDS = ['AsWfStateRecord', 'AsWfRunRecord']
const INSTEAD = {
  timestamp: 'number',
  decimal: 'number',
  mixed: 'string',
  complex: 'string',
} as const

/** A path is keys joined by dots. */
export const followsDots: Rule = use => {
  const path = textOf(use)
  return path === undefined ? undefined : pathProblem(path)
}

/** A shadow column is a field of the row itself, and not one that the store or the key needs. */
export const isOwnColumn: Rule = use => {
  const field = annotatedField(use)
  if (!field) return undefined
  const { name, owner, prop, annotations } = field
  if (!owner || prop.isPattern) {
    return `'${name}' is not a column: annotate a field of the table's interface itself`
  }
  if (annotations.has('meta.id')) {
    return `'${name}' is a @meta.id, which no workflow may change: annotate another field`
  }
  if (BASE_RECORDS.includes(owner.id ?? '')) {
    return `'${name}' is a column of ${owner.id}, which the store writes: annotate a field of your own`
  }
  return undefined
}

/** A shadow column holds one plain value. */
export const holdsPlainValue: Rule = use => {
  const field = annotatedField(use)
  const kind = field && typeOf(field)?.kind
  if (!field || !kind || !(kind in INSTEAD)) return undefined
  const instead = INSTEAD[kind as keyof typeof INSTEAD]
  return `'${field.name}' must be a string, a number or a boolean: write '${field.name}?: ${instead}'; no arrays, objects, decimals, timestamps or mixed unions`
}

/** A context has a value at one step and none at the next. */
export const canBeMissing: Rule = use => {
  const field = annotatedField(use)
  if (!field || field.prop.token('optional') || hasDefault(field)) return undefined
  const type = typeOf(field)?.kind ?? 'string'
  return `'${field.name}' may find nothing in the context: write '${field.name}?: ${type}', or add a @db.default`
}

function typeOf({ prop, doc }: AnnotatedField) {
  return fieldType(prop.getDefinition(), doc)
}

function hasDefault({ annotations }: AnnotatedField): boolean {
  return [...annotations].some(name => name === 'db.default' || name.startsWith('db.default.'))
}
