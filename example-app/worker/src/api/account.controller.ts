import { Get, HttpError, Post, SetStatus, useHeaders } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { Sessions } from '../accounts/sessions'
import { Inbox } from '../mail/inbox'
import { JsonErrors } from './json-errors'

/** Who is here. */
@Controller('api')
@Intercept(JsonErrors)
export class AccountController {
  constructor(
    private readonly sessions: Sessions,
    private readonly inbox: Inbox,
  ) {}

  @Get('me')
  async me() {
    const user = await this.sessions.current()
    return {
      user: user ? { email: user.email, name: user.name, role: user.role } : null,
      hasInbox: this.inbox.isOpen,
    }
  }

  @Post('sign-out')
  @SetStatus(200)
  async signOut() {
    if (useHeaders()['sec-fetch-site'] === 'cross-site') {
      throw new HttpError(403, 'This was sent by a page of another site.')
    }
    await this.sessions.end()
    return { signedOut: true }
  }
}
