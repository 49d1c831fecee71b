/** Where an expense stands: `asked` waits for the applicant, `waiting` for those who decide. */
export type ExpenseStatus = 'waiting' | 'asked' | 'approved' | 'rejected'

/** Something that was said or done about an expense. */
export interface ExpenseEntry {
  readonly by: string
  /** `late`: nobody had answered in time, so that these are asked as well, or again. */
  readonly what: 'approve' | 'reject' | 'ask' | 'answer' | 'delegate' | 'late'
  readonly comment?: string
  /** Whose part it was, by its id. */
  readonly part?: string
  /** Who has it from then on. */
  readonly to?: string
  readonly at: number
}

/** The part of somebody who is to decide. */
export interface Part {
  /** The address of whoever was asked first. */
  readonly id: string
  /** The address of whoever has it now. */
  readonly to: string
}

/** The context of an approval. People are named by their addresses. */
export interface Expense {
  /** The shadow column `expenseId` is taken from here. */
  id: string
  amount: number
  /** Expenses of before have none. */
  currency?: string
  reason: string
  applicant: string
  submittedAt: number
  status: ExpenseStatus
  /** How many must approve. */
  needed: number
  /** All who may. */
  parts: Part[]
  /** Who is asked at the moment, for the column of that name. */
  asking: string
  /** There is nobody left who could be asked as well. */
  isLastCall?: boolean
  history: ExpenseEntry[]
}

/** Over this, in whichever currency, two of three must approve, and sign in for it. */
export const APPROVAL_LIMIT = 1000

/** What each part has said. */
export function votesOf({ history }: Pick<Expense, 'history'>, what: 'approve' | 'reject') {
  return history.filter(entry => entry.what === what && entry.part !== undefined)
}

/** Those of whom nothing is known yet. */
export function openParts(expense: Expense): Part[] {
  const voted = [...votesOf(expense, 'approve'), ...votesOf(expense, 'reject')]
  return expense.parts.filter(({ id }) => !voted.some(({ part }) => part === id))
}

/** Addresses as one text, in which each can be found for sure. */
export const asText = (addresses: readonly string[]): string => addresses.map(inText).join('')

/** An address as it stands in such a text. */
export const inText = (address: string): string => `<${address}>`
