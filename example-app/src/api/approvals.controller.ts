import { Get, Post, SetStatus, useBody } from '@atscript/moost-wf/http'
import { Controller, Intercept, Param } from 'moost'
import { OwnDecisions } from '../approvals/own-decisions'
import { Standings } from '../approvals/standings'
import { Withdrawals } from '../approvals/withdrawals'
import { JsonErrors } from './json-errors'
import { OwnOriginOnly } from './own-origin-only'

/** Expenses, as their applicant and those who decide see them. */
@Controller('api')
@Intercept(JsonErrors)
export class ApprovalsController {
  constructor(
    private readonly standings: Standings,
    private readonly own: OwnDecisions,
    private readonly withdrawals: Withdrawals,
  ) {}

  @Get('approvals')
  list() {
    return this.standings.mine()
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

  @Post('approvals/:id/withdraw')
  @SetStatus(200)
  @Intercept(OwnOriginOnly)
  async withdraw(@Param('id') id: string) {
    const body = await useBody().parseBody<unknown>()
    const { reason } = (body ?? {}) as { reason?: unknown }
    await this.withdrawals.withdraw(id, reason)
    return { withdrawn: true }
  }
}
