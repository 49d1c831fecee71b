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
import { SignedInOnly } from '../accounts/guards'
import { Sessions } from '../accounts/sessions'
import { Deciders } from './deciders'
import { APPROVAL_LIMIT, type Expense, type Part } from './expense'

/** How many must approve, of how many. */
const SMALL = { needed: 1, asked: 1 }
const LARGE = { needed: 2, asked: 3 }

/** An expense that takes days: submitted here, decided and answered by links, told at the end. */
@Controller('approvals')
export class ExpenseController {
  constructor(
    private readonly deciders: Deciders,
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
        // Only the deadline of a decision leads there.
        { id: 'escalate', condition: () => false },
      ],
    },
    'tell',
  ])
  expense() {}

  @Step('submit')
  @Intercept(SignedInOnly)
  async submit(@WfInput() input: ExpenseForm, @WorkflowParam('context') ctx: Expense) {
    const { email } = await this.sessions.signedIn()
    const { amount, currency } = input
    const { needed, asked } = amount > APPROVAL_LIMIT ? LARGE : SMALL
    Object.assign(ctx, {
      id: randomUUID(),
      amount,
      currency,
      reason: input.reason.trim(),
      applicant: email,
      submittedAt: Date.now(),
      status: 'waiting',
      needed,
      parts: await this.#partsFor(email, needed, asked),
      asking: '',
      history: [],
    })
  }

  async #partsFor(applicant: string, needed: number, asked: number): Promise<Part[]> {
    const others = await this.deciders.for(applicant)
    if (others.length < needed) {
      useAtscriptWf(ExpenseForm).requireInput({
        errors: { amount: `This takes ${needed} people to approve, and there are not as many.` },
      })
    }
    return others.slice(0, asked).map(email => ({ id: email, to: email }))
  }
}
