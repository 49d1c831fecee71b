import {
  type TAtscriptAnnotatedType,
  type TValidatorPlugin,
  Validator,
} from '@atscript/typescript/utils'
import { Effort, TooMuchEffort } from './effort'
import { NOT_RIGHT, problemOf } from './field-problem'
import type { ObjectForm } from './form-type'
import { isShownOnly, pickKnown } from './pick-known'

/** Sentences by the path of their field: `address.street`. */
export type WfFieldErrors = Readonly<Record<string, string>>

export type InputResult =
  | { readonly data: unknown }
  | { readonly errors?: WfFieldErrors; readonly formMessage?: string }

const MAX_ERRORS = 50
// A path may hold keys that the client has made up.
const MAX_PATH_LENGTH = 200
const UNREADABLE = 'The form could not be read. Please send it again.'
const TOO_MUCH = 'This is more than can be checked at once. Please send less.'

/**
 * Checks what a client has sent against a form. What the form does not know is stripped. With
 * `partial`, anything may be missing, at any depth; what is there is checked all the same.
 */
export function validateInput(form: ObjectForm, input: unknown, partial: boolean): InputResult {
  try {
    return judge(form, input, partial)
  } catch (error) {
    if (error instanceof TooMuchEffort) return { formMessage: TOO_MUCH }
    throw error
  }
}

function judge(form: ObjectForm, input: unknown, partial: boolean): InputResult {
  const inSentences = speaking(new Effort())
  const remembering = rememberUnions(inSentences)
  const check = (type: TAtscriptAnnotatedType) =>
    new Validator(type, {
      partial: partial ? 'deep' : false,
      unknownProps: 'ignore',
      errorLimit: MAX_ERRORS,
      plugins: [remembering, inSentences],
    })
  const validator = check(form)
  if (validator.validate(input, true)) {
    const fits = (type: TAtscriptAnnotatedType, value: unknown) => check(type).validate(value, true)
    return { data: pickKnown(form, input, fits) }
  }
  return toResult(validator.errors)
}

/**
 * A union tries each of its types, and so does one inside of it: without this, 2 ^ depth times. Every
 * value is judged once per union.
 */
function rememberUnions(inSentences: TValidatorPlugin): TValidatorPlugin {
  const verdicts = new Map<TAtscriptAnnotatedType, WeakMap<object, boolean>>()
  return (context, field, value) => {
    if (field.type.kind !== 'union' || typeof value !== 'object' || value === null) return undefined
    const known = verdicts.get(field) ?? new WeakMap<object, boolean>()
    verdicts.set(field, known)
    const earlier = known.get(value)
    if (earlier === false) context.error(NOT_RIGHT)
    if (earlier !== undefined) return earlier
    const verdict =
      inSentences(context, field, value) ?? context.validateAnnotatedType(field, value)
    known.set(value, verdict)
    return verdict
  }
}

/** Takes over from the validator wherever a sentence for people can be said. */
function speaking(effort: Effort): TValidatorPlugin {
  return (context, field, value) => {
    if (isShownOnly(field)) return true
    const problem = problemOf(field, value, effort)
    if (problem !== undefined) {
      context.error(problem)
      return false
    }
    // The validator checks plain values by the same rules, in words for programmers.
    return field.type.kind === '' ? true : undefined
  }
}

function toResult(found: Validator['errors']): InputResult {
  const errors = new Map<string, string>()
  for (const { path, message, details } of found) {
    if (path === '' || path.length > MAX_PATH_LENGTH) return { formMessage: UNREADABLE }
    // A value that fits none of several types: the details tell of each of them.
    if (!errors.has(path)) errors.set(path, details ? NOT_RIGHT : message)
  }
  return { errors: Object.fromEntries(errors) }
}
