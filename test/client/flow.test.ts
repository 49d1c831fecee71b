import { HandleStateStrategy, outletHttp, StepRetriableError } from '@atscript/moost-wf'
import { createWfClient, type WfClientOptions, type WfClientState } from '@atscript/moost-wf/client'
import { HttpError } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { deferred, openTab, TabStorage, watchedFetch } from './browser'

interface Order {
  form: { ask: string }
  input: { name?: string; address?: string; fail?: string }
  context: { for?: string }
  data: { name: string; address: string }
}

const orderAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  createWfClient<Order>({ path: `${shop.url}/wf`, name: 'shop/order', ...options })

const NOTHING = { data: {}, errors: {}, context: {}, loading: false, finished: false }

describe('a workflow', () => {
  it('is started, asked through and finished', async () => {
    const shop = await openShop()
    const client = orderAt(shop)
    expect(client.state).toEqual(NOTHING)

    const first = await client.start()
    expect(first).toBe(client.state)
    expect(first).toEqual({ ...NOTHING, form: { ask: 'name' } })

    const second = await client.submit({ name: 'Ada' })
    expect(second).toEqual({ ...NOTHING, form: { ask: 'address' }, context: { for: 'Ada' } })

    const done = await client.submit({ address: 'Here' })
    const data = { name: 'Ada', address: 'Here' }
    expect(done).toEqual({ ...NOTHING, finished: true, response: { finished: true, data } })
    expect(done.response?.data?.name).toBe('Ada')
  })

  it('is started with an input', async () => {
    const shop = await openShop()
    const { form } = await orderAt(shop).start({ name: 'Ada' })
    expect(form).toEqual({ ask: 'address' })
  })

  it('is left to whoever gets the message', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = createWfClient({ path: `${shop.url}/wf`, name: 'shop/invite' })
    await client.start()
    expect(tab.tokens).toHaveLength(1)
    const state = await client.submit({ name: 'ada' })
    expect(state).toEqual({ ...NOTHING, response: { sent: true, outlet: 'email' } })
    expect(shop.mails).toHaveLength(1)
    expect(tab.tokens).toEqual([])
    expect(() => client.submit({ accept: 'yes' })).toThrow(TypeError)
  })

  it('gets actions, with data and without', async () => {
    const shop = await openShop()
    const { fetch, bodies } = watchedFetch()
    const client = orderAt(shop, { fetch })
    await client.start()
    await client.action('resend')
    await client.action('draft', { name: 'Ada' })
    expect(bodies().slice(1)).toEqual([
      { wfs: expect.any(String), action: 'resend', requestId: expect.any(String) },
      {
        wfs: expect.any(String),
        action: 'draft',
        input: { name: 'Ada' },
        requestId: expect.any(String),
      },
    ])
  })

  it('names each request that sends something, and each with a name of its own', async () => {
    const shop = await openShop()
    const { fetch, bodies } = watchedFetch()
    const client = orderAt(shop, { fetch })
    await client.start()
    await client.submit({})
    await client.submit({})
    const [start, one, other] = bodies()
    expect(start).toEqual({ wfid: 'shop/order', requestId: expect.any(String) })
    const ids = [start, one, other].map(({ requestId }) => requestId)
    for (const id of ids) expect(id).toMatch(/^[\w-]{22,64}$/u)
    expect(new Set(ids).size).toBe(3)
  })

  it('is restarted from nothing', async () => {
    const shop = await openShop()
    const client = orderAt(shop)
    await client.start()
    await client.submit({ name: 'Ada' })
    const restarted = client.restart()
    expect(client.state).toEqual({ ...NOTHING, loading: true })
    expect((await restarted).form).toEqual({ ask: 'name' })
    expect((await client.restart({ name: 'Eve' })).form).toEqual({ ask: 'address' })
  })
})

describe('what was typed', () => {
  const asksAgain = (shop: Shop) => {
    shop.onName = input => {
      if (!input) return undefined
      const errors = { name: 'Too short.', list: ['no text'], none: null }
      const again = outletHttp({ ask: 'name' }, { errors, formMessage: 'Look again.', left: 2 })
      throw new StepRetriableError(new Error('again'), undefined, again.inputRequired)
    }
  }

  it('is kept when the same form comes back, with sentences beside it', async () => {
    const shop = await openShop()
    asksAgain(shop)
    const client = orderAt(shop)
    await client.start()
    const state = await client.submit({ name: 'A' })
    expect(state.data).toEqual({ name: 'A' })
    expect(state.errors).toEqual({ name: 'Too short.' })
    expect(state.formMessage).toBe('Look again.')
    expect(state.context).toEqual({ left: 2 })
  })

  it('has its sentence about the whole form in one place, wherever the server puts it', async () => {
    const shop = await openShop()
    const client = orderAt(shop)
    await client.start()
    for (const context of [
      { errors: { __form: 'Look again.', name: 'Too short.' } },
      { errors: { __form: 'Look again.', name: 'Too short.' }, formMessage: 'Look again.' },
    ]) {
      shop.onName = () => outletHttp({ ask: 'name' }, context)
      const state = await client.submit({ name: 'A' })
      expect([state.formMessage, state.errors]).toEqual(['Look again.', { name: 'Too short.' }])
    }
  })

  it('may go on while the form is on its way', async () => {
    const shop = await openShop()
    asksAgain(shop)
    const client = orderAt(shop)
    await client.start()
    const submitted = client.submit({ name: 'A' })
    client.update({ name: 'Ad' })
    expect((await submitted).data).toEqual({ name: 'Ad' })
  })

  it('is sent as it was recorded', async () => {
    const shop = await openShop()
    const client = orderAt(shop)
    await client.start()
    client.update({ name: 'Ada' })
    expect(client.state.data).toEqual({ name: 'Ada' })
    expect((await client.submit()).context).toEqual({ for: 'Ada' })
  })

  it('is gone when another form comes, and when it is over', async () => {
    const shop = await openShop()
    const client = orderAt(shop)
    await client.start()
    expect((await client.submit({ name: 'Ada' })).data).toEqual({})
    expect((await client.submit({ address: 'Here' })).data).toEqual({})
  })

  it('is never stored', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    client.update({ name: 'Ada' })
    await client.submit({ name: 'Ada' })
    expect(tab.tokens).toHaveLength(1)
    expect(tab.tokens[0]).toMatch(/^default\.[\w-]{36}$/u)
  })
})

describe('trouble', () => {
  it('of a step leaves the form, what was typed and the token', async () => {
    const shop = await openShop()
    const client = orderAt(shop)
    await client.start()
    await client.submit({ name: 'Ada' })
    const refused = await client.submit({ address: 'Moon', fail: 'http' })
    expect(refused.error).toEqual({
      code: 'WF_REJECTED',
      message: 'No deliveries there.',
      status: 422,
    })
    expect(refused.form).toEqual({ ask: 'address' })
    expect(refused.data).toEqual({ address: 'Moon', fail: 'http' })
    const crashed = await client.submit({ address: 'Moon', fail: 'crash' })
    expect(crashed.error).toMatchObject({ code: 'WF_INTERNAL', status: 500 })
    const done = await client.submit({ address: 'Here' })
    expect(done.error).toBeUndefined()
    expect(done.finished).toBe(true)
  })

  it('of a step that says 410 leaves the token too', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    shop.onName = () => {
      throw new HttpError(410, 'That name is taken.')
    }
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_REJECTED')
    expect(tab.tokens).toHaveLength(1)
    shop.onName = () => undefined
    expect((await client.submit({ name: 'Eve' })).form).toEqual({ ask: 'address' })
  })

  it('of a token that is gone forgets it, and start() starts anew with what was typed', async () => {
    const shop = await openShop()
    const tab = openTab()
    const { fetch, sent } = watchedFetch()
    const client = orderAt(shop, { fetch })
    await client.start()
    await shop.send({ wfs: tab.tokens[0], input: { name: 'Eve' } })
    const gone = await client.submit({ name: 'Ada' })
    expect(gone.error).toMatchObject({ code: 'WF_STATE_GONE', status: 410 })
    expect(gone.form).toEqual({ ask: 'name' })
    expect(gone.data).toEqual({ name: 'Ada' })
    expect(tab.tokens).toEqual([])

    const requests = sent.length
    expect(await client.submit({ name: 'Ada!' })).toMatchObject({
      error: gone.error,
      data: { name: 'Ada!' },
    })
    expect(sent).toHaveLength(requests)

    const anew = await client.start()
    expect(anew).toMatchObject({ form: { ask: 'name' }, data: { name: 'Ada!' } })
    expect(anew.error).toBeUndefined()
    expect(tab.tokens).toHaveLength(1)
  })

  it('of a step that is being worked on can be tried again', async () => {
    const shop = await openShop()
    const storage = new TabStorage()
    const client = orderAt(shop, { storage })
    await client.start()
    const gate = deferred()
    const reached = deferred()
    shop.onName = async () => {
      reached.resolve()
      await gate.promise
      throw new HttpError(400, 'No.')
    }
    const other = shop.send({ wfs: storage.items.values().next().value, input: { name: 'Eve' } })
    await reached.promise
    const busy = await client.submit({ name: 'Ada' })
    expect(busy.error).toMatchObject({ code: 'WF_BUSY', status: 409 })
    gate.resolve()
    await other
    shop.onName = () => undefined
    expect((await client.retry()).context).toEqual({ for: 'Ada' })
  })

  it.each([
    ['an unknown workflow', { name: 'shop/nothing' }, 'WF_UNKNOWN', 404],
    ['one that is not allowed', { name: 'shop/hidden' }, 'WF_NOT_ALLOWED', 403],
  ])('with %s is told', async (_what, options, code, status) => {
    const shop = await openShop()
    const { error, form } = await orderAt(shop, options).start()
    expect(error).toMatchObject({ code, status })
    expect(form).toBeUndefined()
  })

  it('never shows a token', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = orderAt(shop)
    const seen: WfClientState<Order>[] = []
    client.subscribe(state => void seen.push(state))
    await client.start()
    const [token = ''] = tab.tokens
    await client.submit({ name: 'Ada' })
    const [next = ''] = tab.tokens
    await shop.send({ wfs: next, input: { address: 'Here' } })
    await client.submit({ address: 'Here' })
    expect(seen.at(-1)?.error?.status).toBe(410)
    expect(JSON.stringify(seen)).not.toContain(token)
    expect(JSON.stringify(seen)).not.toContain(next)
  })
})

describe('a token', () => {
  it('can travel in the address of requests', async () => {
    const shop = await openShop({ token: { read: ['query'] } })
    const { fetch, sent, bodies } = watchedFetch()
    const client = orderAt(shop, { fetch, tokenTransport: 'query' })
    await client.start()
    await client.submit({ name: 'Ada' })
    expect((await client.submit({ address: 'Here' })).finished).toBe(true)
    expect(sent[1]?.url).toMatch(/\/wf\?wfs=default\.[\w-]{36}$/u)
    expect(bodies()[1]).toEqual({ input: { name: 'Ada' }, requestId: expect.any(String) })
  })

  it('is added to a path that has parameters', async () => {
    const shop = await openShop()
    const { fetch, sent } = watchedFetch()
    const path = `${shop.url}/wf?tenant=acme`
    const client = orderAt(shop, { path, fetch, tokenTransport: 'query' })
    await client.start()
    expect((await client.submit({ name: 'Ada' })).form).toEqual({ ask: 'address' })
    expect(sent[1]?.url).toContain('/wf?tenant=acme&wfs=')
  })

  it('can stay in a cookie that the client never sees', async () => {
    const shop = await openShop({ token: { read: ['cookie'], write: 'cookie' } })
    const tab = openTab()
    tab.sessionStorage.setItem(`moost-wf:${shop.url}/wf:shop/order`, 'left-over')
    const jar = cookieJar()
    const client = orderAt(shop, { fetch: jar.fetch, tokenTransport: 'cookie' })
    await client.start()
    expect((await client.submit({ name: 'Ada' })).form).toEqual({ ask: 'address' })

    const reloaded = orderAt(shop, { fetch: jar.fetch, tokenTransport: 'cookie' })
    expect((await reloaded.start()).form).toEqual({ ask: 'address' })
    expect((await reloaded.submit({ address: 'Here' })).finished).toBe(true)
    expect(jar.bodies.join()).not.toContain('wfs')
    expect(tab.tokens).toEqual(['left-over'])
  })

  it('in a cookie that is gone is not taken for a start', async () => {
    const shop = await openShop({ token: { read: ['cookie'], write: 'cookie' } })
    const jar = cookieJar()
    const client = orderAt(shop, { fetch: jar.fetch, tokenTransport: 'cookie' })
    await client.start()
    jar.cookie = ''
    shop.config = { ...shop.config, state: new HandleStateStrategy({ store: shop.store }) }
    expect((await client.submit({ name: 'Ada' })).error?.status).toBe(400)
    jar.cookie = 'wfs=default.gone'
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_STATE_GONE')
    expect((await client.start()).form).toEqual({ ask: 'name' })
  })

  it('and the id of the workflow can have other names', async () => {
    const shop = await openShop({ token: { name: 'state' }, wfidName: 'flow' })
    const client = orderAt(shop, { tokenName: 'state', wfidName: 'flow' })
    await client.start()
    expect((await client.submit({ name: 'Ada' })).form).toEqual({ ask: 'address' })
  })
})

function cookieJar() {
  const jar = {
    cookie: '',
    bodies: [] as string[],
    fetch: async (url: string, init: RequestInit & { headers: Record<string, string> }) => {
      jar.bodies.push(String(init.body))
      const response = await fetch(url, {
        ...init,
        headers: { ...init.headers, cookie: jar.cookie },
      })
      jar.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? jar.cookie
      return response
    },
  }
  return jar
}
