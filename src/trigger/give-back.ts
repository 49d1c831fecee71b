import { HttpError } from '@wooksjs/event-http'
import type { WfClaim } from '../state'

/** Whether a step has refused the request, rather than failed. */
export function isClientError(error: unknown): error is HttpError {
  return error instanceof HttpError && error.body.statusCode < 500
}

/** As it was when a step refused the request; as the strategy sees fit when a step failed. */
export function giveBack(claim: WfClaim, error: unknown): Promise<void> {
  return isClientError(error) ? claim.release() : claim.fail(error)
}
