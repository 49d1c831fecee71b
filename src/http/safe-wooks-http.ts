import type { EventContext } from '@wooksjs/event-core'
import { HttpError, type HttpResponse, WooksHttp } from '@wooksjs/event-http'

/**
 * Wooks' HTTP app, which would send the message of any uncaught error to the client, and leave the
 * client waiting when an answer cannot be serialised.
 */
export class SafeWooksHttp extends WooksHttp {
  protected override respond(data: unknown, response: HttpResponse, ctx: EventContext) {
    if (data instanceof Error && !(data instanceof HttpError)) {
      return super.respond(new HttpError(500, 'Internal Server Error'), response, ctx)
    }
    try {
      return super.respond(data, response, ctx)
    } catch (error) {
      this.logger.error('The answer could not be sent', error)
      endWith500(response)
    }
  }
}

function endWith500(response: HttpResponse): void {
  const raw = response.getRawRes(true)
  if (raw.headersSent) {
    raw.destroy()
    return
  }
  raw.writeHead(500, { 'content-type': 'application/json' })
  raw.end('{"statusCode":500,"message":"Internal Server Error","error":"Internal Server Error"}')
}
