import { createHmac, randomBytes } from 'node:crypto'
import {
  createAsHttpOutlet,
  createWebhookOutlet,
  finishWf,
  handleAsOutletRequest,
  HandleStateStrategy,
  handleWebhookRequest,
  MoostWf,
  outlet,
  Step,
  WfLedgerMemory,
  type WfOutletConfig,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { All, HttpError, Post, RawBody } from '@atscript/moost-wf/http'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'

interface Ticket {
  title: string
  isSent?: boolean
}

/** An application that asks another system for a decision, and that system. */
async function openDesk(overrides: Partial<WfOutletConfig> = {}) {
  const clock = new FakeClock(Date.now())
  const secret = randomBytes(32)
  const received: { readonly id: string; readonly token: string }[] = []
  const decided: string[] = []
  const desk = { fails: false, status: 200 }
  const config: WfOutletConfig = {
    state: new HandleStateStrategy({ store: new WfStateStoreMemory({ clock }) }),
    ledger: new WfLedgerMemory({ clock }),
    clock,
    ...overrides,
  }
  const webhook = { secret }

  @Controller('tickets')
  class Tickets {
    @Workflow('decide')
    @WorkflowSchema<Ticket>(['ask'])
    decide() {}

    @Step('ask')
    ask(
      @WorkflowParam('context') ctx: Ticket,
      @WorkflowParam('input') input?: { decision?: string; to?: string },
    ) {
      if (!input?.decision) {
        const context = { title: 'a chair' }
        return outlet('webhook', { target: input?.to, template: 'decide', context })
      }
      if (desk.fails) throw new Error('The database is away.')
      decided.push(input.decision)
      ctx.isSent = true
      finishWf({ data: { decision: input.decision } })
    }
  }

  @Controller()
  class Endpoints {
    constructor(readonly wf: MoostWf) {}

    @All('wf')
    people() {
      return handleAsOutletRequest(config, this.wf)
    }

    @All('hooks/decision')
    machines() {
      return handleWebhookRequest(config, this.wf, webhook)
    }

    @Post('other-system')
    other(@RawBody() body: Buffer) {
      if (desk.status !== 200) throw new HttpError(desk.status as 500, 'no')
      received.push(JSON.parse(body.toString()))
      return 'ok'
    }
  }

  const { url } = await startApp([Tickets, Endpoints])
  const { origin } = new URL(url)
  Object.assign(config, {
    outlets: [createAsHttpOutlet(), createWebhookOutlet({ origins: [origin], secret })],
  })

  const sign = (body: string, id: string, at = clock.now()) => {
    const seconds = String(Math.floor(at / 1000))
    const mac = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${mac}`,
    }
  }
  return {
    clock,
    decided,
    desk,
    received,
    /** Starts a flow. @returns the answer, and the token that the other system has got */
    async ask(to = `${origin}/other-system`) {
      const answer = await request(url, { wfid: 'tickets/decide', input: { to } }, {})
      return { answer, token: received.at(-1)?.token ?? '' }
    },
    sign,
    post(body: object, { id = 'msg_1', at = clock.now(), headers = {}, query = '' } = {}) {
      const rawBody = JSON.stringify(body)
      const path = '/hooks/decision'
      return request(url, undefined, {
        rawBody,
        path,
        query,
        headers: { ...sign(rawBody, id, at), ...headers },
      })
    },
    unsigned: (body: object, method = 'POST') =>
      request(url, method === 'POST' ? body : undefined, { path: '/hooks/decision', method }),
  }
}

const APPROVE = { decision: 'approve' }

describe('a decision of another system', () => {
  it('is asked for by a webhook and answered by another one', async () => {
    const { ask, post, decided, received } = await openDesk()
    const { answer, token } = await ask()
    expect([answer.status, answer.body]).toMatchObject([200, { sent: true, outlet: 'webhook' }])
    expect(JSON.stringify(answer.body)).not.toContain(token)
    expect(received).toHaveLength(1)
    const decision = await post({ wfs: token, input: APPROVE })
    expect([decision.status, decision.body]).toMatchObject([200, { finished: true, data: APPROVE }])
    expect(decided).toEqual(['approve'])
  })

  it('counts once, however often it is delivered', async () => {
    const { ask, post, decided } = await openDesk()
    const { token } = await ask()
    const body = { wfs: token, input: APPROVE }
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(body)))
    const again = await post(body)
    expect(new Set([...answers, again].map(({ status }) => status))).toEqual(new Set([200]))
    expect(again.body).toMatchObject({ finished: true, data: APPROVE })
    expect(decided).toEqual(['approve'])
  })

  it('is for the flow that was signed, whatever the address or a cookie says', async () => {
    const read = ['query', 'cookie', 'body'] as const
    const { ask, post, decided } = await openDesk({ token: { read: [...read] } })
    const { token } = await ask()
    const { token: other } = await ask()
    const query = `?wfs=${encodeURIComponent(other)}`
    const headers = { cookie: `wfs=${encodeURIComponent(other)}` }
    expect((await post({ input: APPROVE }, { query, headers })).status).toBe(400)
    const started = await post({ input: APPROVE }, { query: '?wfid=tickets/decide', id: 'msg_2' })
    expect([started.status, decided]).toEqual([400, []])
    const body = { wfs: token, input: APPROVE }
    for (const _ of [1, 2])
      expect((await post(body, { query, headers, id: 'msg_3' })).status).toBe(200)
    expect(decided).toEqual(['approve'])
    expect((await post({ wfs: other, input: APPROVE }, { id: 'msg_4' })).status).toBe(200)
  })

  it('is told when another one came first', async () => {
    const { ask, post, decided } = await openDesk()
    const { token } = await ask()
    await post({ wfs: token, input: APPROVE })
    const late = await post({ wfs: token, input: { decision: 'reject' } }, { id: 'msg_2' })
    expect([late.status, late.body.code ?? late.body.error?.code]).toEqual([410, 'WF_USED'])
    expect(decided).toEqual(['approve'])
  })

  it('can be delivered again when it has failed', async () => {
    const { ask, post, desk, decided } = await openDesk()
    const { token } = await ask()
    desk.fails = true
    expect((await post({ wfs: token, input: APPROVE })).status).toBe(500)
    desk.fails = false
    expect((await post({ wfs: token, input: APPROVE })).status).toBe(200)
    expect(decided).toEqual(['approve'])
  })

  it('is not asked for where the other system does not take it', async () => {
    const { ask, desk } = await openDesk()
    desk.status = 503
    const { answer } = await ask()
    expect([answer.status, answer.body.code ?? answer.body.error?.code]).toEqual([
      502,
      'WF_OUTLET_FAILED',
    ])
  })

  it('is not asked for at an address that is not listed', async () => {
    const { ask, received } = await openDesk()
    const { answer } = await ask('https://evil.example/')
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(answer.text).not.toContain('evil')
    expect(received).toEqual([])
  })
})

describe('the door for webhooks', () => {
  it('lets nothing in that is not signed, old, or signed for something else', async () => {
    const { ask, post, unsigned, sign, decided, clock } = await openDesk()
    const { token } = await ask()
    const body = { wfs: token, input: APPROVE }
    const other = sign(JSON.stringify({ ...body, input: { decision: 'reject' } }), 'msg_1')
    const refused = [
      await unsigned(body),
      await post(body, { at: clock.now() - 301_000 }),
      await post(body, { at: clock.now() + 301_000 }),
      await post(body, { headers: { 'webhook-signature': other['webhook-signature'] } }),
      await post(body, { headers: { 'webhook-id': 'msg_9' } }),
    ]
    for (const { status, text } of refused) {
      expect(status).toBe(401)
      expect(text).toBe(refused[0]!.text)
      expect(text).not.toContain(token)
    }
    expect(decided).toEqual([])
    expect((await post(body)).status).toBe(200)
  })

  it('is open for POST alone, and not for pages of other sites', async () => {
    const { ask, post, unsigned } = await openDesk()
    const { token } = await ask()
    expect((await unsigned({}, 'GET')).status).toBe(405)
    expect((await unsigned({}, 'PUT')).status).toBe(405)
    const headers = { origin: 'https://evil.example' }
    expect((await post({ wfs: token, input: APPROVE }, { headers })).status).toBe(403)
  })

  it('needs a ledger', async () => {
    const { ask, post, decided } = await openDesk({ ledger: undefined })
    const { token } = await ask()
    expect((await post({ wfs: token, input: APPROVE })).status).toBe(500)
    expect(decided).toEqual([])
  })

  it('does not last longer than requests are known again', async () => {
    const { ask, post, clock } = await openDesk({ replayWindow: 10_000 })
    const { token } = await ask()
    expect((await post({ wfs: token, input: APPROVE }, { at: clock.now() - 6_000 })).status).toBe(
      401,
    )
  })
})
