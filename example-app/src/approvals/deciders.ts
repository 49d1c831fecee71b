import { HttpError } from '@atscript/moost-wf/http'
import { Accounts } from '../accounts/accounts'
import { Sessions } from '../accounts/sessions'
import { approvalsOf, type Expense } from './expense'

/** Knows who may decide about an expense. */
export class Deciders {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Who decides: the one whom the link was sent to. Whoever is signed in decides under the own name,
   * and only if they may; without a session, having the link is taken for being its recipient.
   *
   * @throws HttpError 403
   */
  async decider(expense: Expense): Promise<string> {
    const user = await this.sessions.current()
    const by = user?.email ?? expense.approver
    // The account may be gone, or be one of the demo's, which others must not decide for.
    if (!user && !(await this.accounts.findByEmail(by))) {
      throw new HttpError(403, 'Whoever this link was sent to has no account any more.')
    }
    if (by === expense.applicant)
      throw new HttpError(403, 'Nobody decides about their own expense.')
    if (user?.role === 'member' && by !== expense.approver) {
      throw new HttpError(403, 'Only managers decide about expenses.')
    }
    if (approvalsOf(expense).includes(by)) {
      throw new HttpError(403, 'You have approved this already. It takes a second person.')
    }
    return by
  }
}
