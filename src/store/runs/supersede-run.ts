import type { WfHeldRun, WfNewRun, WfRunChange } from '../../state'
import type { RunTables } from './run-tables'
import { beginRun, commitRun, endAndBegin } from './write-run'

/** That the new run could not be written: the former one must live on. */
const UNDONE = Symbol('undone')

/**
 * Ends a run and writes another that has its key, in one transaction. What is left of it within a
 * caller's own transaction, should the id of the new run be taken, is a key that is free.
 */
export async function supersedeRun(
  tables: RunTables,
  former: WfHeldRun,
  end: WfRunChange,
  fresh: WfNewRun,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { space } = tables.options
  if (space.hasTransactions === false) return endAndBegin(tables, former, end, fresh, change)
  try {
    return await space.transaction(async transaction => {
      const within = { ...space, now: space.now.bind(space), commit: transaction.commit }
      const inside = { ...tables, options: { ...tables.options, space: within } }
      if (!(await commitRun(inside, former, end))) return null
      const begun = await beginRun(inside, fresh, change)
      if (!begun) throw UNDONE
      return begun
    })
  } catch (error) {
    if (error === UNDONE) return null
    throw error
  }
}
