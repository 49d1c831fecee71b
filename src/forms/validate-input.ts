import { isRecord } from '../state'
import { TooMuchEffort } from './effort'
import type { ObjectForm } from './form-type'
import { type FieldProblem, InputJudge } from './input-judge'

/** Sentences by the path of their field: `address.street`. */
export type WfFieldErrors = Readonly<Record<string, string>>

export type InputResult =
  | { readonly data: unknown }
  | { readonly errors?: WfFieldErrors; readonly formMessage?: string }

// A path may hold keys that the client has made up.
const MAX_PATH_LENGTH = 200
const UNREADABLE = 'The form could not be read. Please send it again.'
const TOO_MUCH = 'This is more than can be checked at once. Please send less.'

/**
 * Checks what a client has sent against a form, and strips what the form does not know. With
 * `partial`, anything may be missing, at any depth; what is there is checked all the same.
 */
export function validateInput(form: ObjectForm, input: unknown, partial: boolean): InputResult {
  if (!isRecord(input)) return { formMessage: UNREADABLE }
  const judge = new InputJudge(partial)
  try {
    const data = judge.judge(form, input)
    return judge.problems.length === 0 ? { data } : toResult(judge.problems)
  } catch (error) {
    if (error instanceof TooMuchEffort) return { formMessage: TOO_MUCH }
    throw error
  }
}

function toResult(problems: readonly FieldProblem[]): InputResult {
  const errors = new Map<string, string>()
  for (const { path, sentence } of problems) {
    if (path === '') return { formMessage: sentence }
    if (path.length > MAX_PATH_LENGTH) return { formMessage: UNREADABLE }
    if (!errors.has(path)) errors.set(path, sentence)
  }
  return { errors: Object.fromEntries(errors) }
}
