import { finishWf, Step, useWfTransaction, WorkflowParam } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { ExpenseRow } from '../../schemas/ExpenseRow.as'
import { Database } from '../database/database'
import type { Expense } from './expense'
import { Notices } from './notices'
import { outcomeMail } from './outcome-mails'
import { peopleOf } from './people-of'

/** The end of an approval. */
@Controller('approvals')
export class OutcomeController {
  constructor(
    private readonly database: Database,
    private readonly notices: Notices,
  ) {}

  /** The row, the mails and the end of the run are one commit. */
  @Step('tell')
  async tell(@WorkflowParam('context') ctx: Expense) {
    const { id, applicant, amount, currency, reason, history, submittedAt } = ctx
    const status = ctx.status === 'approved' ? 'approved' : 'rejected'
    finishWf({ message: `The expense is ${status}.`, data: { id, status } })
    const row = { id, applicant, amount, currency, reason, status, history, submittedAt } as const
    const transaction = await useWfTransaction(this.database.space)
    const expenses = transaction.table(ExpenseRow)
    await expenses.upsertOne({ ...row, decidedAt: Date.now() }, { conflict: ['id'] })
    await this.notices.send(peopleOf(ctx), outcomeMail(ctx, status), transaction)
  }
}
