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
import { closeServer } from './close-server'
import { HTTP, type HttpHandlerMeta } from './decorators/http-method.decorator'
import { SafeWooksHttp } from './safe-wooks-http'

/**
 * The Moost adapter for HTTP: binds `@Get`, `@Post` and their like. An uncaught error is logged and
 * answered with a bare 500; throw an `HttpError` to say something to the client.
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
  readonly #app: WooksHttp
  #moost?: Moost

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

  /** Starts a server; resolves when it listens. */
  listen(port: number, hostname?: string): Promise<void> {
    return this.#app.listen(port, hostname)
  }

  /**
   * Stops the server that `listen` started: no new connections, running requests finish.
   * @param graceMs after this the connections that are still busy are cut off
   */
  async close(graceMs = 10_000): Promise<void> {
    const server = this.#app.getServer()
    if (server?.listening) await closeServer(server, graceMs)
  }

  bindHandler<C extends TObject>(opts: TMoostAdapterOptions<HttpHandlerMeta, C>): void {
    for (const handler of opts.handlers) {
      if (handler.type !== HTTP) continue
      const targetPath = `${opts.prefix}/${handler.path ?? String(opts.method)}`.replace(
        /\/{2,}/gu,
        '/',
      )
      const handle = defineMoostEventHandler<C>({
        loggerTitle: 'moost-http',
        getIterceptorHandler: opts.getIterceptorHandler,
        getControllerInstance: opts.getInstance,
        controllerMethod: opts.method,
        controllerName: opts.controllerName,
        controllerPrefix: opts.prefix,
        resolveArgs: opts.resolveArgs,
        manualUnscope: true,
        hooks: { init: ({ unscope }) => unscopeOnClose(unscope) },
        targetPath,
        handlerType: HTTP,
      })
      const route = this.#app.on(handler.method, targetPath, () => raiseReturnedError(handle()))
      opts.logHandler(`(${handler.method}) ${targetPath}`)
      const args = route.getArgs()
      opts.register(handler, route.getPath(Object.fromEntries(args.map(a => [a, `{${a}}`]))), args)
    }
  }

  onInit(moost: Moost): void {
    this.#moost = moost
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

// Wooks logs an error that is thrown, not one that an interceptor or a handler returns.
function raiseReturnedError(output: unknown): unknown {
  if (isThenable(output)) return output.then(raiseReturnedError)
  if (output instanceof Error) throw output
  return output
}

// Not on the request's 'end', which comes as soon as the body is read: FOR_EVENT injection would
// then fail in the middle of the handler.
function unscopeOnClose(unscope: () => void): void {
  useResponse().getRawRes(true).once('close', unscope)
}
