import { endCarryOver } from './carry-over'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import type { RequestToken } from './request-token'
import type { RunConfig } from './run-config'
import type { Settled } from './settle-run'
import { buryUsed } from './tombstones'
import { tellWatchers } from './watch'

/** Notes what others may ask about later: what became of the token, and of the flow. */
export async function tellOthers<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
  { ended, spent }: Settled<P>,
  token?: RequestToken,
): Promise<void> {
  const { flow, pause } = run.notes
  // Where a person can come back to: a link in a mail, or the end. A form that was sent is not kept.
  const isPlace = spent && (ended || pause?.outOfBand)
  if (!run.isNew && isPlace && !keepsLinks(config, run)) {
    await buryUsed(config, token, run.wfid, pause)
  }
  if (spent && (pause?.watch || (ended && flow.watched))) {
    await tellWatchers(config, run.notes, ended, run.claim.expiresAt)
  }
  if (ended) await endCarryOver(config, deps, run)
}

/** Whether a used link explains itself. */
export function keepsLinks({ registry }: RunConfig, { strategyName }: OpenRun): boolean {
  return registry.named(strategyName).strategy.guarantees?.crashSafe === true
}
