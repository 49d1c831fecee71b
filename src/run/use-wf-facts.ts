import type { WfFacts } from '../state'
import { NeedsRequest } from './needs-request'
import { useRunScope } from './run-scope'

/**
 * What the endpoint has declared as facts of the request: its language, or where it came from. In a
 * durable run they are kept with what was answered, so that a step that runs again, when the request is
 * long over, still knows them.
 *
 * @throws WfError `WF_CONFIG` outside of a workflow that a request runs, `WF_NEEDS_REQUEST` where nothing was kept
 * of the request of a run that goes on by itself
 *
 * @example
 * ```ts
 * import { Step, useWfFacts } from '@atscript/moost-wf'
 *
 * class Welcome {
 *   @Step('welcome')
 *   welcome() {
 *     const { language = 'en' } = useWfFacts<{ language: string }>()
 *     console.log(`A mail in ${language} goes out.`)
 *   }
 * }
 * ```
 */
export function useWfFacts<Facts extends object = WfFacts>(): Partial<Facts> {
  const { facts, isUnasked } = useRunScope('useWfFacts()')
  const known = facts?.()
  // Nobody is there to ask: whoever comes with a link will be.
  if (!known && isUnasked) {
    throw new NeedsRequest(
      'useWfFacts() tells what was kept of a request, and of this one nothing was: the step needs the request of whoever has a link.',
    )
  }
  return (known ?? {}) as Partial<Facts>
}
