import type { WfRetry } from '../state'
import type { RunPlace } from './execute-run'
import { mayBeAskedFor } from './needs-request'
import type { OpenRun } from './open-run'
import { Rejection } from './rejection'
import { refusedStatusOf } from './thrown-status'

/**
 * Gives a state back, and tells the caller if its strategy will try again.
 *
 * @param failedStep which has thrown, if that is known
 * @returns the answer then
 * @throws the error otherwise
 */
export async function giveBackOrRetry<P>(
  run: OpenRun,
  error: unknown,
  place: Pick<RunPlace<P>, 'plan' | 'undo'>,
  failedStep?: string,
): Promise<P> {
  const retry = await giveBack(run, error, place, failedStep)
  if (!retry) throw error
  return place.plan({ kind: 'retrying', ...retry })
}

/**
 * Gives a state back: as it was when the request was refused, as the strategy sees fit when a step
 * failed. What did not happen is not answered either.
 *
 * @returns when it will be tried again, if it will
 * @throws AggregateError with both errors when the state cannot be given back
 */
async function giveBack(
  { claim, carriedOver, isUnasked }: OpenRun,
  error: unknown,
  place: { undo?(): void },
  failedStep: string | undefined,
): Promise<WfRetry | void> {
  place.undo?.()
  try {
    if (isUnasked && mayBeAskedFor(error)) return await claim.wait?.()
    const isRefused = refusedStatusOf(error) !== undefined || error instanceof Rejection
    const retry = await (isRefused ? claim.release() : claim.fail(error, failedStep))
    if (!retry) await carriedOver?.giveBack()
    return retry
  } catch (second) {
    throw new AggregateError([error, second], 'A state could not be given back.', { cause: second })
  }
}
