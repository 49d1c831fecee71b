import type { WfRuns } from '@atscript/moost-wf'
import { Sessions } from '../accounts/sessions'
import { Database } from '../database/database'
import { MAX, type OpenExpense, openExpenses, waitingFor } from './open-expenses'

/** Where expenses stand. Holds no tokens. */
export class Standings {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly runs: () => WfRuns,
  ) {}

  /**
   * Those of whoever is signed in, and what waits for their decision.
   *
   * @throws HttpError 401
   */
  async mine() {
    const { email } = await this.sessions.signedIn()
    const runs = this.runs()
    const [open, waiting, decided] = await Promise.all([
      openExpenses(runs, { applicant: email }),
      waitingFor(runs, email),
      this.database.expenses.findMany({
        filter: { applicant: email },
        controls: { $sort: { decidedAt: -1 }, $limit: MAX },
      }),
    ])
    return { mine: [...open.map(shown), ...decided], waiting: waiting.map(shown) }
  }
}

function shown({ run, expense }: OpenExpense) {
  const { id, amount, currency, reason, applicant, status, history, submittedAt, needed } = expense
  const { asked, deadline, expiresAt } = run
  const people = asked?.people.map(({ to, action, answeredAt }) => ({ to, action, answeredAt }))
  const { at: escalatesAt, nextReminderAt } = deadline ?? {}
  const facts = { id, amount, currency, reason, applicant, status, history, submittedAt, needed }
  return { ...facts, people, expiresAt, escalatesAt, nextReminderAt }
}
