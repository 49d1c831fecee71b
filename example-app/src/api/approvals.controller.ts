import { Get } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { Sessions } from '../accounts/sessions'
import { standingOf } from '../approvals/standing'
import { Database } from '../database/database'
import { JsonErrors } from './json-errors'

/** Expenses, as their applicant and their approver see them. */
@Controller('api')
@Intercept(JsonErrors)
export class ApprovalsController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  @Get('approvals')
  async list() {
    const { email } = await this.sessions.signedIn()
    return standingOf(this.database, email)
  }
}
