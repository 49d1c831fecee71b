import { mailText, type MailText } from '../mail/mail-text'
import type { Expense, ExpenseEntry } from './expense'
import { money } from './money'

const WORDS: Readonly<Record<ExpenseEntry['what'], string>> = {
  approve: 'approved',
  reject: 'rejected',
  ask: 'asked',
  answer: 'answered',
  delegate: 'delegated',
  late: 'was asked as well, because time was up',
}

/** Tells all who had to do with it how it was decided. */
export function outcomeMail(expense: Expense, status: 'approved' | 'rejected'): MailText {
  const { applicant, amount, currency, reason, history } = expense
  const sum = money(amount, currency)
  return mailText(`${status === 'approved' ? 'Approved' : 'Rejected'}: ${sum} for ${applicant}`, [
    `The expense of ${sum} for "${reason}" is ${status}.`,
    ...history.map(sentenceOf),
  ])
}

/** Tells those who were asked that there is nothing to decide any more. */
export function withdrawnMail(expense: Expense, why: string | undefined): MailText {
  const { applicant, amount, currency, reason } = expense
  const sum = money(amount, currency)
  return mailText(`Withdrawn: ${sum} for ${applicant}`, [
    `${applicant} has withdrawn the expense of ${sum} for "${reason}". There is nothing to decide any more.`,
    ...(why === undefined ? [] : [`Why: ${why}`]),
  ])
}

function sentenceOf({ by, what, comment, to }: ExpenseEntry): string {
  const whom = to === undefined ? '' : ` to ${to}`
  return `${by}: ${WORDS[what]}${whom}${comment === undefined ? '' : `, "${comment}"`}`
}
