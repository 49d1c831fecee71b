import { HttpError } from '@wooksjs/event-http'
import type { WfClaim } from '../state'
import { dropCookies } from '../trigger/answer/answer-headers'

/** Whether a step has refused the request, rather than failed. */
export function isClientError(error: unknown): error is HttpError {
  return error instanceof HttpError && error.body.statusCode < 500
}

/**
 * Gives a state back: as it was when a step refused the request, as the strategy sees fit when a step
 * failed. What did not happen sets no cookies either.
 *
 * @throws AggregateError with both errors when the state cannot be given back
 */
export async function giveBack(claim: WfClaim, error: unknown): Promise<void> {
  dropCookies()
  try {
    await (isClientError(error) ? claim.release() : claim.fail(error))
  } catch (second) {
    throw new AggregateError([error, second], 'A state could not be given back.', { cause: second })
  }
}
