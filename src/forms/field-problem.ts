import type {
  TAtscriptAnnotatedType,
  TAtscriptTypeArray,
  TAtscriptTypeComplex,
  TAtscriptTypeFinal,
} from '@atscript/typescript/utils'
import { isRecord } from '../state'
import { matches, type Pattern } from './pattern'

/** What a text and a list may hold unless `@expect.maxLength` says otherwise. */
const MAX_TEXT_LENGTH = 10_000
const MAX_ITEMS = 1000

const MISSING = 'Please fill in this field.'
const UNTICKED = 'Please tick this box.'
export const NOT_RIGHT = 'This does not look right.'

type Field<T extends TAtscriptAnnotatedType['type']> = TAtscriptAnnotatedType<T>

/**
 * What is wrong with a value, in a sentence for whoever typed it; `undefined` when nothing is, as far
 * as the value itself goes: what is inside of it is looked at on its own. A sentence of the form's
 * author (`@expect.minLength 12, 'Twelve, please.'`) wins. Never quotes the value.
 */
export function problemOf(field: TAtscriptAnnotatedType, value: unknown): string | undefined {
  switch (field.type.kind) {
    case '':
      return problemOfPlain(field as Field<TAtscriptTypeFinal>, value)
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

function problemOfPlain(field: Field<TAtscriptTypeFinal>, value: unknown): string | undefined {
  const { designType, value: literal } = field.type
  if (literal !== undefined) return value === literal ? undefined : notThe(literal, value)
  switch (designType) {
    case 'string':
      return typeof value === 'string'
        ? problemOfText(field, value)
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
      return value ? undefined : rule(field, 'meta.required', UNTICKED)?.message
    case 'null':
      return value === null ? undefined : NOT_RIGHT
    case 'undefined':
    case 'never':
      return value === undefined && designType === 'undefined' ? undefined : NOT_RIGHT
    default:
      return undefined
  }
}

function problemOfText(field: Field<TAtscriptTypeFinal>, text: string): string | undefined {
  const required = rule(field, 'meta.required', MISSING)
  if (required && text.trim() === '') return required.message
  const least = rule(field, 'expect.minLength')
  if (least && text.length < Number(least.length)) {
    return least.message ?? (text === '' ? MISSING : `At least ${least.length} characters, please.`)
  }
  const most = rule(field, 'expect.maxLength') ?? { length: MAX_TEXT_LENGTH }
  if (text.length > Number(most.length)) {
    return most.message ?? `At most ${most.length} characters, please.`
  }
  const patterns = [field.metadata.get('expect.pattern') ?? []].flat() as readonly Pattern[]
  const missed = patterns.find(pattern => !matches(text, pattern))
  return missed && (text === '' ? MISSING : (missed.message ?? NOT_RIGHT))
}

function problemOfNumber(field: Field<TAtscriptTypeFinal>, number: number): string | undefined {
  const whole = rule(field, 'expect.int', 'Please enter a whole number.')
  if (whole && !Number.isInteger(number)) return whole.message
  const least = rule(field, 'expect.min')
  if (least && number < Number(least.minValue)) {
    return least.message ?? `At least ${least.minValue}, please.`
  }
  const most = rule(field, 'expect.max')
  if (most && number > Number(most.maxValue)) {
    return most.message ?? `At most ${most.maxValue}, please.`
  }
}

function problemOfList(field: Field<TAtscriptTypeArray>, list: unknown): string | undefined {
  if (!Array.isArray(list)) return missingOr('Please give a list.', list)
  const least = rule(field, 'expect.minLength')
  if (least && list.length < Number(least.length)) {
    return least.message ?? `At least ${least.length} entries, please.`
  }
  const most = rule(field, 'expect.maxLength') ?? { length: MAX_ITEMS }
  if (list.length > Number(most.length)) {
    return most.message ?? `At most ${most.length} entries, please.`
  }
  // The validator's `@expect.array.uniqueItems` reads the keys of whatever it finds.
  if (field.type.of.type.kind === 'object' && !list.every(isRecord)) return NOT_RIGHT
}

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
  return Boolean(optional) || (type.kind === '' && /^(?:undefined|any)$/u.test(type.designType))
}

function notThe(literal: unknown, value: unknown): string {
  return literal === true ? UNTICKED : missingOr(NOT_RIGHT, value)
}

function missingOr(sentence: string, value: unknown): string {
  return isMissing(value) ? MISSING : sentence
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

interface Rule {
  readonly message?: string
  readonly length?: unknown
  readonly minValue?: unknown
  readonly maxValue?: unknown
}

/** An annotation that is a bare value, or an object with a sentence of the author's. */
function rule(
  { metadata }: TAtscriptAnnotatedType,
  key: string,
  message?: string,
): Rule | undefined {
  const value: unknown = metadata.get(key)
  if (value === undefined || value === false) return undefined
  const own: Rule = isRecord(value) ? value : { length: value, minValue: value, maxValue: value }
  return { ...own, message: own.message ?? message }
}
