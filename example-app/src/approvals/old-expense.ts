import type { Expense, ExpenseEntry } from './expense'

/** The context of an expense that was submitted when one person after the other was asked, on a handle. */
interface OldExpense {
  approvers?: string[]
  approver?: string
  mailed?: string | null
  history: ExpenseEntry[]
}

/** Makes an expense of before one of today. What was approved by then counts. */
export function bringUpToDate(ctx: Expense): void {
  const old = ctx as unknown as OldExpense
  if (!old.approvers) return
  ctx.parts = old.approvers.map(id => ({ id, to: id }))
  ctx.needed = ctx.parts.length
  ctx.history = old.history.map(entry =>
    entry.what === 'approve' ? { ...entry, part: entry.by } : entry,
  )
  delete old.approvers
  delete old.approver
  delete old.mailed
}
