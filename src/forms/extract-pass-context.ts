import { isRecord } from '../state'
import type { WfForm } from './form-type'

/** Where the sentences about a form go. */
const OURS: readonly string[] = ['errors', 'formMessage']

/**
 * What of a workflow's context goes to the client with a form: the keys that its
 * `@wf.context.pass` annotations name, and nothing else.
 *
 * @example
 * ```ts
 * import { extractPassContext, type WfForm } from '@atscript/moost-wf'
 *
 * export const shown = (form: WfForm) =>
 *   extractPassContext(form, { tenant: 'acme', passwordHash: 'never shown' })
 * ```
 */
export function extractPassContext(form: WfForm, context: unknown): Record<string, unknown> {
  if (!isRecord(context)) return {}
  const passed = contextKeysOf(form).filter(key => Object.hasOwn(context, key))
  return Object.fromEntries(passed.map(key => [key, context[key]]))
}

/** The keys of a context that go to the client with a form. */
export function contextKeysOf({ metadata }: WfForm): readonly string[] {
  const keys = [metadata.get('wf.context.pass') ?? []].flat() as readonly string[]
  return keys.filter(key => !OURS.includes(key))
}
