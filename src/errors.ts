/** Every code a {@link WfError} can carry. Codes are stable; messages are for people and may change. */
export type WfErrorCode =
  /** The application is set up wrongly; thrown at start-up. */
  | 'WF_CONFIG'
  /** There is no workflow with this id. */
  | 'WF_UNKNOWN'
  /** This build's workflow has no such position; the paused state cannot go on here. */
  | 'WF_DEFINITION_CHANGED'

/**
 * The one error class of this package. Branch on `code`, never on `message`.
 *
 * A message never holds a token, a handle, a key or anything out of a workflow's context.
 *
 * @example
 * ```ts
 * import { WfError } from '@atscript/moost-wf'
 *
 * const error = new WfError('WF_UNKNOWN', 'There is no workflow "auth/logn".')
 * console.log(error.code) // 'WF_UNKNOWN'
 * ```
 */
export class WfError extends Error {
  override readonly name = 'WfError'

  constructor(
    readonly code: WfErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
