import {
  finishWf,
  Step,
  StepRetry,
  useWfStep,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller, Intercept } from 'moost'
import { NewsForm } from '../../schemas/NewsForm.as'
import { Accounts } from '../accounts/accounts'
import { AdminsOnly } from '../accounts/guards'
import { Mails } from '../mail/mails'
import { LongWork } from '../runs/long-work'

interface News {
  subject: string
  text: string
  /** Who is still to get it. */
  left: string[]
  sent: number
}

/** A mail to everybody takes longer than a request may: a run of its own sends it, a step for each. */
@Controller('news')
export class NewsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly longWork: LongWork,
  ) {}

  @Workflow('write')
  @WorkflowSchema<object>(['compose'])
  write() {}

  @Step('compose')
  @Intercept(AdminsOnly)
  async compose(@WfInput() { subject, text }: NewsForm) {
    const left = await this.accounts.addresses()
    const { flowId } = await this.longWork.start('news/deliver', { subject, text, left, sent: 0 })
    const message = `It is on its way to ${left.length} ${left.length === 1 ? 'person' : 'people'}.`
    finishWf({ message, data: { flowId }, next: '/' })
  }

  @Workflow('deliver')
  @WorkflowSchema<News>([{ while: ({ left }) => left.length > 0, steps: ['send-one'] }, 'count'])
  deliver() {}

  @Step('send-one')
  @StepRetry({ attempts: 10, baseMs: 5000 })
  async sendOne(@WorkflowParam('context') ctx: News) {
    const [to = '', ...left] = ctx.left
    // A step that was cut off runs again: the provider knows the mail by its id.
    const id = useWfStep().idempotencyKey
    await this.mails.send({ id, to, subject: ctx.subject, text: ctx.text })
    ctx.left = left
    ctx.sent++
  }

  @Step('count')
  count(@WorkflowParam('context') { sent }: News) {
    finishWf({ data: { sent } })
  }
}
