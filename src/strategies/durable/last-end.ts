import type { WfRunStore, WfStoredRun } from '../../state'
import { liveLinks } from './live-links'
import { noteOf } from './run-note'

/**
 * Since when nobody can answer a run; `undefined` while somebody always can.
 *
 * @param changedAt who changes a run may be about to ask again
 */
export async function lastEndOf(
  runs: Pick<WfRunStore, 'links'>,
  { flowId, state }: Pick<WfStoredRun, 'flowId' | 'state'>,
  changedAt: number,
): Promise<number | undefined> {
  const links = liveLinks(await runs.links(flowId), noteOf(state))
  // Where no link is to be seen, there is none that could have expired.
  if (links.length === 0) return undefined
  const end = Math.max(changedAt, ...links.map(({ expiresAt = Infinity }) => expiresAt))
  return end === Infinity ? undefined : end
}
