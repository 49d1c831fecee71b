import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletHttp,
  useWfFinished,
  WfLedgerMemory,
  type WfFinishedResponse,
  type WfOutlet,
  type WfState,
  type WfStateStore,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { HttpError, useResponse } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { scaled } from '../support/scale'

const peek = (shop: Shop, wfs: string) => shop.send(null, { method: 'GET', query: `?wfs=${wfs}` })

/** A real store that fails when it is told to. */
class StumblingStore implements WfStateStore {
  readonly inner = new WfStateStoreMemory()
  failures: Partial<Record<keyof WfStateStore, number>> = {}
  readonly live = new Set<string>()

  async set(handle: string, state: WfState, expiresAt?: number) {
    this.#stumble('set')
    await this.inner.set(handle, state, expiresAt)
    this.live.add(handle)
  }

  async get(handle: string) {
    this.#stumble('get')
    return this.inner.get(handle)
  }

  async delete(handle: string) {
    this.#stumble('delete')
    this.live.delete(handle)
    return this.inner.delete(handle)
  }

  async getAndDelete(handle: string) {
    this.#stumble('getAndDelete')
    this.live.delete(handle)
    return this.inner.getAndDelete(handle)
  }

  #stumble(method: keyof WfStateStore) {
    const left = this.failures[method] ?? 0
    if (left === 0) return
    this.failures[method] = left - 1
    throw new Error('the database at 10.0.0.1 is down')
  }
}

describe.each([false, true])('when the store fails half way (stable: %s)', stable => {
  it.each(['get', 'getAndDelete'] as const)('in %s, the token works again', async method => {
    const store = new StumblingStore()
    const shop = await openShop({ state: new HandleStateStrategy({ store, stable }) })
    const wfs = await shop.start('shop/order')
    store.failures = { [method]: 1 }
    const failed = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(failed.status).toBe(500)
    expect(failed.text).not.toContain('10.0.0.1')
    const again = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(again.body.inputRequired.payload).toEqual({ ask: 'address' })
    expect(store.live.size).toBe(1)
  })

  it('in the write of the next state, the old one is put back', async () => {
    const store = new StumblingStore()
    const shop = await openShop({ state: new HandleStateStrategy({ store, stable }) })
    const wfs = await shop.start('shop/order')
    store.failures = { set: 2 }
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    expect(store.live.size).toBe(1)
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it('while it takes an undelivered state back, there are never two', async () => {
    const store = new StumblingStore()
    const state = new HandleStateStrategy({ store, stable })
    const shop = await openShop({
      state,
      outlets: [
        {
          name: 'email',
          tokenDelivery: 'out-of-band',
          async deliver() {
            store.failures = { delete: 2, set: 1 }
            throw new Error('no route to the mail server')
          },
        },
      ],
    })
    const wfs = await shop.start('shop/invite')
    const failed = await shop.send({ wfs, input: { name: 'ada' } })
    expect(failed.body.error.code).toBe('WF_OUTLET_FAILED')
    expect(failed.text).not.toContain('route')
    expect(store.live.size).toBe(1)
    expect((await peek(shop, wfs)).status).toBe(200)
  })
})

describe('when the client goes away before its answer', () => {
  const strategies = {
    handle: () => new HandleStateStrategy({ store: new WfStateStoreMemory() }),
    'handle, stable': () =>
      new HandleStateStrategy({ store: new WfStateStoreMemory(), stable: true }),
    'encapsulated with a guard': () =>
      new EncapsulatedStateStrategy({ secret: randomBytes(32), replay: new WfLedgerMemory() }),
  }

  it.each(Object.entries(strategies))(
    'what the step has counted stays counted: %s',
    async (_name, strategy) => {
      const shop = await openShop({ state: strategy() })
      const wfs = await shop.start('shop/order')
      const aborter = new AbortController()
      const counted: number[] = []
      shop.onName = async (input, ctx) => {
        if (!input) return outletHttp({ ask: 'again' })
        ctx.tries = (ctx.tries ?? 0) + 1
        counted.push(ctx.tries)
        aborter.abort()
        await once(useResponse().getRawRes(true), 'close')
        return outletHttp({ ask: 'again' })
      }
      const guess = { wfs, input: { code: '1' } }
      await expect(shop.send(guess, { signal: aborter.signal })).rejects.toThrow()
      await expect.poll(async () => (await peek(shop, wfs)).status).toBe(410)
      expect((await shop.send(guess)).status).toBe(410)
      expect(counted).toEqual([1])
    },
  )

  it('the flow waits where it paused, once', async () => {
    const store = new StumblingStore()
    const shop = await openShop({ state: new HandleStateStrategy({ store }) })
    const wfs = await shop.start('shop/order')
    const aborter = new AbortController()
    shop.onName = async () => {
      aborter.abort()
      await once(useResponse().getRawRes(true), 'close')
    }
    const body = { wfs, input: { name: 'Ada' } }
    await expect(shop.send(body, { signal: aborter.signal })).rejects.toThrow()
    await expect.poll(() => store.live.size).toBe(1)
    const [handle = ''] = store.live
    expect((await store.get(handle))?.state).toMatchObject({
      indexes: [1],
      context: { name: 'Ada' },
    })
  })
})

describe('when a step fails', () => {
  it('with an HttpError, the state is as it was, whatever the step has changed', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    const next = (await shop.send({ wfs, input: { name: 'Ada' } })).body.wfs as string
    const handle = next.slice('default.'.length)
    const before = await shop.store.get(handle)
    const refused = await shop.send({ wfs: next, input: { fail: 'http' } })
    expect(refused.status).toBe(422)
    expect((await shop.store.get(handle))?.state).toEqual(before?.state)
  })

  it('with anything else, the caller learns nothing and the log everything', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    const next = (await shop.send({ wfs, input: { name: 'Ada' } })).body.wfs as string
    const failed = await shop.send({ wfs: next, input: { fail: 'crash' } })
    expect(failed.status).toBe(500)
    expect(failed.text).not.toContain('postgres')
    expect(shop.log.some(({ text }) => text.includes('postgres://secret'))).toBe(true)
  })

  it('at the start, nothing is stored', async () => {
    const store = new StumblingStore()
    const shop = await openShop({ state: new HandleStateStrategy({ store }) })
    shop.onName = () => {
      throw new Error('at once')
    }
    expect((await shop.send({ wfid: 'shop/order' })).status).toBe(500)
    expect(store.live.size).toBe(0)
  })

  it('in onFinished, the flow can be finished again', async () => {
    let failures = 1
    const shop = await openShop({
      onFinished: () => {
        if (failures-- > 0) throw new Error('the session store is down')
      },
    })
    const wfs = await shop.start('shop/gift')
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    const done = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(done.body).toEqual({ finished: true, data: { name: 'Ada' } })
  })

  it('by asking for an outlet that is not there, the log names it and those that are', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = () => ({ inputRequired: { outlet: 'pigeon' } })
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    expect(
      shop.log.some(({ text }) => text.includes('no outlet "pigeon"; there is: email, http')),
    ).toBe(true)
    shop.onName = () => undefined
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })
})

describe('an answer that cannot be sent', () => {
  it.each([
    ['a BigInt', () => outletHttp({ amount: 10n })],
    ['a cycle', () => outletHttp(cyclic())],
    ['a status that is none', () => ({ inputRequired: { outlet: 'odd' } })],
  ])('does not move the flow on: %s', async (_title, pause) => {
    const odd = { name: 'odd', deliver: async () => ({ response: {}, status: 1000 }) }
    const shop = await openShop({ outlets: [odd] })
    const wfs = await shop.start('shop/order')
    shop.onName = pause
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    shop.onName = () => undefined
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it.each<[string, Partial<WfFinishedResponse>, object]>([
    ['a BigInt', { type: 'data', value: 1n }, {}],
    ['a cookie without a name', { type: 'data', value: 1, cookies: { '': { value: '1' } } }, {}],
    ['a status that is none', { type: 'data', value: 1, status: 7 }, {}],
    [
      'a redirect with a cookie that is none',
      { type: 'redirect', value: '/', cookies: { 'a b;': { value: '' } } },
      {},
    ],
    [
      'half a character in a cookie',
      { type: 'data', value: 1, cookies: { a: { value: '\ud800' } } },
      {},
    ],
    [
      'a cookie that is undefined',
      { type: 'data', value: 1, cookies: { a: undefined as never } },
      {},
    ],
    ['a BigInt of onFinished', { type: 'data', value: 1 }, { onFinished: () => 1n }],
  ])('does not end the flow: %s', async (_title, finished, overrides) => {
    const shop = await openShop(overrides)
    const wfs = await shop.start('shop/gift')
    shop.onDone = () => useWfFinished().set(finished as WfFinishedResponse)
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    shop.onDone = () => undefined
    shop.config = { ...shop.config, onFinished: undefined }
    const done = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(done.body.finished).toBe(true)
  })

  it.each([
    ['a header', () => useResponse().setHeader('x', '→')],
    ['a status', () => useResponse().setStatus(99 as never)],
  ])('because of %s that a step has set does not move the flow on', async (_title, set) => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = () => void set()
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    shop.onName = () => undefined
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it('sets no cookies of a step that then refuses', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    shop.onName = () => {
      useResponse().setCookie('session', 'too early')
      throw new HttpError(403, 'No.')
    }
    const refused = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('set-cookie')).toBeNull()
  })
})

describe('the log', () => {
  it('has both errors when a state cannot be given back', async () => {
    const store = new StumblingStore()
    const shop = await openShop({ state: new HandleStateStrategy({ store }) })
    const wfs = await shop.start('shop/order')
    shop.onName = () => {
      store.failures = { set: 9 }
      throw new Error('the first trouble')
    }
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    const texts = shop.log.map(({ text }) => text).join('\n')
    expect(texts).toContain('the first trouble')
    expect(texts).toContain('10.0.0.1 is down')
  })

  it('never has a token, not even when an outlet quotes it', async () => {
    let token = ''
    const email: WfOutlet = {
      name: 'email',
      tokenDelivery: 'out-of-band',
      async deliver(_request, secret) {
        token = secret
        throw new Error(`550 rejected: https://example.com/?wfs=${secret}`)
      },
    }
    const shop = await openShop({ outlets: [email] })
    const wfs = await shop.start('shop/invite')
    await shop.send({ wfs, input: { name: 'ada' } })
    const texts = shop.log.map(({ text }) => text).join('\n')
    expect(texts).toContain('550 rejected')
    expect(texts).not.toContain(token)
  })

  it('has no handle that a store quotes, nor a token deep in an error', async () => {
    const store = new StumblingStore()
    const shop = await openShop({ state: new HandleStateStrategy({ store }) })
    const wfs = await shop.start('shop/order')
    const handle = wfs.slice('default.'.length)
    store.get = () => Promise.reject(new AggregateError([new Error(`GETDEL wf:${handle}`)], 'down'))
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(500)
    const texts = shop.log.map(({ text }) => text).join('\n')
    expect(texts).toContain('GETDEL wf:<token>')
    expect(texts).not.toContain(handle)
  })

  it('has no query of a request that crashes', async () => {
    const shop = await openShop()
    shop.config = { state: () => undefined } as never
    const answer = await shop.send(null, { method: 'GET', query: '?wfs=default.secret-token' })
    expect(answer.status).toBe(500)
    const texts = shop.log.map(({ text }) => text).join('\n')
    expect(texts).toContain('was removed')
    expect(texts).not.toContain('secret-token')
  })
})

describe('two submits of one token at once', () => {
  it.each([false, true])('run the step once (stable: %s)', async stable => {
    const shop = await openShop({
      state: new HandleStateStrategy({ store: new WfStateStoreMemory(), stable }),
    })
    for (let round = 0; round < scaled(50, 1000); round++) {
      const wfs = await shop.start('shop/order')
      shop.ran.length = 0
      const body = { wfs, input: { name: 'Ada' } }
      const answers = await Promise.all([shop.send(body), shop.send(body), shop.send(body)])
      expect(shop.ran.filter(step => step === 'name')).toHaveLength(1)
      const [ok, ...others] = answers.map(answer => answer.status).toSorted()
      expect(ok).toBe(200)
      for (const status of others) expect([409, 410]).toContain(status)
    }
  })
})

function cyclic() {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}
