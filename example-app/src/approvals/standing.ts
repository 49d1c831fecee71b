import type { Database } from '../database/database'
import type { Expense } from './expense'

const MAX = 100

/** Where somebody's expenses stand, and what waits for their decision. Holds no tokens. */
export async function standingOf(database: Database, email: string) {
  const [open, waiting, decided] = await Promise.all([
    pending(database, { applicant: email }),
    waitingFor(database, email),
    database.expenses.findMany({
      filter: { applicant: email },
      controls: { $sort: { decidedAt: -1 }, $limit: MAX },
    }),
  ])
  return { mine: [...open.map(shown), ...decided], waiting: waiting.map(shown) }
}

/** The expenses that somebody is to decide about now. */
export async function waitingFor(database: Database, email: string): Promise<PendingExpense[]> {
  const asked = await pending(database, { approver: email })
  return asked.filter(({ expense }) => expense.status === 'waiting')
}

/** An expense that waits, and the row that it waits in. */
type PendingExpense = Awaited<ReturnType<typeof pending>>[number]

async function pending({ wfStore }: Database, filter: object) {
  const isAlive = { $or: [{ expiresAt: null }, { expiresAt: { $gt: Date.now() } }] }
  const rows = await wfStore.list({
    schemaId: 'approvals/expense',
    filter: { $and: [filter, isAlive] },
    controls: { $sort: { startedAt: -1 }, $limit: MAX },
  })
  return rows.map(row => ({ row, expense: row.state.context as Expense }))
}

function shown({ row, expense }: PendingExpense) {
  const { id, amount, reason, applicant, approver, status, history, submittedAt } = expense
  const { expiresAt } = row
  return { id, amount, reason, applicant, approver, status, history, submittedAt, expiresAt }
}
