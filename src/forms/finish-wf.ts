import { WfError } from '../errors'
import { isLocalPath, useWfFinished, type WfFinished, type WfFinishedResponse } from '../run'

/** What the user gets at the end of a workflow. */
export interface FinishWfOptions {
  readonly data?: unknown
  /** A sentence for the user. */
  readonly message?: string | undefined
  /** Where the user goes next: a path of this site, such as `/home`. */
  readonly next?: string | undefined
  readonly cookies?: WfFinishedResponse['cookies'] | undefined
}

/**
 * Says how the end of this workflow is answered: `{ finished: true, data?, message?, next? }`. It does
 * not skip the steps that follow, and a later call replaces it.
 *
 * @throws WfError `WF_CONFIG` for a `next` that leads to another site, and outside of a workflow that
 * a request runs
 *
 * @example
 * ```ts
 * import { finishWf, Step } from '@atscript/moost-wf'
 *
 * class Login {
 *   @Step('done')
 *   done() {
 *     finishWf({ message: 'Welcome back.', next: '/home' })
 *   }
 * }
 * ```
 */
export function finishWf({ cookies, ...answer }: FinishWfOptions = {}): void {
  useWfFinished().set({ type: 'data', value: toFinished(answer), cookies })
}

/** @throws WfError `WF_CONFIG` */
export function toFinished(answer: Omit<WfFinished, 'finished'>): WfFinished {
  const { data, message, next, aborted, reason } = answer
  if (next !== undefined && !isLocalPath(next)) {
    throw new WfError('WF_CONFIG', 'A workflow ends at a path of this site, such as "/home".')
  }
  // In the order of the protocol; JSON leaves out what is undefined.
  return { finished: true, data, message, next, aborted, reason }
}
