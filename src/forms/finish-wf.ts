import {
  useWfFinished,
  type WfFinished,
  type WfFinishedResponse,
  type WfMessage,
  type WfNext,
} from '../run'
import { checkMessage, checkNext } from './check-end'

/** What the user gets at the end of a workflow, in the public form. */
export interface FinishWfOpts {
  readonly data?: unknown
  readonly message?: WfMessage | undefined
  readonly next?: WfNext | undefined
}

/** What the user gets at the end of a workflow. */
export interface FinishWfOptions extends Omit<FinishWfOpts, 'message' | 'next'> {
  /** A sentence for the user, or one that says how it is meant. */
  readonly message?: string | WfMessage | undefined
  /** Where the user goes next: a path of this site, such as `/home`, or how it goes on in more detail. */
  readonly next?: string | WfNext | undefined
  readonly cookies?: WfFinishedResponse['cookies'] | undefined
}

/**
 * Says how the end of this workflow is answered: `{ finished: true, data?, message?, next? }`. It does
 * not skip the steps that follow, and a later call replaces it.
 *
 * @throws WfError `WF_CONFIG` for a `next` that leads to another site, by whichever button, for what is
 * no message or no `next`. Outside of a workflow that a request runs it does nothing
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
 *
 *   @Step('first-time')
 *   firstTime() {
 *     finishWf({
 *       message: { level: 'success', text: 'Your account is ready.' },
 *       next: {
 *         trigger: 'manual',
 *         primary: { label: 'Take the tour', action: { type: 'redirect', target: '/tour' } },
 *         options: [{ label: 'Not now', action: { type: 'redirect', target: '/home' } }],
 *       },
 *     })
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
  checkMessage(message)
  checkNext(next)
  // In the order of the protocol; JSON leaves out what is undefined.
  return { finished: true, data, message, next, aborted, reason }
}
