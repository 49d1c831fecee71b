import type { Rejection, RejectionCode } from '../../run'
import { HttpRejection } from '../http-rejection'

const STATUS: Readonly<Record<RejectionCode, number>> = {
  WF_BAD_REQUEST: 400,
  WF_NOT_ALLOWED: 403,
  WF_WRONG_BROWSER: 403,
  WF_WRONG_USER: 403,
  WF_CODE_NEEDED: 403,
  WF_UNKNOWN: 404,
  WF_BUSY: 409,
  WF_CONFLICT: 409,
  WF_DEFINITION_CHANGED: 409,
  WF_FINISHED: 409,
  WF_MISMATCH: 409,
  WF_EXPIRED: 410,
  WF_REVOKED: 410,
  WF_STATE_GONE: 410,
  WF_SUPERSEDED: 410,
  WF_USED: 410,
  WF_CODE_WRONG: 422,
  WF_CONTENT_REFUSED: 422,
  WF_REQUEST_CHANGED: 422,
  WF_TOO_MANY: 429,
  WF_OUTLET_FAILED: 502,
}

/** The HTTP status that says the same as a rejection. */
export function statusOf(rejection: Rejection): number {
  return rejection instanceof HttpRejection
    ? rejection.status
    : STATUS[rejection.code as RejectionCode]
}

/** What its headers say beside that. */
export function headersOf(rejection: Rejection): Readonly<Record<string, string>> {
  if (rejection instanceof HttpRejection) return rejection.headers
  const { retryAfterSeconds } = rejection.details
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
}
