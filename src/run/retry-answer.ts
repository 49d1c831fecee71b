import { formatToken, notesOf, type WfPeek } from '../state'
import type { RunPlace, SettledRun } from './execute-run'
import type { OpenRun } from './open-run'
import type { RunConfig } from './run-config'
import { openWatch } from './watch'
import { newWatchToken, watchTokenFor } from './watch-token'

export type RetryWatching = Pick<RunConfig, 'ledger' | 'clock' | 'tombstoneTtl'>

/** A flow whose step has failed, and is tried again by itself. */
export type RetriedFlow = WfPeek & Required<Pick<WfPeek, 'retryAt'>>

/** Somebody has come with its token meanwhile. */
export interface WaitingRetry {
  readonly waiting: RetriedFlow
  readonly strategyName: string
  readonly raw: string
}

/** Whether a flow goes on by itself. */
export function isRetried(found: WfPeek | undefined): found is RetriedFlow {
  return found?.retryAt !== undefined
}

/**
 * What the caller can see by how a step that has failed goes on; `undefined` where that is not possible.
 *
 * Whoever has a token gets the same each time, which tells nothing of the token. Nobody waits for what
 * goes on by itself.
 */
export function watchRetry(
  config: RetryWatching,
  { isUnasked, raw, strategyName, wfid, notes }: Omit<OpenRun, 'claim' | 'state' | 'isNew'>,
): Promise<string | undefined> | undefined {
  if (isUnasked || !config.ledger) return undefined
  const token =
    raw === undefined ? newWatchToken() : watchTokenFor(formatToken({ name: strategyName, raw }))
  const { flowId } = notes.flow
  return openWatch(config, token, { wfid, flowId, strategy: strategyName, isOfRun: true })
}

/** Tells whoever comes with the token what they were told before. Nothing is used, and nothing is tried. */
export async function tellRetrying<P>(
  config: RetryWatching,
  { waiting, strategyName, raw }: WaitingRetry,
  place: Pick<RunPlace<P>, 'plan'>,
): Promise<SettledRun<P>> {
  const { state, retryAt } = waiting
  const { schemaId: wfid } = state
  const notes = notesOf(state)
  const watch = notes && (await watchRetry(config, { raw, strategyName, wfid, notes }))
  const planned = place.plan({ kind: 'retrying', retryAt, watch })
  const about = { wfid, flowId: notes?.flow.flowId, browser: notes?.pause?.browser }
  return { ...about, planned, ended: false, isOnlyShown: true }
}
