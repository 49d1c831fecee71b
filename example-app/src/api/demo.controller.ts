import { Get, HttpError, Query } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { DemoAccounts } from '../accounts/demo-accounts'
import { TotpCodes } from '../sign-in/totp'
import { Accounts } from '../accounts/accounts'
import { isAskedHere } from './asked-here'
import { JsonErrors } from './json-errors'

/** Second factors of the demo's accounts, for whoever wants to try them. */
@Controller('api')
@Intercept(JsonErrors)
export class DemoController {
  constructor(
    private readonly demo: DemoAccounts,
    private readonly accounts: Accounts,
    private readonly totp: TotpCodes,
  ) {}

  /** What works by now: an account may have been changed since it was made, and codes work once. */
  @Get('demo/codes')
  async codes(@Query('email') email: string) {
    const shown = isAskedHere() && this.demo.shown()?.find(account => account.email === email)
    if (!shown) throw new HttpError(404, 'There is no such account in the demo.')
    const { totpSecret, recoveryCodes = [] } = shown
    const user = await this.accounts.findByEmail(email)
    if (!user?.isDemo || user.totpSecret !== totpSecret) return { recoveryCodes: [] }
    return {
      totpSecret,
      usedSteps: await this.totp.usedSteps(user.id),
      recoveryCodes: await this.accounts.unusedRecoveryCodes(user.id, recoveryCodes),
    }
  }
}
