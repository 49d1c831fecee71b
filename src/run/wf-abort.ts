import type { WfFinished } from './wf-finished'

/**
 * Thrown by `abortWf` to end a workflow at a step. An error interceptor that replies to errors lets it
 * pass.
 *
 * @example
 * ```ts
 * import { WfAbort } from '@atscript/moost-wf'
 *
 * export const isFailure = (error: unknown) => !(error instanceof WfAbort)
 * ```
 */
export class WfAbort extends Error {
  override readonly name = 'WfAbort'

  constructor(readonly answer: WfFinished) {
    super('The workflow was aborted by a step.')
  }
}
