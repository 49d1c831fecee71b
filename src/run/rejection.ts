import { WfError, type WfErrorCode } from '../errors'
import type { WfOutletRequest } from '../outlets'
import type { WfRefusalReason } from '../state'
import type { Verdict } from './explain-refusal'

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
  | 'WF_EXPIRED'
  | 'WF_USED'
  | 'WF_SUPERSEDED'
  | 'WF_REVOKED'
  | 'WF_TOO_MANY'
  | 'WF_BUSY'
  | 'WF_WRONG_BROWSER'
  | 'WF_DEFINITION_CHANGED'
  | 'WF_OUTLET_FAILED'
  | 'WF_REQUEST_CHANGED'
  | 'WF_FINISHED'
  | 'WF_CONTENT_REFUSED'
>

const ANSWERS: Readonly<Record<RejectionCode, readonly [status: number, message: string]>> = {
  WF_BAD_REQUEST: [400, 'The request could not be understood.'],
  WF_METHOD: [405, 'This address takes POST requests.'],
  WF_FOREIGN_ORIGIN: [403, 'Requests from other sites are not accepted here.'],
  WF_UNKNOWN: [404, 'There is no such workflow.'],
  WF_NOT_ALLOWED: [403, 'This workflow is not available here.'],
  WF_MISMATCH: [409, 'This form belongs to another workflow.'],
  WF_STATE_GONE: [410, 'This link or form is no longer valid. Please start again.'],
  WF_EXPIRED: [410, 'This link or form has expired. Please start again.'],
  WF_USED: [410, 'This link or form has been used already. Please start again.'],
  WF_SUPERSEDED: [
    410,
    'This page is out of date: you have gone on elsewhere, in another tab perhaps.',
  ],
  WF_REVOKED: [410, 'This link or form was withdrawn. Please start again, or ask whoever sent it.'],
  WF_WRONG_BROWSER: [403, 'Please open this link in the browser in which you asked for it.'],
  WF_TOO_MANY: [429, 'Too many of these were begun. Please try again later.'],
  WF_BUSY: [409, 'This step is being worked on already. Please try again in a moment.'],
  WF_DEFINITION_CHANGED: [
    409,
    'This form cannot be continued at the moment. Please try again later.',
  ],
  WF_OUTLET_FAILED: [502, 'The message could not be sent. Please try again.'],
  WF_REQUEST_CHANGED: [422, 'This was sent before with another content. Please send it anew.'],
  WF_CONTENT_REFUSED: [
    422,
    'This cannot be stored as it is. Please change what you have entered, or ask whoever runs this site.',
  ],
  WF_FINISHED: [409, 'This has been done already. If something is missing, please start again.'],
}

/** A pause of the caller's, as it was shown. */
export interface CurrentPause {
  readonly token: string
  readonly request: WfOutletRequest
}

export interface RejectionDetails {
  readonly reason?: WfRefusalReason
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly clearCookie?: boolean
  /** The workflow that can be started anew. */
  readonly restart?: { readonly wfid: string; readonly carriesOver?: true }
  /** Where the flow of an older page is now, for the page to go on there. */
  readonly current?: CurrentPause
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
  'wrong-browser': 'WF_WRONG_BROWSER',
  busy: 'WF_BUSY',
  'not-allowed': 'WF_NOT_ALLOWED',
  mismatch: 'WF_MISMATCH',
  'definition-changed': 'WF_DEFINITION_CHANGED',
}

/** Whether a refused token is of no use any more, as far as the caller is told. */
export function isGone(reason: WfRefusalReason): boolean {
  return CODE_OF[reason] === 'WF_STATE_GONE'
}

/** What is told to those who have proved that they held a good token once. */
const PRECISE_CODE_OF: Partial<Record<WfRefusalReason, RejectionCode>> = {
  expired: 'WF_EXPIRED',
  used: 'WF_USED',
  superseded: 'WF_SUPERSEDED',
  revoked: 'WF_REVOKED',
}

/** The answer to a token that was refused. */
export function rejectionOf(
  verdict: Verdict,
  clearCookie: boolean,
  current?: CurrentPause,
): Rejection {
  const { reason, provenWfid, carriesOver } = verdict
  const precise = provenWfid === undefined ? undefined : PRECISE_CODE_OF[reason]
  return new Rejection(precise ?? CODE_OF[reason], {
    reason,
    current,
    restart: provenWfid === undefined ? undefined : restartOf(provenWfid, carriesOver),
    // Not when the flow has moved on: the browser may hold the newer token by now.
    clearCookie: clearCookie && isGone(reason) && reason !== 'used' && reason !== 'superseded',
    headers: reason === 'busy' ? { 'retry-after': '1' } : undefined,
  })
}

function restartOf(wfid: string, carriesOver = false) {
  return carriesOver ? { wfid, carriesOver } : { wfid }
}

/** The answer to a method that is neither POST nor a look at a token. */
export function methodRejection(): Rejection {
  return new Rejection('WF_METHOD', { headers: { allow: 'POST' } })
}
