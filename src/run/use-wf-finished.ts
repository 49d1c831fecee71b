import type { TCookieAttributesInput } from '@wooksjs/event-http'
import { findRunScope } from './run-scope'

interface FinishedBase {
  readonly status?: number | undefined
  readonly cookies?:
    | Readonly<Record<string, { value: string; options?: TCookieAttributesInput | undefined }>>
    | undefined
}

/**
 * How a workflow's end is answered: with data, or by sending the user elsewhere. A script that speaks
 * the envelope is told where to go instead: `{ finished: true, next }`.
 */
export type WfFinishedResponse = FinishedBase &
  (
    | { readonly type: 'data'; readonly value: unknown }
    | { readonly type: 'redirect'; readonly value: string }
  )

/**
 * Lets a step say how the end of its workflow is answered. Outside of a workflow that a request runs
 * nobody is answered, and what is said is not kept.
 *
 * @example
 * ```ts
 * import { Step, useWfFinished } from '@atscript/moost-wf'
 *
 * class Login {
 *   @Step('done')
 *   done() {
 *     useWfFinished().set({
 *       type: 'data',
 *       value: { welcome: true },
 *       cookies: { session: { value: 'opaque', options: { httpOnly: true, sameSite: 'Lax' } } },
 *     })
 *   }
 * }
 * ```
 */
export function useWfFinished() {
  const scope = findRunScope()
  return {
    set: (response: WfFinishedResponse): void => {
      if (scope) scope.finished = response
    },
    get: (): WfFinishedResponse | undefined => scope?.finished,
  }
}
