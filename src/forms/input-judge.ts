import type {
  TAtscriptAnnotatedType,
  TAtscriptTypeArray,
  TAtscriptTypeComplex,
} from '@atscript/typescript/utils'
import { isRecord, isStorableText } from '../state'
import { Effort } from './effort'
import { atMost, NOT_RIGHT, problemOf } from './field-problem'
import { MAX_ENTRIES, rulesOf } from './field-rules'
import { type ObjectType, sectionOf } from './form-section'
import { findTwin, Identities } from './unique-entries'

type Field = TAtscriptAnnotatedType

/** A part of an object. One whose name the client has made up may be of one of several types. */
type Part = readonly [name: string, value: unknown, field: Field, ...others: Field[]]

/** A sentence about the field at a path. */
export interface FieldProblem {
  readonly path: string
  readonly sentence: string
}

const WRONG = Symbol('wrong')
type Wrong = typeof WRONG

const MAX_PROBLEMS = 50
const MAX_KEY_LENGTH = 200
const STEPS_PER_VALUE = 10
const TWICE = 'This is in the list already.'
const LONG_KEY = `The name of an entry has at most ${MAX_KEY_LENGTH} characters.`
const UNSTORABLE_KEY = 'The name of an entry holds a character that cannot be kept.'

/**
 * Judges what a client has sent, and copies what the form knows of it. A part is judged as it will be
 * handed on: stripped of what its type does not know, at any depth.
 *
 * The work grows with the input and not faster; an {@link Effort} ends what would take too long.
 */
export class InputJudge {
  readonly problems: FieldProblem[] = []
  readonly #partial: boolean
  readonly #effort = new Effort()
  readonly #identities = new Identities(this.#effort)
  readonly #path: (string | number)[] = []
  /** How many unions are trying one of their types out: what is wrong with it is not told. */
  #trials = 0
  /**
   * What the trials have found out. A union within a union would try each type again for each type
   * around it, 2 ^ depth times.
   */
  readonly #verdicts = new Map<Field, Map<unknown, unknown>>()

  /** With `partial`, anything may be missing, at any depth. */
  constructor(partial: boolean) {
    this.#partial = partial
  }

  /**
   * What the form knows of a value. It is of use only when there are no problems.
   *
   * @throws TooMuchEffort
   */
  judge(field: Field, value: unknown): unknown {
    const isKept = this.#trials > 0 && typeof value === 'object' && value !== null
    if (!isKept) return this.#judgeAnew(field, value)
    const verdicts = this.#verdictsOn(field)
    if (!verdicts.has(value)) verdicts.set(value, this.#judgeAnew(field, value))
    return verdicts.get(value)
  }

  #verdictsOn(field: Field): Map<unknown, unknown> {
    const found = this.#verdicts.get(field)
    if (found) return found
    const verdicts = new Map<unknown, unknown>()
    this.#verdicts.set(field, verdicts)
    return verdicts
  }

  #judgeAnew(field: Field, value: unknown): unknown {
    this.#effort.spend(STEPS_PER_VALUE)
    const problem = problemOf(field, value, this.#effort)
    if (problem !== undefined) return this.#wrong(problem)
    const { type } = field
    switch (type.kind) {
      case 'object':
        return this.#judgeSection(type, value as Record<string, unknown>)
      case 'array':
        return this.#judgeList(field as TAtscriptAnnotatedType<TAtscriptTypeArray>, value)
      case 'tuple':
        return this.#judgeItems(value as unknown[], at => type.items[at]!)
      case 'union':
        return this.#judgeChoice(type, value)
      case 'intersection':
        return this.#judgeAll(type, value)
      default:
        return type.designType === 'any' ? this.#judgeAnything(field, value) : value
    }
  }

  #judgeSection(type: ObjectType, section: Readonly<Record<string, unknown>>): unknown {
    const entries = this.#entriesOf(type, section)
    if (entries === WRONG) return WRONG
    const parts = sectionOf(type).fields.map(([name, field]): Part => {
      return [name, Object.hasOwn(section, name) ? section[name] : undefined, field]
    })
    return this.#judgeParts(entries.length > 0 ? [...parts, ...entries] : parts)
  }

  /** The parts whose keys the client has made up. */
  #entriesOf(type: ObjectType, section: Readonly<Record<string, unknown>>) {
    const { entries } = sectionOf(type)
    if (entries.length === 0) return []
    const parts: Part[] = []
    for (const key of Object.keys(section)) {
      if (type.props.has(key)) continue
      if (key.length > MAX_KEY_LENGTH) return this.#wrong(LONG_KEY)
      const matching = entries.filter(({ keys }) => keys.test(key, this.#effort))
      const [field, ...others] = matching.map(entry => entry.field)
      if (!field) continue
      if (!isStorableText(key)) return this.#wrong(UNSTORABLE_KEY)
      if (parts.length === MAX_ENTRIES) return this.#wrong(atMost(MAX_ENTRIES))
      parts.push([key, section[key], field, ...others])
    }
    return parts
  }

  /** `null` for what is optional is the same as nothing, unless its type has `null`. */
  #isLeftOut(field: Field, value: unknown): boolean {
    if (value === undefined) return this.#partial || Boolean(field.optional)
    return value === null && Boolean(field.optional) && !takesNull(field)
  }

  #judgeList(field: TAtscriptAnnotatedType<TAtscriptTypeArray>, list: unknown): unknown {
    const { type } = field
    const picked = this.#judgeItems(list as unknown[], () => type.of)
    const { unique } = rulesOf(field)
    if (picked === WRONG || !unique) return picked
    const twin = findTwin(type, picked, this.#identities)
    return twin === undefined ? picked : this.#wrong(unique.message ?? TWICE, twin)
  }

  /** The first type that fits; as far as anything may be missing, the one that knows the most. */
  #judgeChoice({ items }: TAtscriptTypeComplex, value: unknown): unknown {
    let best: unknown = WRONG
    for (const item of items) {
      const verdict = this.#try(item, value)
      if (verdict !== WRONG && !this.#partial) return verdict
      if (best === WRONG || sizeOf(verdict) > sizeOf(best)) best = verdict
    }
    return best === WRONG ? this.#wrong(NOT_RIGHT) : best
  }

  #judgeAll({ items }: TAtscriptTypeComplex, value: unknown): unknown {
    const verdicts = items.map(item => this.judge(item, value))
    if (verdicts.includes(WRONG)) return WRONG
    return isRecord(value) ? Object.assign({}, ...verdicts) : verdicts.at(-1)
  }

  #judgeAnything(field: Field, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.#judgeItems(value, () => field)
    const parts = Object.entries(value)
    if (!parts.every(([key]) => isStorableText(key))) return this.#wrong(UNSTORABLE_KEY)
    return this.#judgeParts(parts.map(([key, part]) => [key, part, field]))
  }

  #judgeItems(list: readonly unknown[], fieldAt: (index: number) => Field): unknown[] | Wrong {
    const picked: unknown[] = []
    for (const [index, item] of list.entries()) {
      const verdict = this.#judgePart(index, fieldAt(index), item)
      if (verdict !== WRONG) picked.push(verdict)
      else if (this.#knowsEnough()) return WRONG
    }
    return picked.length === list.length ? picked : WRONG
  }

  #judgeParts(parts: readonly Part[]): Record<string, unknown> | Wrong {
    const picked: [string, unknown][] = []
    let isRight = true
    for (const part of parts) {
      const [name, value, ...fields] = part
      if (fields.some(field => this.#isLeftOut(field, value))) continue
      const verdict = this.#judgePart(name, this.#fitting(fields, value), value)
      if (verdict === WRONG) {
        if (this.#knowsEnough()) return WRONG
        isRight = false
      } else if (verdict !== undefined) picked.push([name, verdict])
    }
    return isRight ? Object.fromEntries(picked) : WRONG
  }

  /** The first of several types that fits, or the one whose problems are told. */
  #fitting(fields: readonly Field[], value: unknown): Field {
    const [first] = fields
    if (fields.length === 1) return first!
    return fields.find(field => this.#try(field, value) !== WRONG) ?? first!
  }

  #judgePart(name: string | number, field: Field, value: unknown): unknown {
    this.#path.push(name)
    const verdict = this.judge(field, value)
    this.#path.pop()
    return verdict
  }

  /** Whether a type fits, and what it knows of the value. */
  #try(field: Field, value: unknown): unknown {
    this.#trials++
    const verdict = this.judge(field, value)
    this.#trials--
    return verdict
  }

  #wrong(sentence: string, ...below: readonly number[]): Wrong {
    if (this.#trials === 0) {
      this.problems.push({ path: [...this.#path, ...below].join('.'), sentence })
    }
    return WRONG
  }

  #knowsEnough(): boolean {
    return this.#trials > 0 || this.problems.length >= MAX_PROBLEMS
  }
}

function sizeOf(value: unknown): number {
  return isRecord(value) ? Object.keys(value).length : 0
}

function takesNull({ type }: Field): boolean {
  if (type.kind === '') return type.designType === 'null' || type.designType === 'any'
  return type.kind === 'union' && type.items.some(takesNull)
}
