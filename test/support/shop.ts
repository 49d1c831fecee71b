import type { RequestListener } from 'node:http'
import {
  createEmailOutlet,
  handleAsOutletRequest,
  handleWfOutletRequest,
  HandleStateStrategy,
  MoostWf,
  outletEmail,
  outletHttp,
  Step,
  useWfFinished,
  type WfEmail,
  type WfOutletConfig,
  type WfRejection,
  WfStateStoreMemory,
  Workflow,
  WorkflowCarryOver,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { All, HttpError } from '@atscript/moost-wf/http'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { startApp } from './moost-app'

/** A small application with a workflow for each thing that a test wants to see. */
interface OrderCtx {
  name?: string
  address?: string
  tries?: number
}

type Input = Record<string, string> | undefined

/** The endpoint's configuration and what it has seen; one per test. */
export interface Shop {
  readonly url: string
  readonly door: Door
  readonly clock: FakeClock
  readonly store: WfStateStoreMemory
  readonly mails: WfEmail[]
  readonly rejections: WfRejection[]
  /** The steps that have run, in order. */
  readonly ran: string[]
  readonly log: { readonly text: string }[]
  /** Changed by tests between two requests. */
  config: WfOutletConfig
  /** The server's callback, for servers of another kind. */
  readonly callback: RequestListener
  /** Closes the server, as an application does that shuts down. */
  close(graceMs: number): Promise<void>
  /** Called inside the step `shop/done`. */
  onDone: () => void
  /** Called inside the step `shop/name`. */
  onName: (input: Input, ctx: OrderCtx) => unknown
  send(body: unknown, options?: SendOptions): Promise<Answer>
  start(wfid: string, options?: SendOptions): Promise<string>
}

export interface SendOptions {
  readonly method?: string
  readonly query?: string
  readonly cookie?: string
  readonly headers?: Record<string, string>
  readonly rawBody?: string | Buffer<ArrayBuffer>
  readonly path?: string
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into whatever came
  readonly body: any
}

/** How requests come in: by a connection, or handed over as they are. */
export type Door = 'a socket' | 'fetch'

export async function openShop(
  overrides: Partial<WfOutletConfig> = {},
  door: Door = 'a socket',
): Promise<Shop> {
  const clock = new FakeClock()
  const store = new WfStateStoreMemory({ clock })
  const mails: WfEmail[] = []
  const rejections: WfRejection[] = []
  const ran: string[] = []

  @Controller('shop')
  class Orders {
    @Workflow('order')
    @WorkflowSchema<OrderCtx>(['name', 'address', 'done'])
    @WorkflowCarryOver({ keys: ['name', 'gone'], graceMs: 60_000 })
    order() {}

    @Workflow('gift')
    @WorkflowSchema<OrderCtx>(['name', 'done'])
    gift() {}

    @Workflow('invite')
    @WorkflowSchema<OrderCtx>(['name', 'mail', 'done'])
    invite() {}

    @Workflow('hidden')
    @WorkflowSchema<OrderCtx>(['name'])
    hidden() {}

    @Workflow('blocked')
    @WorkflowSchema<OrderCtx>(['name'])
    blocked() {}

    @Step('name')
    async name(@WorkflowParam('context') ctx: OrderCtx, @WorkflowParam('input') input: Input) {
      ran.push('name')
      const outcome = await shop.onName(input, ctx)
      if (outcome !== undefined) return outcome
      if (!input?.name) return outletHttp({ ask: 'name' })
      ctx.name = input.name
    }

    @Step('address')
    address(@WorkflowParam('context') ctx: OrderCtx, @WorkflowParam('input') input: Input) {
      ran.push('address')
      // Half a step's changes, which must not be kept.
      if (input?.fail) ctx.address = 'half-way'
      if (input?.fail === 'http') throw new HttpError(422, 'No deliveries there.')
      if (input?.fail === 'crash') throw new Error('connection string postgres://secret')
      if (!input?.address) return outletHttp({ ask: 'address' }, { for: ctx.name })
      ctx.address = input.address
    }

    @Step('mail')
    mail(@WorkflowParam('context') ctx: OrderCtx, @WorkflowParam('input') input: Input) {
      ran.push('mail')
      if (!input?.accept) return outletEmail(`${ctx.name}@example.com`, 'invite', { by: 'shop' })
    }

    @Step('done')
    done(@WorkflowParam('context') ctx: OrderCtx) {
      ran.push('done')
      useWfFinished().set({ type: 'data', value: { ...ctx } })
      shop.onDone()
    }
  }

  @Controller()
  class Endpoint {
    constructor(readonly wf: MoostWf) {}

    @All('wf')
    handle() {
      return handleAsOutletRequest(shop.config, this.wf)
    }

    @All('outlet')
    outlet() {
      return this.wf.handleOutlet(shop.config)
    }

    @All('bare')
    bare() {
      return handleWfOutletRequest(shop.config, this.wf)
    }
  }

  const { url, log, http } = await startApp([Orders, Endpoint], { wf: { clock } })
  const enter = door === 'fetch' ? (asked: Request) => http.fetch(asked) : fetch
  const send = (body: unknown, options: SendOptions = {}) => request(url, body, options, enter)
  const shop: Shop = {
    url,
    door,
    clock,
    store,
    mails,
    rejections,
    ran,
    log,
    callback: http.getServerCb(),
    close: graceMs => http.close(graceMs),
    onDone: () => undefined,
    onName: () => undefined,
    send,
    async start(wfid, options) {
      return (await send({ wfid }, options)).body.wfs as string
    },
    config: {
      allow: ['shop/order', 'shop/gift', 'shop/invite', 'shop/blocked'],
      block: ['shop/blocked'],
      state: new HandleStateStrategy({ store }),
      outlets: [createEmailOutlet(async mail => void mails.push(mail))],
      origins: ['https://friend.example'],
      onReject: rejection => void rejections.push(rejection),
      clock,
      ...overrides,
    },
  }
  return shop
}

export async function request(
  url: string,
  body: unknown,
  options: SendOptions,
  enter: (asked: Request) => Promise<Response> = fetch,
): Promise<Answer> {
  const { method = 'POST', query = '', cookie, headers, rawBody, path = '/wf', signal } = options
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const asked = new Request(`${url}${path}${query}`, {
    method,
    signal,
    redirect: 'manual',
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(hasBody && { body: rawBody ?? JSON.stringify(body) }),
  })
  const response = await enter(asked)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
