import type { WfRetry } from '../state'
import type { OpenRun } from './open-run'
import { Rejection } from './rejection'
import { refusedStatusOf } from './thrown-status'

/**
 * Gives a state back: as it was when the request was refused, as the strategy sees fit when a step
 * failed. What did not happen is not answered either.
 *
 * @returns when it will be tried again, if it will
 * @throws AggregateError with both errors when the state cannot be given back
 */
export async function giveBack(
  { claim, carriedOver }: OpenRun,
  error: unknown,
  place: { undo?(): void },
): Promise<WfRetry | void> {
  place.undo?.()
  try {
    const isRefused = refusedStatusOf(error) !== undefined || error instanceof Rejection
    const retry = await (isRefused ? claim.release() : claim.fail(error))
    if (!retry) await carriedOver?.giveBack()
    return retry
  } catch (second) {
    throw new AggregateError([error, second], 'A state could not be given back.', { cause: second })
  }
}
