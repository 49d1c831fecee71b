import { Step, StepTTL, useAtscriptWf, WfAction, WfInput, WorkflowParam } from '@atscript/moost-wf'
import { Controller, Intercept } from 'moost'
import { AnswerForm, DecisionForm } from '../../schemas/ExpenseForms.as'
import { Deciders } from './deciders'
import { DecidersOnly } from './deciders-only'
import { approvalsOf, type Expense } from './expense'
import { decisionLink, questionLink } from './expense-links'

const A_MONTH_MS = 30 * 24 * 60 * 60_000

/** The steps of an approval that wait for somebody who has a link. */
@Controller('approvals')
export class DecisionController {
  constructor(private readonly deciders: Deciders) {}

  @Step('decide')
  @Intercept(DecidersOnly)
  @StepTTL(A_MONTH_MS)
  async decide(
    @WorkflowParam('context') ctx: Expense,
    @WfInput({ ask: false, pass: true }) input?: DecisionForm,
    @WfAction(DecisionForm) action?: 'approve' | 'reject',
  ) {
    if (!input && !action) {
      ctx.mailed = 'decision'
      return decisionLink(ctx)
    }
    const what = action ?? 'ask'
    const comment = input?.comment?.trim() || undefined
    if (what === 'ask' && !comment) {
      return useAtscriptWf(DecisionForm).requireInput({
        errors: { comment: 'What do you want to know?' },
      })
    }
    ctx.history.push({ by: await this.deciders.decider(ctx), what, comment, at: Date.now() })
    ctx.mailed = null
    if (what === 'ask') ctx.status = 'asked'
    else if (what === 'reject') ctx.status = 'rejected'
    else this.#approved(ctx)
  }

  @Step('answer')
  @StepTTL(A_MONTH_MS)
  answer(@WorkflowParam('context') ctx: Expense, @WfInput({ ask: false }) input?: AnswerForm) {
    if (!input) {
      ctx.mailed = 'answer'
      return questionLink(ctx)
    }
    const comment = input.comment.trim()
    ctx.history.push({ by: ctx.applicant, what: 'answer', comment, at: Date.now() })
    ctx.mailed = null
    ctx.status = 'waiting'
  }

  #approved(ctx: Expense): void {
    const approved = approvalsOf(ctx)
    const next = ctx.approvers.find(approver => !approved.includes(approver))
    if (approved.length >= ctx.approvers.length || next === undefined) ctx.status = 'approved'
    else ctx.approver = next
  }
}
