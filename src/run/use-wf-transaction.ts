import type { DbTransaction } from '../db'
import { WfError } from '../errors'
import { useRunScope } from './run-scope'
import { isOfRunningStep } from './step-place'

/**
 * The transaction of a step of a durable run: what the step does through it is committed together with what
 * becomes of the step, or not at all. It begins at its first use; whoever asks again gets the same one. When
 * the step throws, takes too long or loses its run, it is rolled back. What a step has begun and not waited for gets
 * none when the step is over, nor that of a later step.
 *
 * It holds a connection until the step is over, and on SQLite nobody else can use the database meanwhile: use
 * it last, and wait for nothing else in between.
 *
 * @param space the database that is meant: that of the runs, or it is refused
 * @throws WfError `WF_CONFIG` on other strategies, on runs that are in no database, and outside of a step
 *
 * @example
 * ```ts
 * import { Step, useWfTransaction } from '@atscript/moost-wf'
 * import { OrderRow } from './schemas/OrderRows.as'
 *
 * class Shop {
 *   @Step('order')
 *   async order() {
 *     const transaction = await useWfTransaction()
 *     await transaction.table(OrderRow).insertOne({ id: 'o1', status: 'new', version: 1 })
 *   }
 * }
 * ```
 */
export async function useWfTransaction(space?: object): Promise<DbTransaction> {
  const scope = useRunScope('useWfTransaction()')
  const { transaction, strategyName } = scope
  if (transaction && isOfRunningStep(scope)) return (await transaction(space)) as DbTransaction
  throw new WfError(
    'WF_CONFIG',
    'useWfTransaction() works while a step of a durable run is running: the strategy ' +
      `"${strategyName}" has no transactions, or the step has ended.`,
  )
}
