import { finishWf, Step, WorkflowParam } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { Database } from '../database/database'
import { mailText } from '../mail/mail-text'
import { Mailer } from '../mail/mailer'
import type { Expense } from './expense'
import { money } from './money'

/** The end of an approval. */
@Controller('approvals')
export class OutcomeController {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
  ) {}

  @Step('tell')
  async tell(@WorkflowParam('context') ctx: Expense) {
    const { id, applicant, amount, reason, history, submittedAt } = ctx
    const status = ctx.status === 'approved' ? 'approved' : 'rejected'
    // Under the id of the expense, so that doing it twice is doing it once.
    await this.database.expenses.upsertOne(
      { id, applicant, amount, reason, status, history, submittedAt, decidedAt: Date.now() },
      { conflict: ['id'] },
    )
    // The decision stands, whether or not the mails go out.
    for (const person of new Set([applicant, ...ctx.approvers, ...history.map(({ by }) => by)])) {
      this.mailer.sendLater(person, outcomeMail(ctx, status))
    }
    finishWf({ message: `The expense is ${status}.`, data: { id, status } })
  }
}

function outcomeMail({ applicant, amount, reason, history }: Expense, status: string) {
  const said = history.map(
    ({ by, what, comment }) => `${by}: ${what}${comment ? `, "${comment}"` : ''}`,
  )
  return mailText(
    `${status === 'approved' ? 'Approved' : 'Rejected'}: ${money(amount)} for ${applicant}`,
    [`The expense of ${money(amount)} for "${reason}" is ${status}.`, ...said],
  )
}
