import type { OpenRun } from './open-run'
import { Rejection } from './rejection'
import { refusedStatusOf } from './thrown-status'

/**
 * Gives a state back: as it was when the request was refused, as the strategy sees fit when a step
 * failed. What did not happen is not answered either.
 *
 * @throws AggregateError with both errors when the state cannot be given back
 */
export async function giveBack(
  { claim, carriedOver }: OpenRun,
  error: unknown,
  place: { undo?(): void },
): Promise<void> {
  place.undo?.()
  try {
    const isRefused = refusedStatusOf(error) !== undefined || error instanceof Rejection
    await (isRefused ? claim.release() : claim.fail(error))
    await carriedOver?.giveBack()
  } catch (second) {
    throw new AggregateError([error, second], 'A state could not be given back.', { cause: second })
  }
}
