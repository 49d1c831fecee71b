import { Get, HttpError } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { Mailer } from '../mail/mailer'
import { isAskedHere } from './asked-here'
import { JsonErrors } from './json-errors'

/** The mails of the built-in mail box, for the demo. */
@Controller('api')
@Intercept(JsonErrors)
export class InboxController {
  constructor(private readonly mailer: Mailer) {}

  @Get('inbox')
  mails() {
    const mails = this.mailer.received()
    if (!mails || !isAskedHere()) throw new HttpError(404, 'There is no inbox here.')
    return mails
  }
}
