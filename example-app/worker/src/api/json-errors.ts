import { HttpError, useResponse } from '@atscript/moost-wf/http'
import { Interceptor, OnError, Overtake, Response, TInterceptorPriority } from 'moost'

/** Answers refusals of an API with JSON, whatever the client says that it takes. */
@Interceptor(TInterceptorPriority.CATCH_ERROR)
export class JsonErrors {
  @OnError()
  answer(@Response() error: unknown, @Overtake() reply: (body: unknown) => void) {
    if (!(error instanceof HttpError)) return
    useResponse().setStatus(error.body.statusCode)
    reply(error.body)
  }
}
