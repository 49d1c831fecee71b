import { WfAbort } from '../run'
import { type FinishWfOptions, toFinished } from './finish-wf'

/** What the user gets when a workflow is aborted. */
export type AbortWfOptions = Omit<FinishWfOptions, 'cookies'>

/**
 * Ends this workflow here: nothing behind this call runs, neither in this step nor in those that
 * follow, the token dies, cookies that were set are not sent and `onFinished` is not called. The
 * answer is `{ finished: true, aborted: true, reason }` with what the options add.
 *
 * @throws always: that is how it ends the step
 *
 * @example
 * ```ts
 * import { abortWf, Step, useWfAttempts, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Code {
 *   @Step('code')
 *   async code(@WorkflowParam('context') ctx: { userId: string }) {
 *     const attempts = useWfAttempts({ key: ctx.userId, limit: 5, windowMs: 900_000 })
 *     const { allowed } = await attempts.spend()
 *     if (!allowed) abortWf('too-many-codes', { message: 'Too many wrong codes.', next: '/login' })
 *   }
 * }
 * ```
 */
export function abortWf(reason: string, options: AbortWfOptions = {}): never {
  throw new WfAbort(toFinished({ ...options, aborted: true, reason }))
}
