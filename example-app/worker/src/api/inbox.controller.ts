import { Get, HttpError } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { Inbox } from '../mail/inbox'
import { JsonErrors } from './json-errors'

/** The mails of the demo. */
@Controller('api')
@Intercept(JsonErrors)
export class InboxController {
  constructor(private readonly inbox: Inbox) {}

  @Get('inbox')
  async mails() {
    if (!this.inbox.isOpen) throw new HttpError(404, 'There is no inbox here.')
    return this.inbox.list()
  }
}
