import { randomBytes } from 'node:crypto'
import {
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletHttp,
  StepRetriableError,
  swapStrategy,
  useWfAction,
  useWfFinished,
  useWfOutlet,
  useWfStrategy,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { useBody } from '@atscript/moost-wf/http'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { openShop } from '../support/shop'
import { notesOf } from '../../src/state'

const handles = () => new HandleStateStrategy({ store: new WfStateStoreMemory() })

describe('the wire protocol', () => {
  it('asks in the envelope that form clients speak, byte for byte', async () => {
    const state = new HandleStateStrategy({
      store: new WfStateStoreMemory(),
      generateHandle: () => 'h1',
    })
    const shop = await openShop({ state })
    const answer = await shop.send({ wfid: 'shop/order' })
    expect(answer.text).toBe(
      '{"inputRequired":{"payload":{"ask":"name"},"transport":"http","context":{}},"wfs":"default.h1"}',
    )
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('tells what waits to be sent and what is tried again later, byte for byte', async () => {
    const shop = await openShop()
    const runs = new WfRunStoreMemory({ clock: shop.clock, outbox: true })
    const retry = { attempts: 5, baseMs: 1000, jitter: 0 }
    const state = new DurableStateStrategy({ runs, secret: randomBytes(32), retry })
    shop.config = { ...shop.config, state, ledger: new WfLedgerMemory({ clock: shop.clock }) }
    const wfs = await shop.start('shop/order')
    shop.onName = () => {
      throw new Error('Not today.')
    }
    const later = await shop.send({ wfs, input: { name: 'Ada' } })
    const retryAt = shop.clock.now() + 1000
    expect(later.text).toBe(
      `{"retrying":true,"retryAt":${retryAt},"watch":"${String(later.body.watch)}"}`,
    )
    shop.onName = () => undefined
    const invited = await shop.start('shop/invite')
    const sent = await shop.send({ wfs: invited, input: { name: 'Ada' } })
    expect(sent.text).toBe(
      `{"sent":true,"outlet":"email","queued":true,"watch":"${String(sent.body.watch)}"}`,
    )
  })

  it('passes the context of a pause and ends with the data', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    const second = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(second.body.inputRequired).toEqual({
      payload: { ask: 'address' },
      transport: 'http',
      context: { for: 'Ada' },
    })
    const done = await shop.send({ wfs: second.body.wfs, input: { address: 'Here' } })
    expect(done.text).toBe('{"finished":true,"data":{"name":"Ada","address":"Here"}}')
  })

  it('has no envelope in handleWfOutletRequest', async () => {
    const shop = await openShop()
    const bare = { path: '/bare' }
    const first = await shop.send({ wfid: 'shop/order' }, bare)
    expect(first.body).toEqual({ ask: 'name', wfs: expect.any(String) })
    const second = await shop.send({ wfs: first.body.wfs, input: { name: 'Ada' } }, bare)
    expect(second.body).toEqual({ ask: 'address', for: 'Ada', wfs: expect.any(String) })
    const done = await shop.send({ wfs: second.body.wfs, input: { address: 'Here' } }, bare)
    expect(done.body).toEqual({ name: 'Ada', address: 'Here' })
  })

  it('takes form-encoded bodies: the fields are the input', async () => {
    const shop = await openShop()
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const first = await shop.send(null, { headers, rawBody: 'wfid=shop%2Forder' })
    const rawBody = new URLSearchParams({ wfs: first.body.wfs, name: 'Ada & Co' }).toString()
    const second = await shop.send(null, { headers, rawBody })
    expect(second.body.inputRequired.context).toEqual({ for: 'Ada & Co' })
  })

  it('takes the input of a start', async () => {
    const shop = await openShop()
    const answer = await shop.send({ wfid: 'shop/order', input: { name: 'Ada' } })
    expect(answer.body.inputRequired.payload).toEqual({ ask: 'address' })
  })

  it('names its fields as configured', async () => {
    const shop = await openShop({ token: { name: 'state' }, wfidName: 'flow' })
    const first = await shop.send({ flow: 'shop/order' })
    const second = await shop.send({ state: first.body.state, input: { name: 'Ada' } })
    expect(second.status).toBe(200)
  })

  it('reads tokens only where it is told to', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.config = { ...shop.config, token: { read: ['cookie'] } }
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(400)
    const answer = await shop.send({ input: { name: 'Ada' } }, { cookie: `wfs=${wfs}` })
    expect(answer.status).toBe(200)
  })

  it('passes the errors of a step that asks again, and keeps what it has counted', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = (_input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      throw new StepRetriableError(new Error('secret'), { name: 'too short' }, { ask: 'name' })
    }
    const answer = await shop.send({ wfs, input: { name: 'A' } })
    const stored = await shop.store.get(answer.body.wfs.slice('default.'.length))
    expect(stored?.state.context).toEqual({ tries: 1 })
    expect(answer.status).toBe(200)
    expect(answer.body.inputRequired).toEqual({
      payload: { ask: 'name' },
      transport: 'http',
      context: { errors: { name: 'too short' } },
    })
  })

  it('answers a step that asks without an outlet through http', async () => {
    const shop = await openShop()
    shop.onName = () => ({ inputRequired: 'a number' })
    const as = await shop.send({ wfid: 'shop/order' })
    expect(as.body.inputRequired.payload).toBe('a number')
    const bare = await shop.send({ wfid: 'shop/order' }, { path: '/bare' })
    expect(bare.body).toEqual({ payload: 'a number', wfs: expect.any(String) })
  })
})

describe('the end of a workflow', () => {
  it.each([
    ['a browser that navigates', 'text/html,*/*', 303, undefined],
    ['a script', '*/*', 200, { finished: true, next: '/home' }],
  ])('redirects %s, and leaves the address as it is', async (_who, accept, status, body) => {
    const shop = await openShop()
    const wfs = await shop.start('shop/gift')
    shop.onDone = () => useWfFinished().set({ type: 'redirect', value: '/home' })
    const done = await shop.send({ wfs, input: { name: 'Ada' } }, { headers: { accept } })
    expect(done.status).toBe(status)
    expect(done.headers.get('location')).toBe(status === 303 ? '/home' : null)
    expect(done.body).toEqual(body)
  })

  it.each([
    ['/a?next=%2Fhome&x=%20', '/a?next=%2Fhome&x=%20'],
    ['/home/Łukasz x', '/home/%C5%81ukasz%20x'],
  ])('redirects to %s', async (value, location) => {
    const shop = await openShop()
    const wfs = await shop.start('shop/gift')
    shop.onDone = () => useWfFinished().set({ type: 'redirect', value })
    const done = await shop.send({ wfs, input: { name: 'Ada' } }, { path: '/bare' })
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe(location)
  })

  it('is told to onFinished, whose answer is sent', async () => {
    const shop = await openShop({ onFinished: finish => ({ seen: finish }) })
    const wfs = await shop.start('shop/gift')
    const done = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(done.body.data.seen).toMatchObject({ schemaId: 'shop/gift', context: { name: 'Ada' } })
  })

  it('does not send the context when nobody says what to send', async () => {
    const shop = await openShop({ initialContext: () => ({ secret: 1 }) })
    shop.onDone = () => useWfFinished().set({ type: 'data', value: undefined })
    const done = await shop.send({ wfid: 'shop/gift', input: { name: 'Ada' } })
    expect(done.text).toBe('{"finished":true}')
  })
})

describe('in a step', () => {
  it('the body can be read again', async () => {
    const shop = await openShop()
    const bodies: unknown[] = []
    shop.onName = async () => void bodies.push(await useBody().parseBody())
    await shop.send({ wfid: 'shop/order', extra: 1 })
    expect(bodies).toEqual([{ wfid: 'shop/order', extra: 1 }])
  })

  it('the action is known', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = () => outletHttp({ action: useWfAction().getAction() })
    const answer = await shop.send({ wfs, action: 'resend' })
    expect(answer.body.inputRequired.payload).toEqual({ action: 'resend' })
  })

  it('the outlets and the strategy are known', async () => {
    const shop = await openShop()
    let names: string[] = []
    shop.onName = () => {
      const { getOutlet, getOutlets, getStateStrategy } = useWfOutlet()
      expect(getOutlet('email')).toBe(getOutlets().get('email'))
      expect(getStateStrategy()).toBe(shop.config.state)
      names = [...getOutlets().keys()]
    }
    await shop.send({ wfid: 'shop/order' })
    expect(names).toEqual(['email', 'http'])
  })

  it('the strategy of the next pause can be changed', async () => {
    const shop = await openShop({
      state: { strategies: { a: handles(), b: handles() }, default: 'a' },
    })
    const wfs = await shop.start('shop/order')
    expect(wfs).toMatch(/^a\./u)
    shop.onName = () => {
      expect(useWfStrategy().current()).toBe('a')
      swapStrategy('b')
      expect(useWfStrategy().current()).toBe('b')
    }
    const second = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(second.body.wfs).toMatch(/^b\./u)
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(410)
    const done = await shop.send({ wfs: second.body.wfs, input: { address: 'Here' } })
    expect(done.body.finished).toBe(true)
  })

  it('a strategy that is not there is refused, and the token works again', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = () => swapStrategy('nowhere')
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    shop.onName = () => undefined
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it('a swap that cannot be stored leaves the old token alive', async () => {
    const broken = handles()
    const shop = await openShop({
      state: {
        strategies: {
          a: handles(),
          b: {
            persist: () => Promise.reject(new Error('down')),
            retrieve: broken.retrieve.bind(broken),
            consume: broken.consume.bind(broken),
          },
        },
        default: 'a',
      },
    })
    const wfs = await shop.start('shop/order')
    shop.onName = () => swapStrategy('b')
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    shop.onName = () => undefined
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it('what cannot be had without a trigger says so when there is none', () => {
    expect(useWfOutlet).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })

  it('what a step can do without is nothing when there is no trigger', () => {
    expect(useWfAction().getAction()).toBeUndefined()
    useWfFinished().set({ type: 'data', value: 1 })
    expect(useWfFinished().get()).toBeUndefined()
    useWfStrategy().swap('handle')
    expect(useWfStrategy().current()).toBeUndefined()
  })
})

describe('the lifetime of a flow', () => {
  it('ends after maxLifetime, however often it pauses', async () => {
    const shop = await openShop({ maxLifetime: 1000 })
    let wfs = await shop.start('shop/order')
    shop.onName = () => outletHttp({ ask: 'again' })
    shop.clock.advance(600)
    wfs = (await shop.send({ wfs })).body.wfs as string
    shop.clock.advance(399)
    const stored = await shop.store.get(wfs.slice('default.'.length))
    expect(stored?.expiresAt).toBe(shop.clock.now() + 1)
    wfs = (await shop.send({ wfs })).body.wfs as string
    shop.clock.advance(1)
    expect((await shop.send({ wfs })).status).toBe(410)
  })

  it('is not made longer by maxLifetime', async () => {
    const secret = randomBytes(32)
    const shop = await openShop({ maxLifetime: 60 * 24 * 3600_000 })
    const state = new EncapsulatedStateStrategy({ secret, clock: shop.clock })
    shop.config = { ...shop.config, state }
    const wfs = await shop.start('shop/order')
    shop.clock.advance(30 * 60_000)
    expect((await shop.send({ wfs })).status).toBe(410)
  })

  it('is refused past maxLifetime even where the strategy has set no end', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.clock.advance(1000)
    shop.config = { ...shop.config, maxLifetime: 1000 }
    expect((await shop.send({ wfs })).status).toBe(410)
    await expect.poll(() => shop.rejections.at(-1)?.reason).toBe('expired')
  })

  it('keeps its id, its start and its count while the token changes', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    const metaOf = async (token: string) =>
      notesOf((await shop.store.get(token.slice('default.'.length)))!.state)!
    const first = await metaOf(wfs)
    const flow = {
      flowId: expect.stringMatching(/^[\w-]{36}$/u),
      seq: 1,
      startedAt: shop.clock.now(),
    }
    expect(first).toEqual({
      flow,
      pause: { outlet: 'http', strategy: 'default' },
      position: { stepId: 'shop/name', shape: expect.any(String) },
    })
    shop.clock.advance(5)
    const second = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(await metaOf(second.body.wfs)).toEqual({
      flow: { ...first.flow, seq: 2 },
      pause: first.pause,
      position: { ...first.position, stepId: 'shop/address' },
    })
  })
})
