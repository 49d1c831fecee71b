import { type CarryOutCommit, commitInTransaction } from '../commit/carry-out-commit'
import { commitSteps } from '../commit/commit-steps'
import type { SqlResult } from '../db-engine'
import { toWfError } from '../session/driver-error'
import type { SqliteDriver } from './sqlite-driver'

/**
 * Carries out a commit without letting anything else run in between: other processes wait for the
 * file no longer than the statements take.
 */
export const commitAtOnce =
  (driver: SqliteDriver): CarryOutCommit =>
  async (session, plan) => {
    if (session.isTransaction) return commitInTransaction(session, plan)
    try {
      return await driver.atOnce(execute => {
        const steps = commitSteps(session.engine, plan)
        let result: SqlResult | null = null
        for (;;) {
          const step = steps.next(result)
          if (step.done) return step.value
          result = execute(session.bind(step.value.statement))
        }
      })
    } catch (error) {
      throw toWfError(session.engine, error)
    }
  }
