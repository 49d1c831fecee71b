import {
  handOn,
  Step,
  StepTTL,
  useAtscriptWf,
  useWfAnswers,
  WfAction,
  WfInput,
  WorkflowParam,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { AnswerForm, DecisionForm } from '../../schemas/ExpenseForms.as'
import { normalizeEmail } from '../accounts/accounts'
import { ApprovalTimes } from './approval-times'
import { beginRound, noteHolders, stayInRound } from './ask-people'
import { Deciders } from './deciders'
import { asText, type Expense, openParts } from './expense'
import { questionLink } from './expense-links'
import { bringUpToDate } from './old-expense'

const A_MONTH_MS = 30 * 24 * 60 * 60_000

/** The steps of an approval that wait for people who have links. */
@Controller('approvals')
export class DecisionController {
  constructor(
    private readonly deciders: Deciders,
    private readonly times: ApprovalTimes,
  ) {}

  /** Runs with what each of the people says. A question ends the round: the next one has its answer. */
  @Step('decide')
  @StepTTL(A_MONTH_MS)
  async decide(
    @WorkflowParam('context') ctx: Expense,
    @WfInput({ form: DecisionForm, ask: false, pass: true }) input?: DecisionForm,
    @WfAction(DecisionForm) action?: 'approve' | 'reject' | 'delegate',
  ) {
    const answers = useWfAnswers()
    const { current } = answers
    if (!current) {
      bringUpToDate(ctx)
      return beginRound(ctx, ctx.isLastCall ? undefined : this.times.deadline)
    }
    noteHolders(ctx, answers)
    const by = await this.deciders.decider(ctx, current)
    const comment = input?.comment?.trim() || undefined
    const said = { by, comment, part: current.id, at: Date.now() }
    if (action === 'delegate') return this.#delegate(ctx, said, input?.delegateTo)
    if (action === undefined) return this.#question(ctx, said)
    ctx.history.push({ ...said, what: action })
    if (!answers.isDecided) return stayInRound(ctx, answers)
    ctx.asking = ''
    ctx.status = answers.outcome === 'reached' ? 'approved' : 'rejected'
  }

  @Step('answer')
  @StepTTL(A_MONTH_MS)
  answer(@WorkflowParam('context') ctx: Expense, @WfInput({ ask: false }) input?: AnswerForm) {
    if (!input) return questionLink(ctx)
    const comment = input.comment.trim()
    ctx.history.push({ by: ctx.applicant, what: 'answer', comment, at: Date.now() })
    ctx.status = 'waiting'
  }

  /** Nobody has decided in time: one more is asked, such as the second manager. */
  @Step('escalate')
  async escalate(@WorkflowParam('context') ctx: Expense) {
    noteHolders(ctx, useWfAnswers())
    const next = await this.deciders.nextFor(ctx)
    if (next) ctx.parts.push({ id: next, to: next })
    else ctx.isLastCall = true
    const by =
      next ??
      openParts(ctx)
        .map(({ to }) => to)
        .join(', ')
    ctx.history.push({ by, what: 'late', at: Date.now() })
  }

  #question(ctx: Expense, said: Said) {
    if (!said.comment) {
      return useAtscriptWf(DecisionForm).requireInput({
        errors: { comment: 'What do you want to know?' },
      })
    }
    ctx.history.push({ ...said, what: 'ask' })
    ctx.asking = ''
    ctx.status = 'asked'
    return undefined
  }

  async #delegate(ctx: Expense, said: Said, address = '') {
    const problem = await this.deciders.reasonAgainst(ctx, address)
    if (problem) {
      return useAtscriptWf(DecisionForm).requireInput({ errors: { delegateTo: problem } })
    }
    const to = normalizeEmail(address)
    ctx.history.push({ ...said, what: 'delegate', to })
    const asked = openParts(ctx).map(part => (part.id === said.part ? to : part.to))
    ctx.parts = ctx.parts.map(part => (part.id === said.part ? { ...part, to } : part))
    ctx.asking = asText(asked)
    return handOn({ to, reason: said.comment })
  }
}

interface Said {
  readonly by: string
  readonly comment: string | undefined
  readonly part: string
  readonly at: number
}
