import { Get, HttpError, Query, useResponse } from '@atscript/moost-wf/http'
import { Controller, Intercept, Param } from 'moost'
import type { ReceivedMail } from '../mail/mailbox'
import { Mailer } from '../mail/mailer'
import { MAIL_POLICY } from '../pages/security-headers'
import { isAskedHere } from './asked-here'
import { JsonErrors } from './json-errors'

const NOT_FOUND = 404

/** The mails of the built-in mail box, for the demo. */
@Controller('api')
@Intercept(JsonErrors)
export class InboxController {
  constructor(private readonly mailer: Mailer) {}

  @Get('inbox')
  mails(@Query('limit') limit?: string) {
    if (limit !== undefined && !/^[1-9]\d{0,2}$/u.test(limit)) {
      throw new HttpError(400, 'The limit is a number from 1 to 999.')
    }
    return this.#received(limit === undefined ? undefined : Number(limit))
  }

  /** A mail as a mail program would show it, for a frame: what is in it has no rights. */
  @Get('inbox/:id')
  mail(@Param('id') id: string) {
    const mail = this.#received().find(each => each.id === id)
    if (!mail?.html) throw new HttpError(NOT_FOUND, 'There is no such mail.')
    useResponse().setHeaders({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': MAIL_POLICY,
    })
    return mail.html
  }

  #received(most?: number): readonly ReceivedMail[] {
    const mails = isAskedHere() ? this.mailer.received(most) : undefined
    if (!mails) throw new HttpError(NOT_FOUND, 'There is no inbox here.')
    return mails
  }
}
