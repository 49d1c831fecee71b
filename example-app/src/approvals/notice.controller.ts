import {
  Step,
  StepRetry,
  useWfStep,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { Mailer } from '../mail/mailer'
import type { Notice } from './notices'

const MINUTE_MS = 60_000

/** A mail that only tells something. No request starts one. */
@Controller('approvals')
export class NoticeController {
  constructor(private readonly mailer: Mailer) {}

  @Workflow('notice')
  @WorkflowSchema<Notice>(['send'])
  notice() {}

  /** A mail server that is down for a day delays it. */
  @Step('send')
  @StepRetry({ attempts: 110, baseMs: 2000, maxMs: 15 * MINUTE_MS, timeoutMs: MINUTE_MS })
  async send(@WorkflowParam('context') { to, mail }: Notice) {
    const { idempotencyKey } = useWfStep()
    await this.mailer.send(to, mail, idempotencyKey.replaceAll(':', '.'))
  }
}
