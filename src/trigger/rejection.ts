import { WfError, type WfErrorCode } from '../errors'
import type { WfRefusalReason } from '../state'

/** The codes of a {@link Rejection}. */
type RejectionCode = Extract<
  WfErrorCode,
  | 'WF_BAD_REQUEST'
  | 'WF_METHOD'
  | 'WF_FOREIGN_ORIGIN'
  | 'WF_UNKNOWN'
  | 'WF_NOT_ALLOWED'
  | 'WF_MISMATCH'
  | 'WF_STATE_GONE'
  | 'WF_BUSY'
  | 'WF_DEFINITION_CHANGED'
  | 'WF_OUTLET_FAILED'
>

const ANSWERS: Readonly<Record<RejectionCode, readonly [status: number, message: string]>> = {
  WF_BAD_REQUEST: [400, 'The request could not be understood.'],
  WF_METHOD: [405, 'This address takes POST requests.'],
  WF_FOREIGN_ORIGIN: [403, 'Requests from other sites are not accepted here.'],
  WF_UNKNOWN: [404, 'There is no such workflow.'],
  WF_NOT_ALLOWED: [403, 'This workflow is not available here.'],
  WF_MISMATCH: [409, 'This form belongs to another workflow.'],
  WF_STATE_GONE: [410, 'This link or form is no longer valid. Please start again.'],
  WF_BUSY: [409, 'This step is being worked on already. Please try again in a moment.'],
  WF_DEFINITION_CHANGED: [
    409,
    'This form cannot be continued at the moment. Please try again later.',
  ],
  WF_OUTLET_FAILED: [502, 'The message could not be sent. Please try again.'],
}

export interface RejectionDetails {
  readonly reason?: WfRefusalReason
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly clearCookie?: boolean
  readonly message?: string
  readonly cause?: unknown
}

/** A request that is answered with a code of ours. Thrown by the stages, caught once at the top. */
export class Rejection extends WfError {
  readonly status: number
  readonly details: RejectionDetails

  constructor(code: RejectionCode, details: RejectionDetails = {}) {
    const [status, message] = ANSWERS[code]
    super(code, details.message ?? message, { cause: details.cause })
    this.status = details.status ?? status
    this.details = details
  }
}

const CODE_OF: Readonly<Record<WfRefusalReason, RejectionCode>> = {
  garbled: 'WF_STATE_GONE',
  gone: 'WF_STATE_GONE',
  expired: 'WF_STATE_GONE',
  used: 'WF_STATE_GONE',
  superseded: 'WF_STATE_GONE',
  revoked: 'WF_STATE_GONE',
  busy: 'WF_BUSY',
  'not-allowed': 'WF_NOT_ALLOWED',
  mismatch: 'WF_MISMATCH',
  'definition-changed': 'WF_DEFINITION_CHANGED',
}

/** Whether a refused token is of no use any more, as far as the caller is told. */
export function isGone(reason: WfRefusalReason): boolean {
  return CODE_OF[reason] === 'WF_STATE_GONE'
}

/** The answer to a token that was refused. */
export function rejectionOf(reason: WfRefusalReason, clearCookie: boolean): Rejection {
  return new Rejection(CODE_OF[reason], {
    reason,
    // Not when the flow has moved on: the browser may hold the newer token by now.
    clearCookie: clearCookie && isGone(reason) && reason !== 'used' && reason !== 'superseded',
    headers: reason === 'busy' ? { 'retry-after': '1' } : undefined,
  })
}

/** The answer to a method that is neither POST nor a look at a token. */
export function methodRejection(): Rejection {
  return new Rejection('WF_METHOD', { headers: { allow: 'POST' } })
}
