import type { SqlResult } from '../db-engine'
import type { DbSession } from '../session/db-session'
import type { CommitPlan } from './commit-plan'
import { commitSteps, type CommitStep, type RawRow } from './commit-steps'

/** Writes all that a plan holds, or nothing. @returns the row, or `null` for nothing */
export type CarryOutCommit = (session: DbSession, plan: CommitPlan) => Promise<RawRow | null>

/** Carries out a commit in a transaction, or as a part of the one that the session is. */
export const commitInTransaction: CarryOutCommit = (session, plan) =>
  session.atomically(async inside => {
    const steps = commitSteps(inside.engine, plan)
    let result: SqlResult | null = null
    for (;;) {
      const step = steps.next(result)
      if (step.done) return step.value
      result = await runStep(inside, step.value)
    }
  })

const runStep = (session: DbSession, { statement, mayConflict }: CommitStep) =>
  mayConflict ? session.tryRun(statement) : session.run(statement)
