import { randomUUID } from 'node:crypto'
import {
  Step,
  useAtscriptWf,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller, Intercept } from 'moost'
import { ExpenseForm } from '../../schemas/ExpenseForms.as'
import { Accounts } from '../accounts/accounts'
import { SignedInOnly } from '../accounts/guards'
import { Sessions } from '../accounts/sessions'
import { APPROVAL_LIMIT, type Expense } from './expense'

/** An expense that takes days: submitted here, decided and answered by links, told at the end. */
@Controller('approvals')
export class ExpenseController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  @Workflow('expense')
  @WorkflowSchema<Expense>([
    'submit',
    {
      while: ({ status }) => status === 'waiting' || status === 'asked',
      steps: [
        { id: 'decide', condition: ({ status }) => status === 'waiting' },
        { id: 'answer', condition: ({ status }) => status === 'asked' },
      ],
    },
    'tell',
  ])
  expense() {}

  @Step('submit')
  @Intercept(SignedInOnly)
  async submit(@WfInput() input: ExpenseForm, @WorkflowParam('context') ctx: Expense) {
    const { email } = await this.sessions.signedIn()
    const approvers = await this.#approversFor(email, input.amount)
    Object.assign(ctx, {
      id: randomUUID(),
      amount: input.amount,
      reason: input.reason.trim(),
      applicant: email,
      submittedAt: Date.now(),
      status: 'waiting',
      approvers,
      approver: approvers[0],
      history: [],
      mailed: null,
    })
  }

  /** Nobody approves what is their own. */
  async #approversFor(applicant: string, amount: number): Promise<string[]> {
    const needed = amount > APPROVAL_LIMIT ? 2 : 1
    const others = (await this.accounts.findApprovers()).filter(({ email }) => email !== applicant)
    if (others.length < needed) {
      useAtscriptWf(ExpenseForm).requireInput({
        errors: { amount: `This takes ${needed} people to approve, and there are not as many.` },
      })
    }
    return others.slice(0, needed).map(({ email }) => email)
  }
}
