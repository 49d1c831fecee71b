/** Something that was said about an expense. */
export interface ExpenseEntry {
  readonly by: string
  readonly what: 'approve' | 'reject' | 'ask' | 'answer' | 'delegate' | 'late'
  readonly comment?: string
  /** Who decides from then on. */
  readonly to?: string
  readonly at: number
}

/** Somebody who is asked, and what they have said. */
export interface AskedPerson {
  readonly to: string
  readonly action?: string
  readonly answeredAt?: number
}

/** An expense, as its applicant and those who decide see it. */
export interface Expense {
  readonly id: string
  readonly amount: number
  /** Expenses of before have none. */
  readonly currency?: string | null
  readonly reason: string
  readonly applicant: string
  /** Who is asked now; not there once it is decided, or while the applicant is asked. */
  readonly people?: readonly AskedPerson[]
  /** How many must approve. */
  readonly needed?: number
  /** `asked` waits for the applicant, `waiting` for those who decide. */
  readonly status: 'waiting' | 'asked' | 'approved' | 'rejected' | 'withdrawn'
  readonly history: readonly ExpenseEntry[]
  readonly submittedAt: number
  readonly decidedAt?: number
  readonly expiresAt?: number
  /** When somebody else is asked as well. */
  readonly escalatesAt?: number
  readonly nextReminderAt?: number
}

export interface Standing {
  readonly mine: readonly Expense[]
  readonly waiting: readonly Expense[]
}

export function money(amount: unknown, currency?: unknown): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const text = Number(amount).toLocaleString('en-US', digits)
  return typeof currency === 'string' ? `${text}\u00a0${currency}` : text
}

/** Whether it is neither decided nor withdrawn. */
export const isOpen = ({ status }: Expense): boolean => status === 'waiting' || status === 'asked'

export const STATUS_WORDS: Readonly<Record<Expense['status'], string>> = {
  waiting: 'Waiting for a decision',
  asked: 'A question for you',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
}

export const WHAT_WORDS: Readonly<Record<ExpenseEntry['what'], string>> = {
  approve: 'approved',
  reject: 'rejected',
  ask: 'asked',
  answer: 'answered',
  delegate: 'delegated',
  late: 'was asked, because time was up',
}
