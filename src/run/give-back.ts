import { useLogger } from '@wooksjs/event-core'
import { formatToken, type WfRetry, type WfRetryPolicy } from '../state'
import type { RunPlace } from './execute-run'
import { mayBeAskedFor } from './needs-request'
import type { OpenRun } from './open-run'
import { redactTokens } from './redact-tokens'
import { Rejection } from './rejection'
import { type RetryWatching, watchRetry } from './retry-answer'
import { HandedOn } from './run-term'
import { refusedStatusOf } from './thrown-status'

/** A step that has thrown. */
export interface FailedStep {
  readonly stepId: string
  /** What it says of being tried again. */
  readonly retry?: WfRetryPolicy | undefined
}

/**
 * Gives a state back, and tells the caller if its strategy will try again.
 *
 * @param failed which step has thrown, if that is known
 * @returns the answer then
 * @throws the error otherwise
 */
export async function giveBackOrRetry<P>(
  config: RetryWatching,
  run: OpenRun,
  error: unknown,
  place: Pick<RunPlace<P>, 'plan' | 'undo'>,
  failed?: FailedStep,
): Promise<P> {
  const retry = await giveBack(run, error, place, failed)
  if (!retry) throw error
  // Nobody else has seen it: the answer is that it is tried again.
  useLogger().warn(
    `Run ${run.notes.flow.flowId} of ${run.wfid} is tried again`,
    withoutToken(run, error),
  )
  return place.plan({ kind: 'retrying', ...retry, watch: await watchRetry(config, run) })
}

function withoutToken({ strategyName: name, raw }: OpenRun, error: unknown): unknown {
  return raw === undefined ? error : redactTokens(error, [formatToken({ name, raw })])
}

/**
 * Gives a state back: as it was when the request was refused, as the strategy sees fit when a step
 * failed. What did not happen is not answered either.
 *
 * @returns when it will be tried again, if it will
 * @throws AggregateError with both errors when the state cannot be given back
 */
async function giveBack(
  { claim, carriedOver, isUnasked, term }: OpenRun,
  error: unknown,
  place: { undo?(): void },
  failed: FailedStep | undefined,
): Promise<WfRetry | void> {
  place.undo?.()
  try {
    // Its last commit has let go of it.
    if (error instanceof HandedOn) return
    // A step that was told to end has not failed.
    if (term?.cut.signal.aborted) return await claim.release()
    if (isUnasked && mayBeAskedFor(error)) return await claim.wait?.()
    const isRefused = refusedStatusOf(error) !== undefined || error instanceof Rejection
    const retry = await (isRefused
      ? claim.release()
      : claim.fail(error, failed?.stepId, failed?.retry))
    if (!retry) await carriedOver?.giveBack()
    return retry
  } catch (second) {
    throw new AggregateError([error, second], 'A state could not be given back.', { cause: second })
  }
}
