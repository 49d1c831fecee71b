import { annotatedField } from './annotated-field'
import { fieldType } from './field-type'
import { type AnnotationUse, type Rule, textOf } from './rule'

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu
const INTEGER = /^-?\d+$/u

/** A default is a value that the field could hold. */
export const fitsField: Rule = use => {
  const value = textOf(use)
  const found = typeOf(use)
  if (value === undefined || !found) return undefined
  const { name, type, isInteger } = found
  if (type.literals && !type.literals.includes(value)) {
    return `'${value}' is not a value of '${name}': write one of ${type.literals.join(', ')}`
  }
  switch (type.kind) {
    case 'string':
      return undefined
    case 'boolean':
      if (value === 'true' || value === 'false') return undefined
      return `'${name}' is a boolean: write 'true' or 'false'`
    case 'complex':
    case 'mixed':
      return `'${name}' is neither a string nor a number nor a boolean: make it optional instead`
    default:
      if (isInteger ? isSafeInteger(value) : isFinite(value)) return undefined
      return `'${value}' does not fit '${name}': write ${isInteger ? 'an integer' : 'a number'}, such as '0'`
  }
}

/** A UUID is text. */
export const isString: Rule = use => {
  const found = typeOf(use)
  if (!found || (found.type.kind === 'string' && !found.type.literals)) return undefined
  return `'${found.name}' gets a text: write '${found.name}: string'`
}

/** The time is a number of milliseconds. */
export const isTime: Rule = use => {
  const found = typeOf(use)
  if (!found || found.type.kind === 'timestamp') return undefined
  if (found.type.kind === 'number' && !found.type.literals) return undefined
  return `'${found.name}' gets milliseconds: write '${found.name}: number.timestamp'`
}

function isFinite(value: string): boolean {
  return NUMBER.test(value) && Number.isFinite(Number(value))
}

function isSafeInteger(value: string): boolean {
  return INTEGER.test(value) && Number.isSafeInteger(Number(value))
}

function typeOf(use: AnnotationUse) {
  const field = annotatedField(use)
  const type = field && fieldType(field.prop.getDefinition(), field.doc)
  if (!field || !type) return undefined
  return { name: field.name, type, isInteger: field.annotations.has('expect.int') }
}
