import type { TCookieAttributesInput } from '@wooksjs/event-http'
import { useTriggerScope } from './trigger-scope'

/** How a workflow's end is answered. */
export interface WfFinishedResponse {
  /** `redirect`: `value` is where to go. `data`: `value` is what to send. */
  readonly type: 'redirect' | 'data'
  readonly value: unknown
  readonly status?: number
  readonly cookies?: Readonly<Record<string, { value: string; options?: TCookieAttributesInput }>>
}

/**
 * Lets a step say how the end of its workflow is answered.
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
  const scope = useTriggerScope('useWfFinished()')
  return {
    set: (response: WfFinishedResponse): void => {
      scope.finished = response
    },
    get: (): WfFinishedResponse | undefined => scope.finished,
  }
}
