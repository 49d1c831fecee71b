/** Every code a {@link WfError} or an error answer can carry. Codes are stable; messages are for people. */
export type WfErrorCode =
  /** The application is set up wrongly. */
  | 'WF_CONFIG'
  /** The request makes no sense: a broken body, no workflow id. */
  | 'WF_BAD_REQUEST'
  /** The method is not one that this endpoint takes. */
  | 'WF_METHOD'
  /** The request comes from a page of another site. */
  | 'WF_FOREIGN_ORIGIN'
  /** There is no workflow with this id. */
  | 'WF_UNKNOWN'
  /** The workflow may not be used at this endpoint. */
  | 'WF_NOT_ALLOWED'
  /** The token belongs to another workflow than the one that was named. */
  | 'WF_MISMATCH'
  /** The token is unknown, used, expired or no token at all. */
  | 'WF_STATE_GONE'
  /** The token was good until it expired. */
  | 'WF_EXPIRED'
  /** The token has been used. */
  | 'WF_USED'
  /** There is a newer version of this token. */
  | 'WF_SUPERSEDED'
  /** The token was taken back. */
  | 'WF_REVOKED'
  /** The link can be opened only in the browser in which it was asked for. */
  | 'WF_WRONG_BROWSER'
  /** The link is for somebody else, or for somebody who has to be signed in. */
  | 'WF_WRONG_USER'
  /** The link is worthless without a code, which is sent to the person that it is for. */
  | 'WF_CODE_NEEDED'
  /** The code that was typed is not the one that was sent. */
  | 'WF_CODE_WRONG'
  /** Too many flows were started by the same, or too many codes tried. */
  | 'WF_TOO_MANY'
  /** Another request is working with this token right now. */
  | 'WF_BUSY'
  /** This build cannot go on from where the workflow paused. */
  | 'WF_DEFINITION_CHANGED'
  /** The state does not fit into a token. */
  | 'WF_STATE_TOO_LARGE'
  /** The state, its handle or a snapshot is not one that can be stored. */
  | 'WF_STATE_INVALID'
  /** A step refused the request with an HTTP error of its own. */
  | 'WF_REJECTED'
  /** A request id came again with another input. */
  | 'WF_REQUEST_CHANGED'
  /** The same request was answered before, and that answer cannot be given twice. */
  | 'WF_FINISHED'
  /** What was sent cannot be stored as it is. */
  | 'WF_CONTENT_REFUSED'
  /** The outlet could not deliver. */
  | 'WF_OUTLET_FAILED'
  /** Another write came first, or a unique value is taken. */
  | 'WF_CONFLICT'
  /** A run cannot go from where it stands to there. */
  | 'WF_TRANSITION'
  /** There is an active run with this key. */
  | 'WF_ALREADY_ACTIVE'
  /** Something was not there when it should have been. */
  | 'WF_TIMEOUT'
  /** A workflow of named steps is to go on at a step that it does not have. */
  | 'WF_NO_SUCH_STEP'
  /** A step has said that it must not be tried again. */
  | 'WF_NOT_RETRYABLE'
  /** Nobody has answered in time. */
  | 'WF_DEADLINE'
  /** A run goes on by itself, and needs someone who is not there. */
  | 'WF_NEEDS_REQUEST'
  /** A filter names what is no column, no operator or no fitting value. */
  | 'WF_DB_FILTER'
  /** A row does not fit its table. */
  | 'WF_DB_ROW'
  /** The database differs from the `.as` files in a way that cannot be mended by adding. */
  | 'WF_DB_SCHEMA'
  /** The database did not answer in time, or the connection broke. */
  | 'WF_DB_UNAVAILABLE'
  /** The database refused a statement, a row holds what it should not, or a transaction was over. */
  | 'WF_DB_FAILED'
  /** Something failed that the caller cannot mend. */
  | 'WF_INTERNAL'

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

/**
 * Thrown by a step that has failed for good: it is not tried again, and a durable run has failed.
 *
 * @example
 * ```ts
 * import { NonRetryableError, Step, StepRetry } from '@atscript/moost-wf'
 *
 * class Payment {
 *   @Step('charge')
 *   @StepRetry({ attempts: 5 })
 *   async charge() {
 *     const { status } = await fetch('https://pay.example.com/charges', { method: 'POST' })
 *     if (status === 402) throw new NonRetryableError('The card was refused.')
 *     if (status >= 500) throw new Error('The provider has failed.')
 *   }
 * }
 * ```
 */
export class NonRetryableError extends WfError {
  constructor(message: string, options?: ErrorOptions) {
    super('WF_NOT_RETRYABLE', message, options)
  }
}
