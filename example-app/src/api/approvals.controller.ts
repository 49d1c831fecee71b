import { Get, Post, SetStatus } from '@atscript/moost-wf/http'
import { Controller, Intercept, Param } from 'moost'
import { Sessions } from '../accounts/sessions'
import { OwnDecisions } from '../approvals/own-decisions'
import { standingOf } from '../approvals/standing'
import { Database } from '../database/database'
import { JsonErrors } from './json-errors'
import { OwnOriginOnly } from './own-origin-only'

/** Expenses, as their applicant and their approver see them. */
@Controller('api')
@Intercept(JsonErrors)
export class ApprovalsController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly own: OwnDecisions,
  ) {}

  @Get('approvals')
  async list() {
    const { email } = await this.sessions.signedIn()
    return standingOf(this.database, email)
  }

  @Get('approvals/:id')
  form(@Param('id') id: string) {
    return this.own.form(id)
  }

  @Post('approvals/:id/token')
  @SetStatus(200)
  @Intercept(OwnOriginOnly)
  async token(@Param('id') id: string) {
    return { wfs: await this.own.token(id) }
  }
}
