import { WfError } from '../../errors'
import { randomId, type WfOpenTransaction, type WfRunStore } from '../../state'
import type { WfRunTransaction } from './as-wf-run-store-options'
import type { RunTables } from './run-tables'

/** What the work of a transaction throws that is to keep nothing. */
const NOTHING = new WfError('WF_DB_FAILED', 'The transaction was rolled back.')

/**
 * Opens a transaction, and holds it open until it is told how it ends.
 *
 * @param within the runs within a transaction
 */
export async function openTransaction(
  { options: { space, events } }: RunTables,
  within: (transaction: WfRunTransaction) => WfRunStore,
): Promise<WfOpenTransaction> {
  let isBegun = false
  let begin = (_transaction: WfRunTransaction) => {}
  let end = (_isKept: boolean) => {}
  const ending = new Promise<boolean>(resolve => {
    end = resolve
  })
  const running = space.transaction(async transaction => {
    // The database runs the work of a transaction again that it had to undo. That of a step it cannot.
    if (isBegun) throw new WfError('WF_DB_UNAVAILABLE', 'The database has undone this transaction.')
    isBegun = true
    begin(transaction)
    if (!(await ending)) throw NOTHING
  })
  const begun = new Promise<WfRunTransaction>((resolve, reject) => {
    begin = resolve
    running.catch(reject)
  })
  const transaction = await begun
  let commitId: string | undefined
  const noting: WfRunTransaction = {
    table: type => transaction.table(type),
    commit: change => {
      commitId = randomId()
      return transaction.commit({ commitId, ...change })
    },
  }
  /** Its events keep the id of a commit, and no later one takes it from them. */
  const isKept = async (flowId: string) =>
    commitId !== undefined && (await events.hasCommit?.(commitId, { flowId })) === true
  return {
    space,
    transaction,
    runs: within(noting),
    commit: async ({ run: { flowId } }) => {
      end(true)
      try {
        await running
      } catch (error) {
        // The answer to a COMMIT may be lost, and what it has kept is there.
        if (!(await isKept(flowId).catch(() => false))) throw error
      }
    },
    rollBack: async () => {
      end(false)
      await running.catch(() => {})
    },
  }
}
