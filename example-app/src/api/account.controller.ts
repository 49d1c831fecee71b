import { Get, Post, SetStatus } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { DemoAccounts } from '../accounts/demo-accounts'
import { Sessions } from '../accounts/sessions'
import { KillSwitch } from '../demo/kill-switch'
import { Mailer } from '../mail/mailer'
import { isAskedHere } from './asked-here'
import { JsonErrors } from './json-errors'
import { OwnOriginOnly } from './own-origin-only'

/** Who is here. */
@Controller('api')
@Intercept(JsonErrors)
export class AccountController {
  constructor(
    private readonly sessions: Sessions,
    private readonly demo: DemoAccounts,
    private readonly mailer: Mailer,
    private readonly killSwitch: KillSwitch,
  ) {}

  @Get('me')
  async me() {
    const user = await this.sessions.current()
    return {
      user: user
        ? { email: user.email, name: user.name, role: user.role, mfa: Boolean(user.totpSecret) }
        : null,
      demo: isAskedHere() ? this.#shownDemo() : undefined,
    }
  }

  @Post('logout')
  @SetStatus(200)
  @Intercept(OwnOriginOnly)
  async logout() {
    await this.sessions.end()
    return { signedOut: true }
  }

  #shownDemo() {
    const accounts = this.demo.shown()
    if (!accounts) return undefined
    const hasInbox = this.mailer.received(1) !== undefined
    return { accounts, hasInbox, canKill: this.killSwitch.isThere }
  }
}
