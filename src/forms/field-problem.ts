import type {
  TAtscriptAnnotatedType,
  TAtscriptTypeArray,
  TAtscriptTypeComplex,
  TAtscriptTypeFinal,
} from '@atscript/typescript/utils'
import { isRecord, isStorableText } from '../state'
import type { Effort } from './effort'
import { type Rule, rulesOf } from './field-rules'

const MISSING = 'Please fill in this field.'
const UNTICKED = 'Please tick this box.'
const UNSTORABLE = 'This holds a character that cannot be kept. Please type it again.'
export const NOT_RIGHT = 'This does not look right.'

type Field<T extends TAtscriptAnnotatedType['type']> = TAtscriptAnnotatedType<T>

/**
 * What is wrong with a value, in a sentence for whoever typed it; `undefined` when nothing is, as far
 * as the value itself goes: what is inside of it is looked at on its own. A sentence of the form's
 * author (`@expect.minLength 12, 'Twelve, please.'`) wins. Never quotes the value.
 */
export function problemOf(
  field: TAtscriptAnnotatedType,
  value: unknown,
  effort: Effort,
): string | undefined {
  if (typeof value === 'string' && !isStorableText(value)) return UNSTORABLE
  switch (field.type.kind) {
    case '':
      return problemOfPlain(field as Field<TAtscriptTypeFinal>, value, effort)
    case 'object':
      return isRecord(value) ? undefined : missingOr('Please fill in this section.', value)
    case 'array':
      return problemOfList(field as Field<TAtscriptTypeArray>, value)
    case 'tuple':
      return problemOfTuple(field as Field<TAtscriptTypeComplex>, value)
    case 'union':
      return problemOfChoice(field as Field<TAtscriptTypeComplex>, value)
    default:
      return undefined
  }
}

function problemOfPlain(
  field: Field<TAtscriptTypeFinal>,
  value: unknown,
  effort: Effort,
): string | undefined {
  const { designType, value: literal } = field.type
  if (literal !== undefined) return value === literal ? undefined : notThe(literal, value)
  switch (designType) {
    case 'string':
      return typeof value === 'string'
        ? problemOfText(field, value, effort)
        : missingOr('Please enter a text.', value)
    case 'number':
      return Number.isFinite(value)
        ? problemOfNumber(field, value as number)
        : missingOr('Please enter a number.', value)
    case 'decimal':
      return typeof value === 'string' && /^[+-]?\d{1,100}(?:\.\d{1,100})?$/u.test(value)
        ? undefined
        : missingOr('Please enter a number.', value)
    case 'boolean':
      if (typeof value !== 'boolean') return missingOr('Please answer with yes or no.', value)
      return value ? undefined : sentence(rulesOf(field).required, UNTICKED)
    case 'null':
      return value === null ? undefined : NOT_RIGHT
    case 'undefined':
    case 'never':
      return value === undefined && designType === 'undefined' ? undefined : NOT_RIGHT
    default:
      return undefined
  }
}

function problemOfText(
  field: Field<TAtscriptTypeFinal>,
  text: string,
  effort: Effort,
): string | undefined {
  const { required, minLength, maxLength, patterns } = rulesOf(field)
  if (required && text.trim() === '') return sentence(required, MISSING)
  if (minLength && text.length < minLength.limit) {
    const tooShort = `At least ${minLength.limit} characters, please.`
    return sentence(minLength, text === '' ? MISSING : tooShort)
  }
  if (text.length > maxLength.limit) {
    return sentence(maxLength, `At most ${maxLength.limit} characters, please.`)
  }
  const missed = patterns.find(({ pattern }) => !pattern.test(text, effort))
  return missed && (text === '' ? MISSING : sentence(missed, NOT_RIGHT))
}

function problemOfNumber(field: Field<TAtscriptTypeFinal>, number: number): string | undefined {
  const { int, min, max } = rulesOf(field)
  if (int && !Number.isInteger(number)) return sentence(int, 'Please enter a whole number.')
  if (min && number < min.limit) return sentence(min, `At least ${min.limit}, please.`)
  if (max && number > max.limit) return sentence(max, `At most ${max.limit}, please.`)
}

function problemOfList(field: Field<TAtscriptTypeArray>, list: unknown): string | undefined {
  if (!Array.isArray(list)) return missingOr('Please give a list.', list)
  const { minLength, maxLength } = rulesOf(field)
  if (minLength && list.length < minLength.limit) {
    return sentence(minLength, `At least ${minLength.limit} entries, please.`)
  }
  if (list.length > maxLength.limit) return sentence(maxLength, atMost(maxLength.limit))
}

/** What is wrong with a list, or a section with keys of the client's own, of this size. */
export const atMost = (entries: number): string => `At most ${entries} entries, please.`

function problemOfTuple({ type }: Field<TAtscriptTypeComplex>, value: unknown): string | undefined {
  const isFull = Array.isArray(value) && value.length === type.items.length
  return isFull ? undefined : missingOr(`Please give ${type.items.length} entries.`, value)
}

function problemOfChoice({ type }: Field<TAtscriptTypeComplex>, value: unknown) {
  const choices = type.items.map(item => (item.type.kind === '' ? item.type.value : undefined))
  if (!choices.every(choice => choice !== undefined)) {
    return value === undefined && !type.items.some(takesNothing) ? MISSING : undefined
  }
  if (choices.includes(value as string)) return undefined
  return isMissing(value)
    ? 'Please choose one.'
    : `Please choose one of these: ${choices.join(', ')}.`
}

function takesNothing({ type, optional }: TAtscriptAnnotatedType): boolean {
  if (optional) return true
  if (type.kind === 'union') return type.items.some(takesNothing)
  return type.kind === '' && /^(?:undefined|any)$/u.test(type.designType)
}

function notThe(literal: unknown, value: unknown): string {
  return literal === true ? UNTICKED : missingOr(NOT_RIGHT, value)
}

function missingOr(problem: string, value: unknown): string {
  return isMissing(value) ? MISSING : problem
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function sentence(rule: Rule | undefined, byDefault: string): string | undefined {
  return rule && (rule.message ?? byDefault)
}
