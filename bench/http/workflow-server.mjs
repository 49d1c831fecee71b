import { createLogger, Controller, Moost } from 'moost'
import {
  defineOutletConfig,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  outletHttp,
  Step,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '../../dist/index.mjs'
import { MoostHttp, Post } from '../../dist/http/index.mjs'
import { serve } from '../measure/server-process.mjs'

const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
const config = defineOutletConfig({ allow: ['bench/ask'], state })

// Plain JavaScript has no decorators yet: they are applied by hand.
class Endpoint {
  handle() {
    return handleAsOutletRequest(config, wf)
  }

  ask() {}

  again(context, input) {
    context.last = input
    return outletHttp({ form: 'again' }, { count: 1 })
  }
}
const of = name => [
  Endpoint.prototype,
  name,
  Object.getOwnPropertyDescriptor(Endpoint.prototype, name),
]
Post('wf')(...of('handle'))
WorkflowSchema(['again'])(...of('ask'))
Workflow('ask')(...of('ask'))
Step('again')(...of('again'))
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
