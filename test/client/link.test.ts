import { HandleStateStrategy, outletEmail } from '@atscript/moost-wf'
import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it, vi } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { deferred, openTab, showTab, Tab, watchedFetch } from './browser'

/** A shop that has sent someone a link. */
async function shopWithLink() {
  const shop = await openShop()
  shop.config = {
    ...shop.config,
    state: new HandleStateStrategy({ store: shop.store, defaultTtl: 60_000 }),
  }
  shop.onName = (_input, ctx) => {
    if (ctx.tries) return undefined
    ctx.tries = 1
    return outletEmail('ada@example.com', 'invite')
  }
  await shop.send({ wfid: 'shop/gift' })
  return { shop, token: shop.mails[0]?.token ?? '' }
}

const giftAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  createWfClient<{ form: { ask: string } }>({
    path: `${shop.url}/wf`,
    name: 'shop/gift',
    ...options,
  })

describe('a link', () => {
  it('is only looked at until the person clicks', async () => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=${token}`)
    const { fetch, sent } = watchedFetch()
    const client = giftAt(shop, { fetch })
    expect(client.state.loading).toBe(true)
    const peeked = await client.start()
    expect(peeked.pendingResume).toEqual({
      wfid: 'shop/gift',
      expiresAt: shop.clock.now() + 60_000,
    })
    expect(peeked).toMatchObject({ loading: false, finished: false })
    expect(peeked.form).toBeUndefined()
    expect(sent).toEqual([{ method: 'GET', url: `${shop.url}/wf?wfs=${token}`, body: undefined }])

    const resumed = await client.resume()
    expect(resumed.form).toEqual({ ask: 'name' })
    expect(resumed.pendingResume).toBeUndefined()
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(tab.tokens).toHaveLength(1)
    expect(tab.tokens).not.toContain(token)
    expect((await client.submit({ name: 'Ada' })).finished).toBe(true)
    expect(tab.tokens).toEqual([])
  })

  it('survives ten scanners that run scripts and click nothing', async () => {
    const { shop, token } = await shopWithLink()
    for (let visit = 0; visit < 10; visit++) {
      showTab(new Tab(`/accept?wfs=${token}`))
      const scanner = giftAt(shop)
      expect((await scanner.start()).pendingResume?.wfid).toBe('shop/gift')
      await scanner.retry()
      await scanner.start({ name: 'scanner' })
      expect(() => scanner.submit({ name: 'scanner' })).toThrow(TypeError)
      expect(() => scanner.action('accept')).toThrow(TypeError)
    }
    expect(shop.ran).toEqual(['name'])
    showTab(new Tab(`/accept?wfs=${token}`))
    const person = giftAt(shop)
    await person.start()
    expect((await person.resume()).form).toEqual({ ask: 'name' })
    expect((await person.submit({ name: 'Ada' })).finished).toBe(true)
  })

  it.each([
    ['/accept?wfs=TOKEN', '/accept'],
    ['/accept?wfs=TOKEN#top', '/accept#top'],
    ['/accept?b=2&wfs=TOKEN&a=1&b=3#/x?wfs=no', '/accept?b=2&a=1&b=3#/x?wfs=no'],
    ['/accept?wfs=TOKEN&wfs=other&q=%C3%9F', '/accept?q=%C3%9F'],
    ['//accept?wfs=TOKEN', '//accept'],
    ['/accept#wfs=TOKEN', '/accept'],
    ['/accept?a=b%20c#wfs=TOKEN', '/accept?a=b%20c'],
    ['/accept#top&wfs=TOKEN&x=%2F', '/accept#top&x=%2F'],
    ['/accept#/route&wfs=TOKEN&wfs=other', '/accept#/route'],
    ['/accept?wfs=other&q=1#wfs=TOKEN', '/accept?q=1'],
    ['/accept?wfs=TOKEN#wfs=', '/accept'],
  ])('leaves the address bar at once: %s', async (address, expected) => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`https://shop.example${address.replace('TOKEN', token)}`)
    tab.history.state = { scroll: 7 }
    const client = giftAt(shop)
    expect(tab.address).toBe(expected)
    expect(tab.history.state).toEqual({ scroll: 7 })
    expect((await client.start()).pendingResume).toBeDefined()
  })

  it('in the fragment is only looked at too, and comes before one in the query', async () => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=default.other#wfs=${encodeURIComponent(token)}`)
    const { fetch, sent } = watchedFetch()
    const client = giftAt(shop, { fetch })
    expect(tab.address).toBe('/accept')
    expect((await client.start()).pendingResume?.wfid).toBe('shop/gift')
    expect(sent).toEqual([{ method: 'GET', url: `${shop.url}/wf?wfs=${token}`, body: undefined }])
    expect(tab.tokens).toEqual([token])
    expect((await client.resume()).form).toEqual({ ask: 'name' })
  })

  it('is not looked for in a route that stands in the fragment', async () => {
    const { shop } = await shopWithLink()
    shop.onName = () => undefined
    const tab = openTab('/accept#/x?wfs=no')
    expect((await giftAt(shop).start()).form).toEqual({ ask: 'name' })
    expect(tab.address).toBe('/accept#/x?wfs=no')
  })

  it('is taken although the address cannot be changed', async () => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=${token}`)
    tab.history.replaceState = () => {
      throw new DOMException('Too many calls.', 'SecurityError')
    }
    expect((await giftAt(shop).start()).pendingResume?.wfid).toBe('shop/gift')
  })

  it('has the name that the endpoint gives it', async () => {
    const { shop, token } = await shopWithLink()
    shop.config = { ...shop.config, token: { name: 'state' } }
    const tab = openTab(`/accept?wfs=mine&state=${token}`)
    expect((await giftAt(shop, { tokenName: 'state' }).start()).pendingResume).toBeDefined()
    expect(tab.address).toBe('/accept?wfs=mine')
  })

  it('is not looked for in an address without one', async () => {
    const { shop } = await shopWithLink()
    const tab = openTab('/accept?wf=1&wfs=#wfs=')
    const replaced = vi.spyOn(tab.history, 'replaceState')
    shop.onName = () => undefined
    expect((await giftAt(shop).start()).form).toEqual({ ask: 'name' })
    expect(replaced).not.toHaveBeenCalled()
  })

  it('is still pending after a reload', async () => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=${token}`)
    await giftAt(shop).start()
    expect(tab.address).toBe('/accept')
    const { fetch, sent } = watchedFetch()
    const reloaded = giftAt(shop, { fetch })
    expect((await reloaded.start()).pendingResume?.wfid).toBe('shop/gift')
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
    expect((await reloaded.resume()).form).toEqual({ ask: 'name' })
    expect((await giftAt(shop).start()).form).toEqual({ ask: 'name' })
  })

  it('comes before a workflow of this tab, which is there again once it is gone', async () => {
    const { shop } = await shopWithLink()
    shop.onName = () => undefined
    const tab = openTab()
    await giftAt(shop).start()
    tab.location.href = 'https://shop.example/accept?wfs=default.gone'
    const client = giftAt(shop)
    expect((await client.start()).error?.code).toBe('WF_STATE_GONE')
    expect(tab.tokens).toHaveLength(1)
    const { form, error } = await client.start()
    expect(form).toEqual({ ask: 'name' })
    expect(error).toBeUndefined()
  })

  it('keeps that workflow from being sent to while it is pending', async () => {
    const { shop, token } = await shopWithLink()
    shop.onName = () => undefined
    const tab = openTab()
    await giftAt(shop).start()
    tab.location.href = `https://shop.example/accept?wfs=${token}`
    const client = giftAt(shop)
    await client.start()
    expect(tab.tokens).toHaveLength(2)
    expect(() => client.submit({ name: 'Ada' })).toThrow(TypeError)
  })

  it('comes before an initial token', async () => {
    const { shop, token } = await shopWithLink()
    openTab(`/accept?wfs=${token}`)
    const client = giftAt(shop, { initialToken: 'default.other' })
    expect((await client.start()).pendingResume?.wfid).toBe('shop/gift')
  })

  it('is forgotten by restart()', async () => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=${token}`)
    const client = giftAt(shop)
    await client.start()
    shop.onName = () => undefined
    const state = await client.restart()
    expect(state.form).toEqual({ ask: 'name' })
    expect(state.pendingResume).toBeUndefined()
    expect(tab.tokens).not.toContain(token)
    expect(() => client.resume()).toThrow(TypeError)
  })

  it('travels in the body where tokens are cookies', async () => {
    const { shop, token } = await shopWithLink()
    openTab(`/accept?wfs=${token}`)
    const client = giftAt(shop, { tokenTransport: 'cookie' })
    await client.start()
    expect((await client.resume()).form).toEqual({ ask: 'name' })
  })

  it('travels in the address where tokens do', async () => {
    const { shop, token } = await shopWithLink()
    openTab(`/accept?wfs=${token}`)
    const { fetch, sent } = watchedFetch()
    const client = giftAt(shop, { tokenTransport: 'query', fetch })
    await client.start()
    await client.resume()
    expect(sent[1]).toMatchObject({ method: 'POST', url: `${shop.url}/wf?wfs=${token}` })
    expect(sent[1]?.body).not.toContain(token)
  })
})

describe('a link that cannot be looked at', () => {
  const failing = (answer: () => Promise<Response>) => async (url: string, init: RequestInit) =>
    init.method === 'GET' ? answer() : fetch(url, init)
  const method = { code: 'WF_METHOD', message: 'This address takes POST requests.', status: 405 }

  it.each([
    ['GET is not mounted', async () => Response.json({ error: method }, { status: 405 })],
    ['nothing answers', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a page answers', async () => new Response('<html>')],
    ['the server fails', async () => new Response('{}', { status: 500 })],
  ])('can be tried: %s', async (_why, answer) => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=${token}`)
    const client = giftAt(shop, { fetch: failing(answer) })
    const { pendingResume, error } = await client.start()
    expect(pendingResume).toEqual({})
    expect(error).toBeUndefined()
    expect(tab.tokens).toEqual([token])
    expect((await client.resume()).form).toEqual({ ask: 'name' })
  })
})

describe('a link that is gone', () => {
  it('is an error, and is forgotten', async () => {
    const { shop, token } = await shopWithLink()
    await shop.send({ wfs: token })
    const tab = openTab(`/accept?wfs=${token}`)
    const client = giftAt(shop)
    const { error, pendingResume } = await client.start()
    expect(error).toMatchObject({ code: 'WF_STATE_GONE', status: 410 })
    expect(pendingResume).toBeUndefined()
    expect(tab.tokens).toEqual([])
    expect(() => client.resume()).toThrow(TypeError)
    shop.onName = () => undefined
    expect((await client.start()).form).toEqual({ ask: 'name' })
  })

  it('when the person clicks is no longer pending', async () => {
    const { shop, token } = await shopWithLink()
    const tab = openTab(`/accept?wfs=${token}`)
    const client = giftAt(shop)
    await client.start()
    await shop.send({ wfs: token })
    const { error, pendingResume } = await client.resume()
    expect(error?.code).toBe('WF_STATE_GONE')
    expect(pendingResume).toBeUndefined()
    expect(tab.tokens).toEqual([])
  })
})

describe('resume()', () => {
  it('can be clicked again after trouble, and retried', async () => {
    const { shop, token } = await shopWithLink()
    openTab(`/accept?wfs=${token}`)
    const { fetch, sent } = watchedFetch()
    let isUp = true
    const client = giftAt(shop, {
      fetch: (url, init) => (isUp ? fetch(url, init) : Promise.reject(new TypeError('down'))),
    })
    await client.start()
    isUp = false
    const failed = await client.resume()
    expect(failed.error?.code).toBe('WF_NETWORK')
    expect(failed.pendingResume?.wfid).toBe('shop/gift')
    isUp = true
    expect(await client.start()).toBe(failed)
    expect(sent).toHaveLength(1)
    expect((await client.retry()).form).toEqual({ ask: 'name' })
  })

  it('does not wait for the look, and is sent once', async () => {
    const { shop, token } = await shopWithLink()
    openTab(`/accept?wfs=${token}`)
    const gate = deferred()
    const { fetch, sent } = watchedFetch()
    const client = giftAt(shop, {
      fetch: async (url, init) => {
        if (init.method === 'GET') await gate.promise
        return fetch(url, init)
      },
    })
    const looked = client.start()
    const clicks = [client.resume(), client.resume()]
    expect(clicks[0]).toBe(clicks[1])
    const state = await clicks[0]!
    expect(state.form).toEqual({ ask: 'name' })
    gate.resolve()
    expect(await looked).toBe(state)
    expect(client.state).toBe(state)
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('without a link is a mistake of the program', async () => {
    const { shop } = await shopWithLink()
    expect(() => giftAt(shop).resume()).toThrow('There is no link to send.')
  })
})
