import { WfLedgerMemory } from '@atscript/moost-wf'
import { createWfClient, type WfFetch } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { openShop } from '../support/shop'
import { answering, deferred, openTab, TabStorage, watchedFetch } from './browser'
import { orderAt } from './orders'

const clientOf = (fetch: WfFetch) => createWfClient({ path: '/wf', name: 'shop/order', fetch })

const NETWORK = {
  code: 'WF_NETWORK',
  message: 'The server could not be reached. Please try again.',
  status: 0,
}

describe('a request that fails on the way', () => {
  it('is an error in the state, never an exception', async () => {
    const down: WfFetch = async () => {
      throw new TypeError('fetch failed')
    }
    const client = clientOf(down)
    expect((await client.start()).error).toEqual(NETWORK)
    expect(client.state.loading).toBe(false)
  })

  it('is one too when it throws at once, and when the answer is cut off', async () => {
    const throwing: WfFetch = () => {
      throw new Error('no fetch for you')
    }
    const cut: WfFetch = async () => ({ status: 200, text: () => Promise.reject(new Error('cut')) })
    expect((await clientOf(throwing).start()).error).toEqual(NETWORK)
    expect((await clientOf(cut).start()).error).toEqual(NETWORK)
  })

  it('is sent again to the byte, and the workflow goes on', async () => {
    const shop = await openShop()
    const { fetch, sent } = watchedFetch()
    let isUp = true
    const client = orderAt(shop, {
      fetch: async (url, init) => {
        if (isUp) return fetch(url, init)
        sent.push({ method: init.method, url, body: init.body })
        throw new TypeError('fetch failed')
      },
    })
    await client.start()
    isUp = false
    const failed = await client.submit({ name: 'Ada' })
    expect(failed).toMatchObject({ form: { ask: 'name' }, data: { name: 'Ada' }, error: NETWORK })
    expect((await client.retry()).error).toEqual(NETWORK)
    isUp = true
    const state = await client.retry()
    expect(state.error).toBeUndefined()
    expect(state.form).toEqual({ ask: 'address' })
    expect(sent).toHaveLength(4)
    expect(sent[2]).toEqual(sent[1])
    expect(sent[3]).toEqual(sent[1])
  })

  it('is answered as before when only the answer was lost, and the server keeps a ledger', async () => {
    const shop = await openShop({ ledger: new WfLedgerMemory() })
    const { fetch, sent } = watchedFetch()
    let isLost = false
    const client = orderAt(shop, {
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (isLost) throw new TypeError('network error')
        return response
      },
    })
    await client.start()
    isLost = true
    expect((await client.submit({ name: 'Ada' })).error).toEqual(NETWORK)
    isLost = false
    expect((await client.retry()).form).toEqual({ ask: 'address' })
    expect(sent[2]).toEqual(sent[1])
    expect(shop.ran).toEqual(['name', 'name', 'address'])
    expect((await client.submit({ address: 'Here' })).finished).toBe(true)
  })

  it('is all there is to retry', async () => {
    const shop = await openShop()
    const { fetch, sent } = watchedFetch()
    const client = orderAt(shop, { fetch })
    expect(await client.retry()).toBe(client.state)
    await client.start()
    expect(await client.retry()).toBe(client.state)
    expect(sent).toHaveLength(1)
    await client.submit({ name: 'Ada' })
    await client.submit({ address: 'Here' })
    expect((await client.retry()).finished).toBe(true)
    expect(sent).toHaveLength(3)
  })
})

describe('a request that is made twice', () => {
  it('is sent once', async () => {
    const shop = await openShop()
    const { fetch, sent } = watchedFetch()
    const client = orderAt(shop, { fetch })
    const starts = [client.start(), client.start()]
    expect(starts[0]).toBe(starts[1])
    await starts[0]
    const clicks = [
      client.submit({ name: 'Ada' }),
      client.submit({ name: 'Ada' }),
      client.submit({ name: 'Ada' }),
    ]
    expect(clicks[0]).toBe(clicks[1])
    expect(clicks[0]).toBe(clicks[2])
    expect((await Promise.all(clicks)).map(({ form }) => form?.ask)).toEqual(
      Array.from({ length: 3 }, () => 'address'),
    )
    expect(sent).toHaveLength(2)
    expect(shop.ran).toEqual(['name', 'name', 'address'])
  })

  it('is sent twice when the first was answered', async () => {
    const shop = await openShop()
    const { fetch, sent } = watchedFetch()
    const client = orderAt(shop, { fetch })
    await client.start()
    await client.submit({})
    await client.submit({})
    expect(sent).toHaveLength(3)
  })

  it('is sent once by a retry too', async () => {
    const gate = deferred()
    let calls = 0
    const client = clientOf(async () => {
      if (++calls > 1) await gate.promise
      throw new TypeError('fetch failed')
    })
    await client.start()
    const retries = [client.retry(), client.retry()]
    gate.resolve()
    await Promise.all(retries)
    expect(calls).toBe(2)
  })
})

describe('a newer request', () => {
  it('aborts the one before, whose late answer changes nothing', async () => {
    const shop = await openShop()
    const gate = deferred()
    const signals: AbortSignal[] = []
    const client = orderAt(shop, {
      // An answer that comes although nobody waits for it any more.
      fetch: async (url, { signal, ...init }) => {
        signals.push(signal)
        const isSlow = signals.length === 2
        if (!isSlow) return fetch(url, init)
        await gate.promise
        const form = { ask: 'late' }
        return Response.json({ inputRequired: { payload: form, context: {} }, wfs: 'late.token' })
      },
    })
    await client.start()
    const slow = client.submit({ name: 'A' })
    const quick = client.submit({ name: 'Ada' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false])
    const answered = await quick
    expect(answered.form).toEqual({ ask: 'address' })
    gate.resolve()
    expect(await slow).toBe(answered)
    expect(client.state).toBe(answered)
    expect((await client.submit({ address: 'Here' })).finished).toBe(true)
  })

  it('leaves the promise of an aborted one kept', async () => {
    const shop = await openShop()
    const gate = deferred()
    shop.onName = async input => {
      if (input?.name === 'slow') await gate.promise
    }
    const client = orderAt(shop)
    await client.start()
    const aborted = client.submit({ name: 'slow' })
    const restarted = client.restart()
    expect(await aborted).toMatchObject({ loading: true })
    gate.resolve()
    expect((await restarted).form).toEqual({ ask: 'name' })
  })
})

describe('an answer that is none of ours', () => {
  it.each([
    ['a page', '<!doctype html><p>Sign in to the Wi-Fi', 200],
    ['nothing', '', 204 as const],
    ['half of an answer', '{"inputRequired":{"pay', 200],
    ['a list', '[{"finished":true}]', 200],
    ['null', 'null', 200],
    ['a number', '42', 200],
    ['a text', '"finished"', 200],
    ['no known shape', '{"ask":"name","wfs":"a.b"}', 200],
    ['a form without a token', '{"inputRequired":{"payload":{}}}', 200],
    ['a form that is a flag', '{"inputRequired":true}', 200],
    ['an error of a gateway', '<h1>502 Bad Gateway</h1>', 502],
    [
      'an error of a framework',
      '{"statusCode":500,"error":"Internal","message":"at db:5432"}',
      500,
    ],
    ['an error without words', '{"error":{"code":7,"message":null}}', 500],
    ['a page that is gone', '<h1>Gone</h1>', 410],
  ])('is an error that says so: %s', async (_what, text, status) => {
    const fetch: WfFetch = async () => new Response(status === 204 ? null : text, { status })
    const { error, form, loading } = await clientOf(fetch).start()
    expect(error).toEqual({
      code: 'WF_BAD_ANSWER',
      message: 'The server could not be understood. Please try again.',
      status,
    })
    expect(form).toBeUndefined()
    expect(loading).toBe(false)
  })

  it('takes nothing away', async () => {
    const shop = await openShop()
    const tab = openTab()
    let isBroken = false
    const client = orderAt(shop, {
      fetch: (url, init) => (isBroken ? answering('<html>', 410)(url, init) : fetch(url, init)),
    })
    await client.start()
    const { tokens } = tab
    isBroken = true
    const broken = await client.submit({ name: 'Ada' })
    expect(broken).toMatchObject({ form: { ask: 'name' }, data: { name: 'Ada' } })
    expect(tab.tokens).toEqual(expect.arrayContaining(tokens))
    isBroken = false
    expect((await client.retry()).form).toEqual({ ask: 'address' })
  })

  it('does no harm with names of prototypes', async () => {
    const polluted = JSON.stringify({
      wfs: 'a.b',
      inputRequired: {
        payload: {
          type: {
            kind: 'object',
            props: {
              ['__proto__x']: { type: { kind: '', designType: 'string' }, metadata: {} },
              toString: { type: { kind: '', designType: 'string' }, metadata: {} },
              constructor: { type: { kind: '', designType: 'string' }, metadata: {} },
            },
          },
          metadata: {},
        },
        context: { ['__proto__x']: { isAdmin: true }, errors: { ['__proto__x']: 'No.' } },
      },
      ['__proto__x']: { isAdmin: true },
    }).replaceAll('__proto__x', '__proto__')
    const state = await clientOf(answering(polluted)).start()
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    for (const value of [state, state.data, state.context, state.errors]) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    }
    // Fields that are named like what every object has start empty.
    expect(Object.keys(state.data)).not.toContain('toString')
    expect(Object.keys(state.data)).not.toContain('constructor')
  })
})

describe('an answer', () => {
  it('is known by its shape, whatever its status', async () => {
    const asking = answering('{"inputRequired":{"payload":{"ask":"again"}},"wfs":"a.b"}', 422)
    expect((await clientOf(asking).start()).form).toEqual({ ask: 'again' })
    const ending = answering('{"finished":true,"data":1}', 201)
    expect((await clientOf(ending).start()).response).toEqual({ finished: true, data: 1 })
  })

  it('of an aborted workflow says why', async () => {
    const end = { finished: true, aborted: true, reason: 'too-many', message: 'No.', next: '/' }
    const { response, finished } = await clientOf(answering(JSON.stringify(end))).start()
    expect(finished).toBe(true)
    expect(response).toEqual(end)
  })

  it('of an end keeps a token to itself', async () => {
    const { response } = await clientOf(answering('{"sent":true,"wfs":"a.b"}')).start()
    expect(response).toEqual({ sent: true })
  })

  it('that brings a token where tokens are cookies is not listened to', async () => {
    const bodies: unknown[] = []
    const client = createWfClient({
      path: '/wf',
      name: 'x',
      tokenTransport: 'cookie',
      fetch: async (_url, { body }) => {
        bodies.push(JSON.parse(body ?? ''))
        return Response.json({ inputRequired: { payload: {} }, wfs: 'a.b' })
      },
    })
    await client.start()
    await client.submit({})
    const requestId = expect.any(String)
    expect(bodies).toEqual([
      { wfid: 'x', requestId },
      { input: {}, requestId },
    ])
  })

  it('that asks without a form is answered all the same', async () => {
    const storage = new TabStorage()
    const fetch = answering('{"inputRequired":{"payload":null},"wfs":"a.b"}')
    const client = createWfClient({ path: '/wf', name: 'x', fetch, storage })
    expect((await client.start()).form).toEqual({})
    await expect(client.submit()).resolves.toMatchObject({ loading: false })
  })
})

describe('fetch', () => {
  it('is called as a function, not as a method', async () => {
    const receivers: unknown[] = []
    const client = clientOf(function fetch(this: unknown) {
      receivers.push(this)
      return Promise.resolve(Response.json({ finished: true }))
    })
    await client.start()
    expect(receivers).toEqual([undefined])
  })

  it('sends JSON', async () => {
    const inits: Parameters<WfFetch>[1][] = []
    const client = clientOf(async (_url, init) => {
      inits.push(init)
      return Response.json({ finished: true })
    })
    await client.start({ name: 'Ada' })
    expect(inits[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: expect.stringMatching(
        /^\{"wfid":"shop\/order","input":\{"name":"Ada"\},"requestId":"\w+"\}$/u,
      ),
    })
  })
})
