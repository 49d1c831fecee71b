import { checkBatches } from '../rows/delete-expired'
import type { WfRunSpace, WfRunTransaction } from './as-wf-run-store-options'
import { type EndedRun, removeByCommits, type RunTypes } from './remove-by-commits'
import type { RunTables } from './run-tables'

/** Which runs are over for good. One that has failed may still be tried again, until then. */
const ENDED = { status: { $in: ['completed', 'failed', 'cancelled'] } }

/** Which runs to remove, and how many at a time. */
export interface WfRetentionOptions {
  /** Those that have ended until then, in milliseconds since the epoch. */
  readonly endedUntil: number
  /**
   * Remove at most this many.
   *
   * @default no limit
   */
  readonly limit?: number | undefined
  /**
   * Runs per transaction, at most 1,000.
   *
   * @default 100
   */
  readonly batchSize?: number | undefined
}

/**
 * Removes runs that have ended, each with its history, its links, its messages and its signals, and says how many. A run that
 * goes on meanwhile stays; any number of processes may do it at once.
 */
export async function removeEndedRuns(
  { options: { space, runs, events, links, outbox, signals } }: RunTables,
  { endedUntil, limit = Infinity, batchSize = 100 }: WfRetentionOptions,
): Promise<number> {
  checkBatches({ limit, batchSize })
  if (!Number.isFinite(endedUntil)) throw new TypeError('endedUntil is a number of milliseconds.')
  const types = {
    runs: runs.type,
    events: events.type,
    links: links.type,
    outbox: outbox?.type,
    signals: signals?.type,
  }
  const ended = { ...ENDED, completedAt: { $lte: Math.floor(endedUntil) } }
  const remove = (found: readonly EndedRun[]) =>
    space.hasTransactions === false
      ? removeByCommits({ space, runs }, types, found, ended)
      : removeInTransaction(space, types, found, ended)
  let removed = 0
  while (removed < limit) {
    const $limit = Math.min(batchSize, limit - removed)
    const $select = ['flowId', 'version', 'status']
    const controls = { $sort: { completedAt: 1 }, $limit, $select }
    const found = (await runs.findMany({ filter: ended, controls })) as EndedRun[]
    if (found.length > 0) removed += await remove(found)
    // What others remove at the same moment is for them to count.
    if (found.length < $limit) return removed
  }
  return removed
}

/** The runs first: what has gone on since is not ended any more, and keeps its history. */
function removeInTransaction(
  space: WfRunSpace,
  types: RunTypes,
  found: readonly EndedRun[],
  ended: object,
): Promise<number> {
  const ids = found.map(({ flowId }) => flowId)
  return space.transaction(async transaction => {
    const filter = { flowId: { $in: ids } }
    const { deletedCount } = await transaction.table(types.runs).deleteMany({ ...filter, ...ended })
    const gone = deletedCount === ids.length ? ids : await missing(transaction, types, ids)
    if (gone.length > 0) {
      const children = { flowId: { $in: gone } }
      await transaction.table(types.events).deleteMany(children)
      await transaction.table(types.links).deleteMany(children)
      if (types.signals) await transaction.table(types.signals).deleteMany(children)
      if (types.outbox) await transaction.table(types.outbox).deleteMany(children)
    }
    return deletedCount
  })
}

async function missing(
  transaction: WfRunTransaction,
  types: RunTypes,
  ids: readonly string[],
): Promise<readonly string[]> {
  const controls = { $select: ['flowId'] }
  const rest = await transaction
    .table(types.runs)
    .findMany({ filter: { flowId: { $in: ids } }, controls })
  const live = new Set(rest.map(row => (row as { flowId: string }).flowId))
  return ids.filter(id => !live.has(id))
}
