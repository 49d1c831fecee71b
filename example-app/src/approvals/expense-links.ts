import { outletEmail } from '@atscript/moost-wf'
import { AnswerForm } from '../../schemas/ExpenseForms.as'
import type { Expense } from './expense'

/** The mail to the applicant, with the approver's question. */
export function questionLink({ applicant, amount, currency, reason, history }: Expense) {
  const { by: approver, comment: question } = history.at(-1) ?? {}
  return outletEmail(
    applicant,
    'question',
    { approver, question, amount, currency, reason },
    { form: AnswerForm, usedNote: true },
  )
}
