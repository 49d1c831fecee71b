import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { EventContext } from '@wooksjs/event-core'
import {
  HttpError,
  type HttpResponse,
  rawBodySlot,
  type TWooksHttpOptions,
  useRequest,
  WooksHttp,
} from '@wooksjs/event-http'
import { isThenable } from 'moost'
import { type TWooksHandler, Wooks } from 'wooks'
import { isSupportedEncoding } from './content-encoding'
import { LazyPromise } from './lazy-promise'
import { lingerAfterAnswer } from './linger-after-answer'
import { readBytes } from './read-bytes'

/**
 * Wooks' HTTP app, which would share its routes with every other one in the process, send the message
 * of any uncaught error to the client, leave the client waiting when an answer cannot be sent, end the
 * connection without an answer when a body is too large, and go down with a stream that fails.
 */
export class SafeWooksHttp extends WooksHttp {
  constructor(options: TWooksHttpOptions) {
    const { logger, router } = options
    super(options, new Wooks({ logger, router }))
  }

  override getServerCb() {
    const answer = this.getAnswerer()
    return (req: IncomingMessage, res: ServerResponse): void => {
      lingerAfterAnswer(req, res)
      answer(req, res)
    }
  }

  /** The same for requests that no connection of this process has brought. */
  getAnswerer() {
    const handle = super.getServerCb()
    return (req: IncomingMessage, res: ServerResponse): void => {
      if (isSupportedEncoding(req.headers['content-encoding'])) handle(req, res)
      else endWith(res, 415, 'Unsupported Media Type')
    }
  }

  protected override processHandlers(
    handlers: TWooksHandler[],
    ctx: EventContext,
    response: HttpResponse,
  ) {
    // Here wooks looks for a body that has been read already.
    ctx.setOwn(rawBodySlot, new LazyPromise(() => readBodyOf(ctx)))
    const [only, another] = handlers
    if (!only || another) return super.processHandlers(handlers, ctx, response)
    return this.#processHandler(only, ctx, response)
  }

  /** With a single handler there is no other to try when it fails, and no need to await each turn. */
  #processHandler(handler: TWooksHandler, ctx: EventContext, response: HttpResponse) {
    const send = (data: unknown) => {
      const sending = this.respond(data, response, ctx)
      return sending ? sending.then(() => data) : data
    }
    const fail = (error: unknown) => {
      // Without the URL: links carry tokens.
      if (!(error instanceof HttpError))
        this.logger.error('Uncaught route handler exception', error)
      return send(error)
    }
    try {
      const result: unknown = handler()
      if (isThenable(result)) return Promise.resolve(result).then(send, fail)
      send(result)
    } catch (error) {
      fail(error)
    }
  }

  protected override respond(data: unknown, response: HttpResponse, ctx: EventContext) {
    const raw = response.getRawRes(true)
    try {
      if (data instanceof Readable) watchStream(data, raw)
      return super.respond(toSend(data), response, ctx)?.catch(error => this.#giveUp(raw, error))
    } catch (error) {
      this.#giveUp(raw, error)
    }
  }

  #giveUp(raw: ServerResponse, error: unknown): void {
    this.logger.error('The answer could not be sent', error)
    if (raw.headersSent) raw.destroy()
    else endWith(raw, 500, 'Internal Server Error')
  }
}

/** A client must see that a stream broke off: wooks would end it as if it were complete. */
function watchStream(stream: Readable, raw: ServerResponse): void {
  stream.once('error', () => raw.destroy())
  if (stream.destroyed) throw new Error('The stream has ended already.')
}

function readBodyOf(ctx: EventContext): Promise<Buffer> {
  const request = useRequest(ctx)
  return readBytes(request.raw, {
    maxCompressed: request.getMaxCompressed(),
    maxInflated: request.getMaxInflated(),
    maxRatio: request.getMaxRatio(),
    readTimeoutMs: request.getReadTimeoutMs(),
  })
}

function toSend(data: unknown): unknown {
  const isUncaught = data instanceof Error && !(data instanceof HttpError)
  return isUncaught ? new HttpError(500, 'Internal Server Error') : data
}

function endWith(raw: ServerResponse, statusCode: number, message: string): void {
  raw.writeHead(statusCode, { 'content-type': 'application/json' })
  raw.end(JSON.stringify({ statusCode, message, error: message }))
}
