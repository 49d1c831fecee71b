import { Server } from 'node:http'
import { HttpError, type TWooksHttpOptions, useResponse, WooksHttp } from '@wooksjs/event-http'
import {
  createProvideRegistry,
  defineMoostEventHandler,
  isThenable,
  type Moost,
  type TMoostAdapter,
  type TMoostAdapterOptions,
  type TObject,
} from 'moost'
import { assertInjected } from '../controllers'
import { HTTP, type HttpHandlerMeta } from './decorators/http-method.decorator'
import { holdBodies } from './expect-continue'
import { answerFetch, type FetchOptions } from './fetch/answer-fetch'
import { SafeWooksHttp } from './safe-wooks-http'
import { ServerCloser } from './server-closer'
import { asError, callThrowingErrors } from './thrown-values'

/**
 * The Moost adapter for HTTP: binds `@Get`, `@Post` and their like. An uncaught error is logged and
 * answered with a bare 500; throw an `HttpError` to say something to the client.
 *
 * Its routes are its own: of two apps in a process each answers what was registered with it. Two
 * adapters of one app both have all routes of that app, so a private port needs an app of its own.
 * Moost makes a controller once per process, with what the first app injects: one that injects, and
 * that two apps register, is `@Injectable('FOR_EVENT')`.
 *
 * @example
 * ```ts
 * import { Get, MoostHttp } from '@atscript/moost-wf/http'
 * import { Controller, Moost, Param } from 'moost'
 *
 * @Controller()
 * class Greeter {
 *   @Get('hello/:name')
 *   hello(@Param('name') name: string) {
 *     return { message: `Hello, ${name}` }
 *   }
 * }
 *
 * const app = new Moost()
 * const http = app.adapter(new MoostHttp())
 * await app.registerControllers(Greeter).init()
 * await http.listen(3000, '127.0.0.1')
 * ```
 */
export class MoostHttp implements TMoostAdapter<HttpHandlerMeta> {
  readonly name = 'http'
  readonly #app: SafeWooksHttp
  #answer: ReturnType<SafeWooksHttp['getAnswerer']> | undefined
  #moost?: Moost
  #closer?: ServerCloser

  constructor(options: TWooksHttpOptions = {}) {
    this.#app = new SafeWooksHttp({ onNotFound: () => this.#notFound(), ...options })
  }

  /** The HTTP app underneath. */
  getHttpApp(): WooksHttp {
    return this.#app
  }

  /** The callback for a server of your own. */
  getServerCb() {
    return this.#app.getServerCb()
  }

  /**
   * Answers a request that has come another way than by a server of Node: in a worker, or in a test.
   * Routes, interceptors, limits and answers are the same.
   *
   * @throws the reason of the request's signal, once that has fired
   *
   * @example
   * ```ts
   * import { MoostHttp } from '@atscript/moost-wf/http'
   *
   * declare const http: MoostHttp
   *
   * export default {
   *   fetch: (request: Request) =>
   *     http.fetch(request, { address: request.headers.get('cf-connecting-ip') ?? undefined }),
   * }
   * ```
   */
  fetch(request: Request, options: FetchOptions = {}): Promise<Response> {
    this.#answer ??= this.#app.getAnswerer()
    return answerFetch(this.#answer, request, options)
  }

  /** The same, by a path: for tests. */
  request(path: string, init?: RequestInit): Promise<Response> {
    return this.fetch(new Request(new URL(path, 'http://localhost'), init))
  }

  /** Starts a server; resolves when it listens. */
  async listen(port: number, hostname?: string): Promise<void> {
    const listening = this.#app.listen(port, hostname)
    const server = this.#app.getServer()
    if (server) holdBodies(server)
    await listening
    this.#closer = server && new ServerCloser(server)
  }

  /**
   * Stops the server that `listen` started: no new connections, running requests finish.
   * @param graceMs after this the connections that are still busy are cut off
   */
  async close(graceMs = 10_000): Promise<void> {
    await this.#closer?.close(graceMs)
  }

  bindHandler<C extends TObject>(opts: TMoostAdapterOptions<HttpHandlerMeta, C>): void {
    const mayReply = Boolean(opts.getIterceptorHandler()?.count)
    for (const handler of opts.handlers) {
      if (handler.type !== HTTP) continue
      const path = handler.path ?? String(opts.method)
      const targetPath = `${opts.prefix}/${path}`.replace(/\/{2,}/gu, '/')
      const handle = defineMoostEventHandler<C>({
        loggerTitle: 'moost-http',
        getIterceptorHandler: opts.getIterceptorHandler,
        getControllerInstance: opts.getInstance,
        controllerMethod: opts.method,
        controllerName: opts.controllerName,
        controllerPrefix: opts.prefix,
        resolveArgs: opts.resolveArgs,
        callControllerMethod: mayReply ? args => callThrowingErrors(opts.method, args) : undefined,
        manualUnscope: true,
        hooks: { init: ({ unscope }) => unscopeOnClose(unscope) },
        targetPath,
        handlerType: HTTP,
      })
      const guard = this.#guard(`${handler.method} ${targetPath}`, handle, mayReply)
      const route = this.#app.on(handler.method, targetPath, guard)
      opts.logHandler(`(${handler.method}) ${targetPath}`)
      const args = route.getArgs()
      opts.register(handler, route.getPath(Object.fromEntries(args.map(a => [a, `{${a}}`]))), args)
    }
  }

  /**
   * Logs what a handler throws, or returns as an error, and lets the client know no more than that.
   * Wooks would log the URL with it, and links carry tokens.
   */
  #guard(title: string, handle: () => unknown, mayReply: boolean): () => unknown {
    const settle = (output: unknown) => {
      if (!(output instanceof Error) || output instanceof HttpError) return output
      const logger = this.#moost?.getLogger('moost-http') ?? this.#app.getLogger('moost-http')
      logger.error(`${title} failed`, output)
      return new HttpError(500, 'Internal Server Error')
    }
    const fail = (thrown: unknown) => settle(mayReply ? thrown : asError(thrown))
    return () => {
      try {
        const output = handle()
        return isThenable(output) ? output.then(settle, fail) : settle(output)
      } catch (thrown) {
        return fail(thrown)
      }
    }
  }

  onInit(moost: Moost): void {
    this.#moost = moost
    assertInjected(moost)
    // At the first request a Worker may not make code any more.
    this.#app.getWooks().getRouter().compile()
  }

  getProvideRegistry() {
    return createProvideRegistry(
      [MoostHttp, () => this],
      [WooksHttp, () => this.#app],
      ['WooksHttp', () => this.#app],
      [Server, () => this.#app.getServer()],
    )
  }

  // Global interceptors run for unknown routes too, so that a guard or a logger sees them.
  #notFound(): unknown {
    return defineMoostEventHandler({
      loggerTitle: 'moost-http',
      getIterceptorHandler: () => this.#moost?.getGlobalInterceptorHandler(),
      getControllerInstance: () => this.#moost,
      callControllerMethod: () => new HttpError(404, 'Resource Not Found'),
      targetPath: '',
      handlerType: '__SYSTEM__',
    })()
  }
}

// Not on the request's 'end', which comes as soon as the body is read: FOR_EVENT injection would
// then fail in the middle of the handler.
function unscopeOnClose(unscope: () => void): void {
  useResponse().getRawRes(true).on('close', unscope)
}
