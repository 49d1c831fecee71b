import { WfError } from '../../errors'
import { isTransactionUndone } from '../session/driver-error'
import type { DbSession } from '../session/db-session'
import { commitInTransaction } from './carry-out-commit'
import type { CommitPlan } from './commit-plan'
import type { RawRow } from './commit-steps'
import { findCommit } from './find-commit'

/** A commit is sent again this long after it was sent first, no longer. */
const AGAIN_WITHIN_MS = 3000
const LONGEST_PAUSE_MS = 100

/** Carries out a commit as its engine does. */
export const carryOut = (session: DbSession, plan: CommitPlan): Promise<RawRow | null> =>
  (session.engine.commit ?? commitInTransaction)(session, plan)

/**
 * Carries out a commit on its own. If its answer is lost it is sent again, provided that its
 * condition can hold only once, and looked up. Whatever is answered is true; where nothing true is
 * known, the loss is thrown.
 */
export function commitSurely(session: DbSession, plan: CommitPlan): Promise<RawRow | null> {
  const deadline = performance.now() + AGAIN_WITHIN_MS
  return carryOut(session, plan).catch((error: unknown) => {
    if (!isLoss(error)) throw error
    return sendAgain(session, plan, error, deadline)
  })
}

async function sendAgain(session: DbSession, plan: CommitPlan, first: unknown, deadline: number) {
  let lost = first
  for (;;) {
    if (!plan.gate.isPinned || performance.now() > deadline) return lookUp(session, plan, lost)
    await new Promise(done => setTimeout(done, Math.random() * LONGEST_PAUSE_MS))
    const { row, error } = await attempt(session, plan)
    if (isConflict(error) || (!error && !row)) return resolve(session, plan, lost, error)
    if (!error) return row
    if (!isLoss(error)) throw error
    lost = error
  }
}

async function attempt(session: DbSession, plan: CommitPlan) {
  try {
    return { row: await carryOut(session, plan) }
  } catch (error) {
    return { error, row: null }
  }
}

/**
 * It was sent again and answered: its condition no longer holds, or a unique value is taken, perhaps
 * by its own first sending. That cannot happen any more, so a table that only grows knows for sure.
 */
async function resolve(session: DbSession, plan: CommitPlan, lost: unknown, conflict?: unknown) {
  const found = await findCommit(session, plan).catch(() => undefined)
  if (found === undefined || found === 'overwritten') throw lost
  if (found) return found
  if (conflict) throw conflict
  return null
}

/** It may still be on its way, so what is not found may come yet. */
async function lookUp(session: DbSession, plan: CommitPlan, lost: unknown): Promise<RawRow> {
  const found = await findCommit(session, plan).catch(() => undefined)
  if (found && found !== 'overwritten') return found
  throw lost
}

/** Whether it is not known what became of a statement. After a deadlock nothing was done. */
export const isLoss = (error: unknown): boolean =>
  error instanceof WfError && error.code === 'WF_DB_UNAVAILABLE' && !isTransactionUndone(error)

const isConflict = (error: unknown): boolean =>
  error instanceof WfError && error.code === 'WF_CONFLICT'
