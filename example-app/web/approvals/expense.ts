/** Something that was said about an expense. */
export interface ExpenseEntry {
  readonly by: string
  readonly what: 'approve' | 'reject' | 'ask' | 'answer'
  readonly comment?: string
  readonly at: number
}

/** An expense, as its applicant and its approver see it. */
export interface Expense {
  readonly id: string
  readonly amount: number
  readonly reason: string
  readonly applicant: string
  /** Who is asked now; not there once it is decided. */
  readonly approver?: string
  /** `asked` waits for the applicant, `waiting` for the approver. */
  readonly status: 'waiting' | 'asked' | 'approved' | 'rejected'
  readonly history: readonly ExpenseEntry[]
  readonly submittedAt: number
  readonly decidedAt?: number
  readonly expiresAt?: number
}

export interface Standing {
  readonly mine: readonly Expense[]
  readonly waiting: readonly Expense[]
}

export const money = (amount: unknown): string =>
  Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const STATUS_WORDS: Readonly<Record<Expense['status'], string>> = {
  waiting: 'Waiting for a decision',
  asked: 'A question for you',
  approved: 'Approved',
  rejected: 'Rejected',
}

export const WHAT_WORDS: Readonly<Record<ExpenseEntry['what'], string>> = {
  approve: 'approved',
  reject: 'rejected',
  ask: 'asked',
  answer: 'answered',
}
