/** Where an expense stands: `asked` waits for the applicant, `waiting` for the approver. */
export type ExpenseStatus = 'waiting' | 'asked' | 'approved' | 'rejected'

/** Something that was said about an expense. */
export interface ExpenseEntry {
  readonly by: string
  readonly what: 'approve' | 'reject' | 'ask' | 'answer'
  readonly comment?: string
  readonly at: number
}

/** The context of an approval. People are named by their addresses. */
export interface Expense {
  id: string
  amount: number
  reason: string
  applicant: string
  submittedAt: number
  status: ExpenseStatus
  /** All that must approve, in turn. */
  approvers: string[]
  /** Who is asked now. */
  approver: string
  history: ExpenseEntry[]
  /** Which link is out. */
  mailed: 'decision' | 'answer' | null
}

/** Over this a second approver is asked. */
export const APPROVAL_LIMIT = 1000

export function approvalsOf({ history }: Pick<Expense, 'history'>): string[] {
  return history.filter(({ what }) => what === 'approve').map(({ by }) => by)
}
