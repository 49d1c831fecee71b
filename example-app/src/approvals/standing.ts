import type { Database } from '../database/database'
import type { Expense } from './expense'

const MAX = 100

/** Where somebody's expenses stand, and what waits for their decision. Holds no tokens. */
export async function standingOf({ wfStore, expenses }: Database, email: string) {
  const pending = async (filter: object) => {
    const rows = await wfStore.list({
      schemaId: 'approvals/expense',
      filter: {
        $and: [filter, { $or: [{ expiresAt: null }, { expiresAt: { $gt: Date.now() } }] }],
      },
      controls: { $sort: { startedAt: -1 }, $limit: MAX },
    })
    return rows.map(({ state, expiresAt }) => ({ ...shown(state.context as Expense), expiresAt }))
  }
  const [open, waiting, decided] = await Promise.all([
    pending({ applicant: email }),
    pending({ approver: email }),
    expenses.findMany({
      filter: { applicant: email },
      controls: { $sort: { decidedAt: -1 }, $limit: MAX },
    }),
  ])
  return {
    mine: [...open, ...decided],
    waiting: waiting.filter(({ status }) => status === 'waiting'),
  }
}

function shown({ id, amount, reason, applicant, approver, status, history, submittedAt }: Expense) {
  return { id, amount, reason, applicant, approver, status, history, submittedAt }
}
