import { randomBytes } from 'node:crypto'
import { connect, createServer as createHttp2Server } from 'node:http2'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createHttpOutlet,
  EncapsulatedStateStrategy,
  handleAsOutletRequest,
  HandleStateStrategy,
  outlet,
  swapStrategy,
  type WfState,
  type WfStateStrategy,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { isRefusal } from '@atscript/moost-wf/strategies'
import { All, HttpError } from '@atscript/moost-wf/http'
import { createWfApp } from '@wooksjs/event-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { Wooks } from 'wooks'
import { startApp } from '../support/moost-app'
import { openShop, type Shop } from '../support/shop'
import { notesOf, withNotes } from '../../src/state'

const handles = (store = new WfStateStoreMemory(), stable = false) =>
  new HandleStateStrategy({ store, stable })

const storedOf = (shop: Shop, token: string) => shop.store.get(token.slice('default.'.length))

/** Changes what is stored, as an older release or a stranger with database access would. */
async function tamper(shop: Shop, token: string, change: (state: WfState) => unknown) {
  const stored = await storedOf(shop, token)
  const handle = token.slice('default.'.length)
  await shop.store.set(handle, change(stored!.state) as WfState, stored?.expiresAt)
}

describe('a token', () => {
  it('is not taken under the name of another strategy, also on one store', async () => {
    const store = new WfStateStoreMemory()
    const shop = await openShop({
      state: {
        strategies: { short: handles(store), long: handles(store), stable: handles(store, true) },
        default: 'short',
      },
    })
    const wfs = await shop.start('shop/order')
    for (const forged of [wfs.replace('short', 'long'), `${wfs.replace('short', 'stable')}~0`]) {
      expect((await shop.send({ wfs: forged, input: { name: 'Ada' } })).status).toBe(410)
    }
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it.each<[string, (state: WfState) => unknown, number]>([
    ['a state without a workflow', ({ schemaId: _id, ...rest }) => rest, 410],
    ['a position that is none', state => ({ ...state, indexes: ['0'] }), 410],
    ['a fresh start in disguise', state => ({ ...state, indexes: [] }), 410],
    ['a negative position', state => ({ ...state, indexes: [-1] }), 410],
    ['another step', state => ({ ...state, indexes: [1] }), 409],
    ['a position that does not exist', state => ({ ...state, indexes: [99] }), 409],
    ['a workflow that does not exist', state => ({ ...state, schemaId: 'shop/gone' }), 403],
  ])('is refused when its row holds %s', async (_title, change, status) => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    await tamper(shop, wfs, change)
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(status)
    expect(shop.ran).toEqual(['name'])
  })

  it('of a workflow that was removed from the build says so where all are allowed', async () => {
    const shop = await openShop({ allow: undefined })
    const wfs = await shop.start('shop/order')
    await tamper(shop, wfs, state => ({ ...state, schemaId: 'shop/gone' }))
    const answer = await shop.send({ wfs })
    expect(answer.body.error.code).toBe('WF_DEFINITION_CHANGED')
  })
})

describe('allow', () => {
  it('empty allows nothing, left out allows everything that is registered', async () => {
    const shop = await openShop({ allow: [] })
    expect((await shop.send({ wfid: 'shop/order' })).status).toBe(403)
    shop.config = { ...shop.config, allow: undefined }
    expect((await shop.send({ wfid: 'shop/hidden' })).status).toBe(200)
    expect((await shop.send({ wfid: 'shop/blocked' })).status).toBe(403)
    expect((await shop.send({ wfid: 'shop/nothing' })).status).toBe(404)
  })
})

describe('a cookie', () => {
  const setCookie = (answer: { headers: Headers }) => answer.headers.get('set-cookie') ?? ''

  it('that a newer one has replaced is not cleared: the browser gets the newer', async () => {
    const store = new WfStateStoreMemory()
    const shop = await openShop({ state: handles(store, true), token: { write: 'cookie' } })
    const start = await shop.send({ wfid: 'shop/order' })
    const cookie = start.headers.getSetCookie().map(line => line.split(';')[0])
    const body = { input: { name: 'Ada' } }
    const next = await shop.send(body, { cookie: cookie.join('; ') })
    const late = await shop.send(body, { cookie: cookie.join('; ') })
    expect(late.status).toBe(410)
    const tokenOf = (answer: { headers: Headers }) => setCookie(answer).split(';')[0]
    expect(tokenOf(late)).toMatch(/^wfs=default\..+/u)
    expect(tokenOf(late)).toBe(tokenOf(next))
    const stranger = await shop.send(body, { cookie: cookie[0] })
    expect([stranger.status, setCookie(stranger)]).toEqual([410, ''])
  })

  it('of a workflow that has changed does not keep anyone from starting it', async () => {
    const shop = await openShop({ token: { write: 'cookie' } })
    const cookie = setCookie(await shop.send({ wfid: 'shop/order' })).split(';')[0] ?? ''
    const token = cookie.slice('wfs='.length)
    await tamper(shop, token, state => {
      const position = { shape: 'old', stepId: 'shop/removed' }
      return withNotes(state, { ...notesOf(state)!, position })
    })
    expect((await shop.send({}, { cookie })).status).toBe(409)
    expect((await shop.send({ wfid: 'shop/order' }, { cookie })).status).toBe(200)
    expect(await storedOf(shop, token)).not.toBeNull()
  })
})

describe('a strategy with the public three methods', () => {
  class MapStrategy implements WfStateStrategy {
    readonly guarantees = { singleUse: true, revocable: true }
    readonly states = new Map<string, string>()
    failConsume = false
    count = 0

    async persist(state: WfState, _options = {}, hint: { handle?: string } = {}) {
      const token = hint.handle ?? `t${++this.count}`
      this.states.set(token, JSON.stringify(state))
      return token
    }

    async retrieve(token: string): Promise<WfState | null> {
      const json = this.states.get(token)
      return json === undefined ? null : (JSON.parse(json) as WfState)
    }

    async consume(token: string) {
      if (this.failConsume) throw new Error('down')
      const state = await this.retrieve(token)
      return this.states.delete(token) ? state : null
    }
  }

  it('is held to the end that a step has set, also after a refusal', async () => {
    const shop = await openShop({ state: new MapStrategy() })
    shop.onName = input => {
      if (input?.fail) throw new HttpError(422, 'No.')
      return { inputRequired: true, expires: shop.clock.now() + 1000 }
    }
    const wfs = await shop.start('shop/order')
    expect((await shop.send({ wfs, input: { fail: 'yes' } })).status).toBe(422)
    shop.clock.advance(999)
    expect((await shop.send({ wfs }, { method: 'GET', query: `?wfs=${wfs}` })).status).toBe(200)
    shop.clock.advance(1)
    expect((await shop.send({ wfs })).status).toBe(410)
  })

  it('is given a state back as it was, whatever the step has changed', async () => {
    const strategy = new MapStrategy()
    const shop = await openShop({ state: strategy })
    const wfs = await shop.start('shop/order')
    const next = (await shop.send({ wfs, input: { name: 'Ada' } })).body.wfs as string
    const before = [...strategy.states]
    expect((await shop.send({ wfs: next, input: { fail: 'http' } })).status).toBe(422)
    expect([...strategy.states]).toEqual(before)
  })

  it('never has two live tokens, even if it cannot kill the one that was not delivered', async () => {
    const strategy = new MapStrategy()
    const shop = await openShop({
      state: strategy,
      outlets: [
        {
          name: 'email',
          tokenDelivery: 'out-of-band',
          async deliver() {
            strategy.failConsume = true
            throw new Error('undeliverable')
          },
        },
      ],
    })
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(500)
    expect(strategy.states.size).toBe(1)
  })

  it('may have a claim of its own', async () => {
    const strategy = new MapStrategy()
    let claims = 0
    const claiming: WfStateStrategy = Object.assign(strategy, {
      claim: async () => {
        claims++
        return { refusal: 'busy' } as const
      },
    })
    const shop = await openShop({ state: claiming })
    const wfs = await shop.start('shop/order')
    expect((await shop.send({ wfs })).status).toBe(409)
    expect(claims).toBe(1)
  })

  it('sends nothing to others before it has promised that tokens work once', async () => {
    const silent = Object.assign(new MapStrategy(), { guarantees: undefined })
    const shop = await openShop({ state: silent as unknown as WfStateStrategy })
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(500)
    expect(shop.mails).toEqual([])
  })
})

describe('a swap', () => {
  it('cannot smuggle a token that lives on past a pause for someone else', async () => {
    const shop = await openShop({
      state: {
        strategies: {
          token: new EncapsulatedStateStrategy({ secret: randomBytes(32) }),
          row: handles(),
        },
        default: 'token',
      },
    })
    shop.onName = input => {
      if (input?.name) swapStrategy('row')
    }
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(500)
    expect(shop.mails).toEqual([])
  })
})

describe('a swap whose delivery fails', () => {
  class KillProofStore extends WfStateStoreMemory {
    isKillProof = false
    override async getAndDelete(handle: string) {
      if (this.isKillProof) throw new Error('down')
      return super.getAndDelete(handle)
    }
  }

  async function swapping(
    whileDelivering: (shop: Shop, token: string, store: KillProofStore) => Promise<unknown>,
  ) {
    const store = new KillProofStore()
    const shop = await openShop({
      state: { strategies: { a: handles(), b: handles(store) }, default: 'a' },
      outlets: [
        {
          name: 'email',
          tokenDelivery: 'out-of-band',
          async deliver(_request, token) {
            tokens.push(token)
            await whileDelivering(shop, token, store)
            throw new Error('timeout')
          },
        },
      ],
    })
    const tokens: string[] = []
    shop.onName = input => {
      if (input?.name) swapStrategy('b')
    }
    const wfs = await shop.start('shop/invite')
    const answer = await shop.send({ wfs, input: { name: 'ada' } })
    const live = async (token: string) =>
      (await shop.send(null, { method: 'GET', query: `?wfs=${token}` })).status === 200
    return { answer, shop, wfs, token: tokens[0] ?? '', live }
  }

  it('leaves the old token alive and the new one dead', async () => {
    const { answer, wfs, token, live } = await swapping(async () => undefined)
    expect(answer.status).toBe(502)
    expect([await live(wfs), await live(token)]).toEqual([true, false])
  })

  it('leaves the old one dead if the recipient has used the new one by then', async () => {
    const { shop, wfs, live } = await swapping((open, token) =>
      open.send({ wfs: token, input: { accept: 'yes' } }),
    )
    expect(shop.ran.filter(step => step === 'done')).toHaveLength(1)
    expect(await live(wfs)).toBe(false)
  })

  it('never leaves both alive, even if the new one cannot be killed', async () => {
    const { answer, wfs, token, live } = await swapping(async (_shop, _token, store) => {
      store.isKillProof = true
    })
    expect(answer.status).toBe(500)
    expect([await live(wfs), await live(token)]).toEqual([false, true])
  })
})

describe('a swap that cannot let go of the old token', () => {
  it('does not bring it back to life: the new one is out already', async () => {
    const inner = handles()
    const leaving: WfStateStrategy = {
      persist: inner.persist.bind(inner),
      retrieve: inner.retrieve.bind(inner),
      consume: inner.consume.bind(inner),
      guarantees: inner.guarantees,
      peek: inner.peek.bind(inner),
      begin: inner.begin.bind(inner),
      async claim(token, options) {
        const claim = await inner.claim(token, options)
        if (!isRefusal(claim)) claim.handOver = () => Promise.reject(new Error('down'))
        return claim
      },
    }
    const shop = await openShop({
      state: { strategies: { a: leaving, b: handles() }, default: 'a' },
    })
    shop.onName = input => {
      if (input?.name) swapStrategy('b')
    }
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(500)
    expect((await shop.send({ wfs }, { method: 'GET', query: `?wfs=${wfs}` })).status).not.toBe(200)
    const done = await shop.send({ wfs: shop.mails[0]?.token, input: { accept: 'yes' } })
    expect(done.body.finished).toBe(true)
  })
})

describe('a handle', () => {
  it('that cannot be made gives the state back', async () => {
    let broken = false
    const state = new HandleStateStrategy({
      store: new WfStateStoreMemory(),
      generateHandle: () => {
        if (broken) throw new Error('no entropy')
        return crypto.randomUUID()
      },
    })
    const shop = await openShop({ state })
    const wfs = await shop.start('shop/order')
    broken = true
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    broken = false
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it('that its recipient has used before the delivery failed is where the flow goes on', async () => {
    let accepted: Promise<{ body: unknown }> | undefined
    const shop = await openShop({
      outlets: [
        {
          name: 'email',
          tokenDelivery: 'out-of-band',
          async deliver(_request, token) {
            accepted = shop.send({ wfs: token, input: { accept: 'yes' } })
            await accepted
            throw new Error('timeout')
          },
        },
      ],
    })
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(502)
    expect((await accepted)?.body).toMatchObject({ finished: true })
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(410)
    expect(shop.ran.filter(step => step === 'done')).toHaveLength(1)
  })
})

describe('onReject', () => {
  it('is told who refused what', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = () => {
      throw new HttpError(403, 'No.')
    }
    await shop.send({ wfs, wfid: 'shop/order', input: { name: 'Ada' } })
    await expect
      .poll(() => shop.rejections)
      .toEqual([
        { code: 'WF_REJECTED', status: 403, method: 'POST', source: 'body', wfid: 'shop/order' },
      ])
  })

  it.each([
    ['a rejection', () => Promise.reject(new Error('a'))],
    ['a throw', () => JSON.parse('{') as unknown],
  ])('cannot change the answer by failing: %s', async (_title, onReject) => {
    const shop = await openShop({ onReject })
    expect((await shop.send({ wfs: 'x' })).status).toBe(410)
    await expect.poll(() => shop.log.some(({ text }) => /onReject failed/u.test(text))).toBe(true)
  })
})

describe('outlets', () => {
  it('of one’s own deliver what a step asks of them', async () => {
    const seen: unknown[] = []
    const shop = await openShop({
      outlets: [{ name: 'pager', deliver: async request => void seen.push(request) }],
    })
    shop.onName = () => outlet('pager', { target: '7', payload: { a: 1 } })
    const answer = await shop.send({ wfid: 'shop/order' })
    expect(seen).toEqual([{ outlet: 'pager', target: '7', payload: { a: 1 } }])
    expect(answer.body).toEqual({ wfs: expect.any(String) })
  })

  it('shape the answer', async () => {
    const http = createHttpOutlet({ transform: (payload, context) => ({ payload, context, v: 2 }) })
    const shop = await openShop({ outlets: [http] })
    const answer = await shop.send({ wfid: 'shop/order' })
    expect(answer.body).toMatchObject({ payload: { ask: 'name' }, v: 2 })
  })

  it('for someone else may not answer with bytes, which cannot be searched', async () => {
    const shop = await openShop({
      outlets: [
        {
          name: 'email',
          tokenDelivery: 'out-of-band',
          deliver: async (_request, token) => ({ response: Buffer.from(token) }),
        },
      ],
    })
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(500)
  })

  it('need a target for a mail', async () => {
    const shop = await openShop()
    shop.onName = () => ({ inputRequired: { outlet: 'email' } })
    expect((await shop.send({ wfid: 'shop/order' })).body.error.code).toBe('WF_OUTLET_FAILED')
  })

  it('are reached through the adapter too', async () => {
    const shop = await openShop()
    const answer = await shop.send({ wfid: 'shop/order' }, { path: '/outlet' })
    expect(answer.body).toEqual({ ask: 'name', wfs: expect.any(String) })
  })
})

describe('initialContext', () => {
  it('makes the context of a new flow from the body and the id', async () => {
    const shop = await openShop({
      initialContext: (body, wfid) => ({ name: `${String(body.extra)} ${wfid}` }),
    })
    const { wfs } = (await shop.send({ wfid: 'shop/order', extra: 'x' })).body
    expect((await storedOf(shop, wfs))?.state.context).toEqual({ name: 'x shop/order' })
  })
})

describe('a workflow app without describe', () => {
  async function stockApp() {
    const stock = createWfApp<{ ran?: boolean }>({}, new Wooks())
    stock.step('ask', {
      handler: (_ctx, input) => (input ? undefined : { inputRequired: 1 }) as void,
    })
    stock.flow('open', ['ask'])
    stock.flow('blocked', ['ask'])
    const state = handles()

    @Controller()
    class Endpoint {
      @All('wf')
      handle() {
        return handleAsOutletRequest({ state, block: ['blocked'] }, stock as never)
      }

      @All('none')
      none() {
        return handleAsOutletRequest({ state }, undefined as never)
      }
    }
    const { url, log } = await startApp([Endpoint])
    const post = async (body: unknown, path = '/wf') => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${url}${path}`, init)
      return { status: response.status, body: (await response.json()) as { wfs: string } }
    }
    return { post, log }
  }

  it('runs, pauses and resumes', async () => {
    const { post } = await stockApp()
    const { body } = await post({ wfid: 'open' })
    expect(await post({ wfs: body.wfs, input: 7 })).toEqual({
      status: 200,
      body: { finished: true },
    })
  })

  it.each(['blocked', '/blocked', 'blocke%64', 'blocked?x=1', 'blocked#', 'x/../blocked'])(
    'does not run a blocked workflow as %j',
    async wfid => {
      const { post } = await stockApp()
      expect([403, 404]).toContain((await post({ wfid })).status)
    },
  )

  it('does not know unknown ids', async () => {
    const { post } = await stockApp()
    expect((await post({ wfid: 'nothing' })).status).toBe(404)
  })

  it('that was not passed at all is a riddle no more', async () => {
    const { post, log } = await stockApp()
    expect((await post({ wfid: 'open' }, '/none')).status).toBe(500)
    expect(log.some(({ text }) => text.includes('emitDecoratorMetadata'))).toBe(true)
  })
})

describe('over HTTP/2', () => {
  it('a page of our own may post', async () => {
    const shop = await openShop()
    const server = createHttp2Server(shop.callback as never)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = connect(origin)
    for (const [from, status] of [
      [origin, 200],
      ['http://evil.example', 403],
    ] as const) {
      const stream = client.request({
        ':method': 'POST',
        ':path': '/wf',
        'content-type': 'application/json',
        origin: from,
      })
      stream.end('{"wfid":"shop/order"}')
      const [headers] = await once(stream, 'response')
      expect(headers[':status']).toBe(status)
      stream.resume()
    }
    client.close()
    server.close()
  })
})
