import {
  finishWf,
  outletEmail,
  Step,
  StepRetry,
  StepTTL,
  useAtscriptWf,
  useWfStep,
  WfAction,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { DecisionForm, ExpenseForm } from '../../schemas/ExpenseForms.as'
import { Accounts } from '../accounts/accounts'
import { SignedInOnly } from '../accounts/guards'
import { Sessions } from '../accounts/sessions'
import { Mails } from '../mail/mails'
import { money } from './money'

const A_MONTH_MS = 30 * 24 * 60 * 60_000

interface Expense {
  applicant: string
  approver: string
  amount: number
  reason: string
  decision?: { by: string; status: 'approved' | 'rejected'; comment?: string }
}

/** An expense: submitted here, decided by a link, told at the end. */
@Controller('approvals')
export class ExpenseController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly mails: Mails,
  ) {}

  @Workflow('expense')
  @WorkflowSchema<Expense>(['submit', 'decide', 'tell'])
  expense() {}

  @Step('submit')
  @Intercept(SignedInOnly)
  async submit(@WfInput() input: ExpenseForm, @WorkflowParam('context') ctx: Expense) {
    const { email } = await this.sessions.signedIn()
    const approver = await this.accounts.findApprover(email)
    if (!approver) {
      return useAtscriptWf(ExpenseForm).requireInput({
        formMessage: 'There is nobody else who could decide about it.',
      })
    }
    const { amount, reason } = input
    Object.assign(ctx, {
      applicant: email,
      approver: approver.email,
      amount,
      reason: reason.trim(),
    })
  }

  @Step('decide')
  @StepTTL(A_MONTH_MS)
  async decide(
    @WorkflowParam('context') ctx: Expense,
    @WfInput({ ask: false }) input?: DecisionForm,
    @WfAction(DecisionForm) action?: 'reject',
  ) {
    const { applicant, approver, amount, reason } = ctx
    if (!input && !action) {
      const said = { applicant, amount, reason }
      return outletEmail(approver, 'approval', said, { form: DecisionForm, usedNote: true })
    }
    const by = await this.#decider(ctx)
    const comment = input?.comment?.trim() || undefined
    ctx.decision = { by, status: action === 'reject' ? 'rejected' : 'approved', comment }
  }

  @Step('tell')
  @StepRetry({ attempts: 10, baseMs: 5000 })
  async tell(@WorkflowParam('context') { applicant, amount, reason, decision }: Expense) {
    const { status = 'rejected', by, comment } = decision ?? {}
    const said = `${by} has ${status} ${money(amount)} for "${reason}".`
    await this.mails.send({
      id: useWfStep().idempotencyKey,
      to: applicant,
      subject: `${status === 'approved' ? 'Approved' : 'Rejected'}: ${money(amount)}`,
      text: [said, ...(comment ? [comment] : [])].join('\n\n'),
    })
    finishWf({ message: `The expense is ${status}.`, data: { status } })
  }

  /**
   * Having the link is taken for being its recipient, unless somebody else is signed in.
   *
   * @throws HttpError 403
   */
  async #decider({ applicant, approver }: Expense): Promise<string> {
    const user = await this.sessions.current()
    const by = user?.email ?? approver
    if (by === applicant) throw new HttpError(403, 'Nobody decides about their own expense.')
    if (user?.role === 'member') throw new HttpError(403, 'Only managers decide about expenses.')
    return by
  }
}
