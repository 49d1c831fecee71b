import { isRecord, isStorableText } from '../state'
import { isFormEncoded } from './form-encoded'
import type { RunRequest } from './run-request'
import { readThrough, sealInput, unstorable } from './sealed-input'

/** How newer clients send a form: what was typed, and the action, as one input. */
interface WrappedInput {
  readonly formData?: Readonly<Record<string, unknown>> | null
  readonly action?: string | null
}

/** An input that looks wrapped: what came, and what is in it. */
export interface Wrapping {
  readonly sent: unknown
  /** Not there for an action without data. */
  readonly formData: unknown
}

/** By what the step gets, so that it is gone when the step has run. */
const wrappings = new WeakMap<object, Wrapping>()

/**
 * A request with its input unwrapped, and the action beside it. Whether the form that is asked for has
 * fields of these names, and means them, is for the form to say: {@link wrappingOf} has what came.
 *
 * A step without a form gets what was typed. An action alone is left in the input too: such a step may
 * have a field of that name.
 *
 * @throws Rejection for an action that cannot be kept
 */
export function unwrapped(request: RunRequest): RunRequest {
  if (request.action !== undefined) return request
  const sent = readThrough(request.input)
  // A form has no objects to wrap anything in: what looks so is a field of that name.
  if (isFormEncoded(sent) || !isWrapped(sent)) return request
  const { formData, action } = sent
  if (action && !isStorableText(action)) throw unstorable()
  const isSealed = sent !== request.input
  const input = formData && isSealed ? sealInput(formData) : (formData ?? sent)
  wrappings.set(input, { sent, formData: formData ?? undefined })
  return { ...request, input, action: action ?? undefined }
}

/** How the input that a step has got came, if it was wrapped. */
export function wrappingOf(input: unknown): Wrapping | undefined {
  return wrappings.get(input as object)
}

function isWrapped(sent: unknown): sent is WrappedInput {
  if (!isRecord(sent)) return false
  const { formData = null, action = null } = sent
  const hasData = isRecord(formData)
  const hasAction = typeof action === 'string'
  return (
    (hasData || hasAction) &&
    (hasData || formData === null) &&
    (hasAction || action === null) &&
    Object.keys(sent).every(key => key === 'formData' || key === 'action')
  )
}
