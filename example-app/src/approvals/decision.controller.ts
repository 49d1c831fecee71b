import { Step, StepTTL, useAtscriptWf, WorkflowParam } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { AnswerForm, DecisionForm } from '../../schemas/ExpenseForms.as'
import { Accounts } from '../accounts/accounts'
import { Sessions } from '../accounts/sessions'
import { approvalsOf, type Expense } from './expense'
import { decisionLink, questionLink } from './expense-links'

const A_MONTH_MS = 30 * 24 * 60 * 60_000

/** The steps of an approval that wait for somebody who has a link. */
@Controller('approvals')
export class DecisionController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  @Step('decide')
  @StepTTL(A_MONTH_MS)
  async decide(@WorkflowParam('context') ctx: Expense) {
    if (ctx.mailed !== 'decision') {
      ctx.mailed = 'decision'
      return decisionLink(ctx)
    }
    const by = await this.#decider(ctx)
    const { resolveInput, requireInput } = useAtscriptWf(DecisionForm)
    const { decision, comment: text } = resolveInput()
    const comment = text?.trim() || undefined
    if (decision === 'ask' && !comment) {
      return requireInput({ errors: { comment: 'What do you want to know?' } })
    }
    ctx.history.push({ by, what: decision, comment, at: Date.now() })
    ctx.mailed = null
    if (decision === 'ask') ctx.status = 'asked'
    else if (decision === 'reject') ctx.status = 'rejected'
    else this.#approved(ctx)
  }

  @Step('answer')
  @StepTTL(A_MONTH_MS)
  answer(@WorkflowParam('context') ctx: Expense) {
    if (ctx.mailed !== 'answer') {
      ctx.mailed = 'answer'
      return questionLink(ctx)
    }
    const { comment } = useAtscriptWf(AnswerForm).resolveInput()
    ctx.history.push({
      by: ctx.applicant,
      what: 'answer',
      comment: comment.trim(),
      at: Date.now(),
    })
    ctx.mailed = null
    ctx.status = 'waiting'
  }

  #approved(ctx: Expense): void {
    const approved = approvalsOf(ctx)
    const next = ctx.approvers.find(approver => !approved.includes(approver))
    if (approved.length >= ctx.approvers.length || next === undefined) ctx.status = 'approved'
    else ctx.approver = next
  }

  /**
   * Who decides: the one whom the link was sent to. Whoever is signed in decides under the own name,
   * and only if they may; without a session, having the link is taken for being its recipient.
   */
  async #decider(ctx: Expense): Promise<string> {
    const user = await this.sessions.current()
    const by = user?.email ?? ctx.approver
    // The account may be gone, or be one of the demo's, which others must not decide for.
    if (!user && !(await this.accounts.findByEmail(by))) {
      throw new HttpError(403, 'Whoever this link was sent to has no account any more.')
    }
    if (by === ctx.applicant) throw new HttpError(403, 'Nobody decides about their own expense.')
    if (user?.role === 'member' && by !== ctx.approver) {
      throw new HttpError(403, 'Only managers decide about expenses.')
    }
    if (approvalsOf(ctx).includes(by)) {
      throw new HttpError(403, 'You have approved this already. It takes a second person.')
    }
    return by
  }
}
