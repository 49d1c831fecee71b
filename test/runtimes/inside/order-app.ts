import {
  defineOutletConfig,
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  outletHttp,
  Step,
  useWfFinished,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { DbSpace } from '@atscript/moost-wf/db'
import { MoostHttp, Post } from '@atscript/moost-wf/http'
import { AsWfRunStore, AsWfStore } from '@atscript/moost-wf/store'
import { Controller, Moost } from 'moost'
import { WfEventRow, WfLinkRow, WfRunRow } from '../../fixtures/schemas/wf-run-rows.as'
import { WfStateRow } from '../../fixtures/schemas/wf-state-row.as'

/** One for all runtimes: what one has begun, another goes on with. */
const SECRET = '02ac'.repeat(16)

interface Order {
  coffee?: string
  name?: string
}

/** The same order, kept in three ways. */
export const KEPT = ['token', 'handle', 'durable'] as const
export type Kept = (typeof KEPT)[number]

@Controller('order')
class OrderController {
  @Workflow('token')
  @WorkflowSchema<Order>(['coffee', 'name'])
  token() {}

  @Workflow('handle')
  @WorkflowSchema<Order>(['coffee', 'name'])
  handle() {}

  @Workflow('durable')
  @WorkflowSchema<Order>(['coffee', 'name'])
  durable() {}

  @Step('coffee')
  coffee(@WorkflowParam('context') ctx: Order, @WorkflowParam('input') input?: Order) {
    if (!input?.coffee) return outletHttp({ question: 'Which coffee?' })
    ctx.coffee = input.coffee
  }

  @Step('name')
  name(@WorkflowParam('context') ctx: Order, @WorkflowParam('input') input?: Order) {
    if (!input?.name) return outletHttp({ question: 'What name?' })
    useWfFinished().set({ type: 'data', value: `One ${ctx.coffee} for ${input.name}` })
  }
}

/**
 * An application that answers requests, with nothing listening. It is made while a runtime starts, because
 * Workers let code be generated, as the router does, only then.
 */
export async function createOrderApp(space: DbSpace) {
  const runs = new AsWfRunStore({
    space,
    runs: space.table(WfRunRow),
    events: space.table(WfEventRow),
    links: space.table(WfLinkRow),
  })
  const config = defineOutletConfig({
    allow: KEPT.map(kept => `order/${kept}`),
    state: {
      strategies: {
        token: new EncapsulatedStateStrategy({ secret: SECRET }),
        handle: new HandleStateStrategy({
          store: new AsWfStore({ table: space.table(WfStateRow) }),
        }),
        durable: new DurableStateStrategy({ runs, secret: SECRET }),
      },
      default: wfid => wfid.slice('order/'.length) as Kept,
    },
  })

  @Controller('api')
  class WfController {
    constructor(private readonly wf: MoostWf) {}

    @Post('wf')
    handle() {
      return handleAsOutletRequest(config, this.wf)
    }
  }

  const app = new Moost()
  const http = app.adapter(new MoostHttp())
  app.adapter(new MoostWf())
  await app.registerControllers(OrderController, WfController).init()

  return {
    prepare: () => space.sync(),
    countCompleted: () => space.table(WfRunRow).count({ filter: { status: 'completed' } }),
    fetch: (request: Request) => http.fetch(request),
    async post(body: object): Promise<Answer> {
      const response = await http.request('/api/wf', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, ...((await response.json()) as object) }
    },
  }
}

export type OrderApp = Awaited<ReturnType<typeof createOrderApp>>

export interface Answer {
  readonly status: number
  readonly wfs?: string
  readonly finished?: boolean
  readonly data?: string
}
