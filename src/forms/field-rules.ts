import type { TAtscriptAnnotatedType } from '@atscript/typescript/utils'
import { isRecord } from '../state'
import { LinearPattern } from './pattern'
import { type PatternRule, semanticRule } from './semantic-rules'

/** A rule, and the sentence that the form's author has for those who do not keep to it. */
export interface Rule {
  readonly message?: string
}

export interface Limit extends Rule {
  readonly limit: number
}

export interface TextPattern extends Rule {
  readonly pattern: LinearPattern
}

/** What the annotations of a field, and atscript's own types, ask of its value. */
export interface FieldRules {
  readonly required?: Rule
  readonly minLength?: Limit
  readonly maxLength: Limit
  readonly patterns: readonly TextPattern[]
  readonly int?: Rule
  readonly min?: Limit
  readonly max?: Limit
  readonly unique?: Rule
}

/** What a text and a list may hold unless `@expect.maxLength` says otherwise. */
const MAX_EMAIL_LENGTH = 254
const MAX_CHECKED_LENGTH = 2000
const MAX_TEXT_LENGTH = 10_000
export const MAX_ENTRIES = 1000

type Field = TAtscriptAnnotatedType

const known = new WeakMap<Field, FieldRules>()

/**
 * The rules of a field, made once.
 *
 * @throws PatternProblem
 */
export function rulesOf(field: Field): FieldRules {
  const made = known.get(field)
  if (made) return made
  const rules = readRules(field)
  known.set(field, rules)
  return rules
}

function readRules(field: Field): FieldRules {
  const patterns = patternsOf(field).map(({ pattern, flags, message }) => ({
    pattern: new LinearPattern(pattern, flags),
    message,
  }))
  return {
    required: ruleOf(field, 'meta.required'),
    minLength: limitOf(field, 'expect.minLength', 'length'),
    maxLength: limitOf(field, 'expect.maxLength', 'length') ?? {
      limit: defaultLength(field, patterns.length > 0),
    },
    patterns,
    int: ruleOf(field, 'expect.int'),
    min: limitOf(field, 'expect.min', 'minValue'),
    max: limitOf(field, 'expect.max', 'maxValue'),
    unique: ruleOf(field, 'expect.array.uniqueItems'),
  }
}

function defaultLength({ type }: Field, isChecked: boolean): number {
  if (type.kind === 'array') return MAX_ENTRIES
  if (tagsOf(type).includes('email')) return MAX_EMAIL_LENGTH
  return isChecked ? MAX_CHECKED_LENGTH : MAX_TEXT_LENGTH
}

/** All of them count, wherever they come from; what is written twice counts once. */
function patternsOf(field: Field): PatternRule[] {
  const patterns = annotationsOf(field, 'expect.pattern').flat() as PatternRule[]
  const byText = new Map<string, PatternRule>()
  for (const rule of patterns) {
    const key = `${rule.flags ?? ''}/${rule.pattern}`
    if (!byText.has(key)) byText.set(key, rule)
  }
  return [...byText.values()]
}

function ruleOf(field: Field, name: string): Rule | undefined {
  const [value] = annotationsOf(field, name)
  if (value === undefined || value === false) return undefined
  return { message: isRecord(value) ? (value as Rule).message : undefined }
}

// A bare number, or an object with one and a sentence of the author's.
function limitOf(field: Field, name: string, part: string): Limit | undefined {
  const [value] = annotationsOf(field, name)
  if (value === undefined) return undefined
  if (!isRecord(value)) return { limit: Number(value) }
  return { limit: Number(value[part]), message: (value as Rule).message }
}

/** An annotation of a field, of the field that it refers to, and of its type: the nearest first. */
function annotationsOf(field: Field, name: string): unknown[] {
  const own: unknown = field.metadata.get(name as never)
  const target = targetOf(field)
  const others = target ? annotationsOf(target, name) : [semanticRule(tagsOf(field.type), name)]
  return [own, ...others].filter(value => value !== undefined)
}

/**
 * The field that `Other.code` stands for. The compiler copies the annotations of that field to one
 * that refers to it, and forgets them inside of lists, tuples and unions.
 */
function targetOf({ ref }: Field): Field | undefined {
  if (!ref?.field) return undefined
  let target: Field | undefined = ref.type()
  for (const name of ref.field.split('.')) {
    target = target?.type.kind === 'object' ? target.type.props.get(name) : undefined
  }
  return target
}

function tagsOf(type: Field['type']): readonly string[] {
  return [...(type.tags ?? [])]
}
