import { outletEmail } from '@atscript/moost-wf'
import { AnswerForm, DecisionForm } from '../../schemas/ExpenseForms.as'
import type { Expense } from './expense'

/**
 * The mail to the approver. Whoever comes late is told when it was answered; by whom is not known before,
 * because other managers may use the link.
 */
export function decisionLink({ approver, applicant, amount, reason, history }: Expense) {
  const last = history.at(-1)
  const answer = last?.what === 'answer' ? last.comment : undefined
  return outletEmail(
    approver,
    'approval',
    { applicant, amount, reason, answer },
    { form: DecisionForm, usedNote: true },
  )
}

/** The mail to the applicant, with the approver's question. */
export function questionLink({ applicant, amount, reason, history }: Expense) {
  const { by: approver, comment: question } = history.at(-1) ?? {}
  return outletEmail(
    applicant,
    'question',
    { approver, question, amount, reason },
    { form: AnswerForm, usedNote: true },
  )
}
