import type { WfRuns } from '@atscript/moost-wf'
import type { WfRunView } from '@atscript/moost-wf/runs'
import { type Expense, inText } from './expense'

export const MAX = 100
const WORKFLOW = 'approvals/expense'
/** Those that wait, and those that somebody works on at this moment. */
const OPEN = ['paused', 'active', 'error'] as const

/** An expense that is not decided, and its run. */
export interface OpenExpense {
  readonly run: WfRunView
  readonly expense: Expense
}

/** The expenses that somebody is to decide about now. */
export async function waitingFor(runs: WfRuns, email: string, filter = {}): Promise<OpenExpense[]> {
  const asked = await openExpenses(runs, { ...filter, asking: { $contains: inText(email) } })
  return asked.filter(({ run }) => partOf(run, email))
}

/** The part that somebody has in the decision of a run, and has not answered. */
export const partOf = ({ asked }: WfRunView, email: string) =>
  asked?.people.find(({ to, answeredAt }) => to === email && answeredAt === undefined)

export async function openExpenses(runs: WfRuns, filter: object): Promise<OpenExpense[]> {
  const page = await runs.list({ schemaId: WORKFLOW, status: OPEN, filter, limit: MAX })
  const now = Date.now()
  return (
    page.runs
      .filter(({ expiresAt = Infinity }) => expiresAt > now)
      .map(run => ({ run, expense: run.context as Expense }))
      // One whose form was not right has none yet.
      .filter(({ expense }) => expense.id !== undefined)
  )
}
