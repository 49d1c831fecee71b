import { HttpError } from '@wooksjs/event-http'
import type { WfClaim } from '../state'

/** Whether a step has refused the request, rather than failed. */
export function isClientError(error: unknown): error is HttpError {
  return error instanceof HttpError && error.body.statusCode < 500
}

/**
 * Runs what may fail while a state is taken, and gives the state back if it does: as it was when a
 * step refused the request, as the strategy sees fit when it failed.
 */
export async function settleOnError<R>(claim: WfClaim, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (isClientError(error)) await claim.release()
    else await claim.fail(error)
    throw error
  }
}
