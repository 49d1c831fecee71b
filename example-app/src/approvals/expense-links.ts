import { outletEmail } from '@atscript/moost-wf'
import type { Expense } from './expense'

/** The mail to the approver. */
export const decisionLink = ({ approver, applicant, amount, reason }: Expense) =>
  outletEmail(approver, 'approval', { applicant, amount, reason })

/** The mail to the applicant, with the approver's question. */
export function questionLink({ applicant, amount, reason, history }: Expense) {
  const { by: approver, comment: question } = history.at(-1) ?? {}
  return outletEmail(applicant, 'question', { approver, question, amount, reason })
}
