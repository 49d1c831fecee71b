import type { WfRunEvent } from '../../state'
import type { WfAdminRunEvent } from './run-answers'

const ERROR_CODE = /^WF_[A-Z_]+$/u

/**
 * An event without its secrets.
 *
 * @param show what may be shown of a value
 */
export function shownEvent(
  { seq, type, stepId, at, actor, detail }: WfRunEvent,
  show: (value: unknown) => unknown,
): WfAdminRunEvent {
  const { code, ...rest } = detail
  // In a context a code is a secret; here it says what went wrong.
  const isError = typeof code === 'string' && ERROR_CODE.test(code)
  // What is shown of an object is one.
  const shownOf = (value: object) => show(value) as Readonly<Record<string, unknown>>
  const shown = isError ? { code, ...shownOf(rest) } : shownOf(detail)
  return { seq, type, stepId: stepId ?? null, at, actor: actor ?? null, detail: shown }
}
