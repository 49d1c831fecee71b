import type { AddressInfo } from 'node:net'
import { ProstoLogger } from '@prostojs/logger'
import { MoostHttp } from '@atscript/moost-wf/http'
import { MoostWf, type MoostWfOptions } from '@atscript/moost-wf/moost'
import { Moost, setInfactLoggingOptions, type TInterceptorDef } from 'moost'
import { onTestFinished } from 'vitest'

// oxlint-disable-next-line typescript/no-explicit-any -- any class can be a controller
type Controller = new (...args: any[]) => object

export interface LogEntry {
  readonly level: string
  readonly text: string
}

interface AppOptions {
  readonly http?: ConstructorParameters<typeof MoostHttp>[0]
  readonly wf?: MoostWfOptions
  readonly interceptors?: readonly TInterceptorDef[]
}

/** A real Moost app with both adapters, listening on a free port of the loopback interface. */
export async function startApp(controllers: Controller[], options: AppOptions = {}) {
  const { app, wf, http, log } = buildApp(controllers, options)
  await app.init()
  await http.listen(0, '127.0.0.1')
  const address = http.getHttpApp().getServer()?.address() as AddressInfo
  onTestFinished(() => http.close(1000))
  return { app, wf, http, log, url: `http://127.0.0.1:${address.port}` }
}

/** The same without a server, for what needs none and for start-up failures. */
export function buildApp(controllers: Controller[], options: AppOptions = {}) {
  const log: LogEntry[] = []
  const logger = collectingLogger(log)
  setInfactLoggingOptions({ newInstance: false, error: false })
  const app = new Moost({ logger })
  const http = app.adapter(new MoostHttp({ logger, ...options.http }))
  const wf = app.adapter(new MoostWf({ logger, ...options.wf }))
  app.applyGlobalInterceptors(...(options.interceptors ?? []))
  app.registerControllers(...controllers)
  return { app, wf, http, log }
}

function collectingLogger(log: LogEntry[]) {
  return new ProstoLogger({
    level: 99,
    transports: [
      entry => {
        log.push({ level: entry.type, text: [...entry.messages, ...(entry.stack ?? [])].join(' ') })
      },
    ],
  })
}
