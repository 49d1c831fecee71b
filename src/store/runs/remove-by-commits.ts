import type { WfRunStatus } from '../../state'
import type { WfTableType } from '../rows/wf-table'
import type { ResolvedRunStoreOptions } from './as-wf-run-store-options'

/** The interfaces of the tables of runs. */
export type RunTypes = Readonly<Record<'runs' | 'events' | 'links', WfTableType>> & {
  readonly outbox: WfTableType | undefined
  readonly signals: WfTableType | undefined
}

/** What is to be known of a run that is removed. */
export interface EndedRun {
  readonly flowId: string
  readonly version: number
  readonly status: WfRunStatus
}

/**
 * Removes runs where no transaction is kept open, one after the other: what belongs to a run by a commit,
 * and then its row. Whoever is stopped in between leaves an ended run without a history, for the next one.
 */
export async function removeByCommits(
  { space, runs }: Pick<ResolvedRunStoreOptions, 'space' | 'runs'>,
  types: RunTypes,
  found: readonly EndedRun[],
  ended: object,
): Promise<number> {
  const emptied: string[] = []
  for (const { flowId, version, status } of found) {
    const children = [types.events, types.links, types.signals, types.outbox]
    const { held } = await space.commit({
      write: {
        update: types.runs,
        filter: { flowId, version, ...ended },
        // Nobody may go on with it from here: what has failed could be tried again.
        patch: { version: version + 1, status: status === 'failed' ? 'cancelled' : status },
      },
      with: children.flatMap(type => (type ? [{ delete: type, filter: { flowId } }] : [])),
    })
    if (held) emptied.push(flowId)
  }
  if (emptied.length === 0) return 0
  const { deletedCount } = await runs.deleteMany({ flowId: { $in: emptied }, ...ended })
  return deletedCount
}
