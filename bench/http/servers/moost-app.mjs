import { Controller, createLogger, Moost } from 'moost'
import {
  MoostWf,
  outletHttp,
  Step,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '../../../dist/index.mjs'
import { MoostHttp, Post } from '../../../dist/http/index.mjs'
import { serve } from '../../measure/server-process.mjs'

// Plain JavaScript has no decorators yet: they are applied by hand.
function decorate(type, method, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, method)
  for (const decorator of decorators) decorator(type.prototype, method, descriptor)
}

/**
 * Serves one route of a Moost app with our adapters, beside a workflow of one step that asks again
 * and again. `handle` gets the workflow adapter.
 */
export async function serveMoost(handle) {
  class Endpoint {
    handle() {
      return handle(wf)
    }

    ask() {}

    again(context, input) {
      context.last = input
      return outletHttp({ form: 'again' }, { count: 1 })
    }
  }
  decorate(Endpoint, 'handle', Post('wf'))
  decorate(Endpoint, 'ask', WorkflowSchema(['again']), Workflow('ask'))
  decorate(Endpoint, 'again', Step('again'))
  WorkflowParam('context')(Endpoint.prototype, 'again', 0)
  WorkflowParam('input')(Endpoint.prototype, 'again', 1)
  Controller('bench')(Endpoint)

  const logger = createLogger({ level: 1 })
  const app = new Moost({ logger })
  const http = app.adapter(new MoostHttp({ logger }))
  const wf = app.adapter(new MoostWf({ logger }))
  await app.registerControllers(Endpoint).init()
  await http.listen(0, '127.0.0.1')
  serve(http.getHttpApp().getServer().address().port)
}
