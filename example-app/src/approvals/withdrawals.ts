import { WfError, type WfRuns } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { ExpenseRow } from '../../schemas/ExpenseRow.as'
import { Sessions } from '../accounts/sessions'
import { Database } from '../database/database'
import { Notices } from './notices'
import { withdrawnMail } from './outcome-mails'
import { peopleOf } from './people-of'
import { openExpenses } from './open-expenses'

const LONGEST_REASON = 500

/** Lets applicants take back what is not decided. */
export class Withdrawals {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly notices: Notices,
    private readonly runs: () => WfRuns,
  ) {}

  /**
   * Ends the run, whose links die with it, notes it, and tells whoever was asked: in one commit.
   *
   * @throws HttpError 400, 401, 404, and 409 when it is decided at this moment
   */
  async withdraw(id: string, why: unknown): Promise<void> {
    const { email: actor } = await this.sessions.signedIn()
    const reason = typeof why === 'string' ? why.trim() : ''
    if (reason.length > LONGEST_REASON) throw new HttpError(400, 'That is too long a reason.')
    const [found] = await openExpenses(this.runs(), { expenseId: id, applicant: actor })
    if (!found) throw isOver()
    const { run, expense } = found
    const how = { actor, reason: reason || 'withdrawn by the applicant' }
    const { applicant, amount, currency, submittedAt, history } = expense
    const row = { id, applicant, amount, currency, reason: expense.reason, submittedAt, history }
    try {
      await this.database.space.transaction(async transaction => {
        if (!(await this.runs().cancel(run.flowId, { ...how, transaction }))) throw isOver()
        const withdrawn = { ...row, status: 'withdrawn', decidedAt: Date.now() } as const
        await transaction.table(ExpenseRow).upsertOne(withdrawn, { conflict: ['id'] })
        const others = peopleOf(expense)
        others.delete(applicant)
        await this.notices.send(others, withdrawnMail(expense, reason || undefined), transaction)
      })
    } catch (error) {
      if (error instanceof WfError && error.code === 'WF_TRANSITION') throw isOver()
      if (error instanceof WfError && error.code === 'WF_CONFLICT') throw isMoving()
      throw error
    }
  }
}

const isOver = () => new HttpError(404, 'This is not open any more.')
const isMoving = () => new HttpError(409, 'Somebody decides right now. Please look again.')
