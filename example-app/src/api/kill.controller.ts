import { Get, HttpError, Post, SetStatus, useResponse } from '@atscript/moost-wf/http'
import { Before, Controller, Intercept, Interceptor, TInterceptorPriority } from 'moost'
import { AdminsOnly } from '../accounts/guards'
import { KillSwitch } from '../demo/kill-switch'
import { isAskedHere } from './asked-here'
import { JsonErrors } from './json-errors'
import { OwnOriginOnly } from './own-origin-only'

/** Answers as if there were no such route, unless the server may be killed, from this machine. */
@Interceptor(TInterceptorPriority.BEFORE_ALL)
export class WhereKillable {
  constructor(private readonly killSwitch: KillSwitch) {}

  @Before()
  check() {
    if (!this.killSwitch.isThere || !isAskedHere())
      throw new HttpError(404, 'There is nothing here.')
  }
}

/** Lets an admin of the demo kill the server, and see it come back. */
@Controller('api')
@Intercept(JsonErrors)
@Intercept(WhereKillable)
export class KillController {
  constructor(private readonly killSwitch: KillSwitch) {}

  /** Which process answers. */
  @Get('demo/process')
  process() {
    return { processId: this.killSwitch.processId }
  }

  @Post('demo/kill')
  @SetStatus(202)
  @Intercept(OwnOriginOnly)
  @Intercept(AdminsOnly)
  kill() {
    this.killSwitch.killAfter(useResponse().getRawRes(true))
    return { killed: true, at: Date.now(), processId: this.killSwitch.processId }
  }
}
