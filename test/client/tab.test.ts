import { createWfClient, type WfClientState } from '@atscript/moost-wf/client'
import { describe, expect, it, vi } from 'vitest'
import { openShop } from '../support/shop'
import { openTab, TabStorage, watchedFetch } from './browser'
import { orderAt } from './orders'

describe('a reload', () => {
  it('goes on where the tab was', async () => {
    const shop = await openShop()
    openTab()
    const before = orderAt(shop)
    await before.start()
    await before.submit({ name: 'Ada' })
    const { fetch, bodies } = watchedFetch()
    const after = orderAt(shop, { fetch })
    const state = await after.start()
    expect(state).toMatchObject({ form: { ask: 'address' }, context: { for: 'Ada' } })
    expect(bodies()).toEqual([{ wfs: expect.any(String), requestId: expect.any(String) }])
    expect((await after.submit({ address: 'Here' })).finished).toBe(true)
  })

  it('starts anew when the token is gone, and nobody sees an error', async () => {
    const shop = await openShop()
    const tab = openTab()
    await orderAt(shop).start()
    await shop.send({ wfs: tab.tokens[0], input: { name: 'Eve' } })
    const after = orderAt(shop)
    const seen: WfClientState<{ form: { ask: string } }>[] = []
    after.subscribe(state => void seen.push(state))
    expect((await after.start()).form).toEqual({ ask: 'name' })
    expect(seen.filter(({ error }) => error)).toEqual([])
    expect(seen.map(({ loading }) => loading)).toEqual([false, true, true, false])
  })

  it('starts anew once, not for ever', async () => {
    const storage = new TabStorage()
    storage.setItem('moost-wf:/wf:x', 'dead')
    const bodies: unknown[] = []
    const client = createWfClient({
      path: '/wf',
      name: 'x',
      storage,
      fetch: async (_url, { body }) => {
        bodies.push(JSON.parse(body ?? ''))
        const error = { code: 'WF_STATE_GONE', message: 'Gone.', status: 410 }
        return Response.json({ message: 'Gone.', error }, { status: 410 })
      },
    })
    expect((await client.start()).error?.code).toBe('WF_STATE_GONE')
    const requestId = expect.any(String)
    expect(bodies).toEqual([
      { wfs: 'dead', requestId },
      { wfid: 'x', requestId },
    ])
    expect(storage.items.size).toBe(0)
  })

  it('starts anew with an input, whatever is stored', async () => {
    const shop = await openShop()
    openTab()
    await orderAt(shop).start()
    const { fetch, bodies } = watchedFetch()
    await orderAt(shop, { fetch }).start({ name: 'Ada' })
    const requestId = expect.any(String)
    expect(bodies()).toEqual([{ wfid: 'shop/order', input: { name: 'Ada' }, requestId }])
  })

  it('has nothing left of a workflow that is over', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start({ name: 'Ada' })
    expect(tab.tokens).toHaveLength(1)
    await client.submit({ address: 'Here' })
    expect(tab.tokens).toEqual([])
  })

  it('keeps workflows and endpoints apart', async () => {
    const shop = await openShop()
    const tab = openTab()
    await orderAt(shop).start()
    await orderAt(shop, { name: 'shop/gift' }).start()
    await orderAt(shop, { path: `${shop.url}/wf?tenant=acme` }).start()
    expect([...tab.sessionStorage.items.keys()]).toEqual([
      `moost-wf:${shop.url}/wf:shop/order`,
      `moost-wf:${shop.url}/wf:shop/gift`,
      `moost-wf:${shop.url}/wf?tenant=acme:shop/order`,
    ])
  })
})

describe('an initial token', () => {
  it('comes before the stored one', async () => {
    const shop = await openShop()
    openTab()
    await orderAt(shop).start()
    const other = await shop.send({ wfid: 'shop/order', input: { name: 'Ada' } })
    const client = orderAt(shop, { initialToken: other.body.wfs })
    expect((await client.start()).form).toEqual({ ask: 'address' })
  })

  it('needs no start() if the page shows its form already', async () => {
    const shop = await openShop()
    const client = orderAt(shop, { initialToken: await shop.start('shop/order') })
    expect((await client.submit({ name: 'Ada' })).form).toEqual({ ask: 'address' })
  })

  it('that is gone is an error, and nothing is started in its place', async () => {
    const shop = await openShop()
    openTab()
    const { fetch, bodies } = watchedFetch()
    const client = orderAt(shop, { initialToken: 'default.gone', fetch })
    const { error, form } = await client.start()
    expect(error).toMatchObject({ code: 'WF_STATE_GONE', status: 410 })
    expect(form).toBeUndefined()
    expect(bodies()).toHaveLength(1)
    expect(shop.ran).toEqual([])
    // Once the page knows, it can start.
    expect((await client.start()).form).toEqual({ ask: 'name' })
  })

  it('that is gone is an error after a reload too', async () => {
    const shop = await openShop()
    openTab()
    for (let visit = 0; visit < 2; visit++) {
      const { error } = await orderAt(shop, { initialToken: 'default.gone' }).start()
      expect(error?.code).toBe('WF_STATE_GONE')
    }
  })

  it('that comes with a reload again does not take the tab back', async () => {
    const shop = await openShop()
    const tab = openTab()
    const initialToken = await shop.start('shop/order')
    const before = orderAt(shop, { initialToken })
    await before.start()
    await before.submit({ name: 'Ada' })
    const after = orderAt(shop, { initialToken })
    expect(await after.start()).toMatchObject({ form: { ask: 'address' }, context: { for: 'Ada' } })
    await after.submit({ address: 'Here' })
    expect(tab.tokens).toEqual([])
    // It is over: the token that the page still has is one that is gone.
    expect((await orderAt(shop, { initialToken }).start()).error?.code).toBe('WF_STATE_GONE')
  })

  it('that was gone does not take the tab back either from what was started since', async () => {
    const shop = await openShop()
    openTab()
    const before = orderAt(shop, { initialToken: 'default.gone' })
    await before.start()
    await before.restart({ name: 'Ada' })
    const after = await orderAt(shop, { initialToken: 'default.gone' }).start()
    expect(after.form).toEqual({ ask: 'address' })
  })

  it('may be followed by a fresh start once the flow has gone on from it', async () => {
    const shop = await openShop()
    const tab = openTab()
    const initialToken = await shop.start('shop/order')
    const client = orderAt(shop, { initialToken })
    await client.submit({ name: 'Ada' })
    const token = tab.sessionStorage.getItem(`moost-wf:${shop.url}/wf:shop/order`)
    await shop.send({ wfs: token, input: { address: 'There' } })
    const { form, error } = await orderAt(shop, { initialToken }).start()
    expect(error).toBeUndefined()
    expect(form).toEqual({ ask: 'name' })
  })
})

describe('without a storage', () => {
  const walk = async (client: ReturnType<typeof orderAt>) => {
    await client.start()
    await client.submit({ name: 'Ada' })
    expect((await client.submit({ address: 'Here' })).finished).toBe(true)
  }

  it('works where sessionStorage may not be touched', async () => {
    const shop = await openShop()
    openTab()
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')
    Object.defineProperty(globalThis, 'sessionStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
    try {
      await walk(orderAt(shop))
    } finally {
      Object.defineProperty(globalThis, 'sessionStorage', descriptor!)
    }
  })

  it('works with one that refuses everything', async () => {
    const refuse = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    await walk(orderAt(await openShop(), { storage }))
  })

  it('works with none, and uses none', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = orderAt(shop, { storage: null })
    await client.start()
    expect(tab.tokens).toEqual([])
    await walk(orderAt(shop, { storage: null }))
  })

  it('works on a server, whose own storage all visitors would share', async () => {
    const shop = await openShop()
    const shared = new TabStorage()
    vi.stubGlobal('sessionStorage', shared)
    try {
      await orderAt(shop).start()
      expect(shared.items.size).toBe(0)
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
