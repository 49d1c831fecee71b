import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { openTab, watchedFetch } from './browser'
import { shopWithLedger } from './orders'

const inviteAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  createWfClient<{ form: { ask: string } }>({
    path: `${shop.url}/wf`,
    name: 'shop/invite',
    ...options,
  })

const KEPT = { keepSent: true }

/** A page that has sent an invitation. */
async function sent(shop: Shop, options: Partial<WfClientOptions> = KEPT) {
  const client = inviteAt(shop, options)
  await client.start()
  const { response } = await client.submit({ name: 'ada' })
  expect(response).toMatchObject({ sent: true, outlet: 'email' })
  return { client, response, watch: response?.watch ?? '' }
}

describe('a page that has sent something to someone', () => {
  it('has something to watch it by', async () => {
    const { watch } = await sent(await shopWithLedger(), {})
    expect(watch).toMatch(/^[\w-]{32}$/u)
  })

  it('starts anew after a reload', async () => {
    const shop = await shopWithLedger()
    const tab = openTab()
    await sent(shop, {})
    expect(tab.tokens).toEqual([])
    expect((await inviteAt(shop).start()).form).toEqual({ ask: 'name' })
  })

  it('starts anew when it is told to start', async () => {
    const { client } = await sent(await shopWithLedger(), {})
    expect((await client.start()).form).toEqual({ ask: 'name' })
  })
})

describe('a page that keeps what it has sent', () => {
  it('is there again after a reload, without a request', async () => {
    const shop = await shopWithLedger()
    openTab()
    const { response } = await sent(shop)
    const { fetch, sent: requests } = watchedFetch()
    const after = inviteAt(shop, { ...KEPT, fetch })
    const state = await after.start()
    expect(state).toMatchObject({ response, loading: false, finished: false })
    expect(state.form).toBeUndefined()
    expect(requests).toEqual([])
    expect(await inviteAt(shop, KEPT).start()).toMatchObject({ response })
  })

  it('starts anew when it is told to, and forgets the rest', async () => {
    const shop = await shopWithLedger()
    const tab = openTab()
    const { watch } = await sent(shop)
    const after = inviteAt(shop, KEPT)
    await after.start()
    expect((await after.restart()).form).toEqual({ ask: 'name' })
    expect(tab.tokens).not.toContain(watch)
    expect((await inviteAt(shop, KEPT).start()).form).toEqual({ ask: 'name' })
  })

  it('starts with an input, whatever is kept', async () => {
    const shop = await shopWithLedger()
    openTab()
    const { watch } = await sent(shop)
    const { response } = await inviteAt(shop, KEPT).start({ name: 'eve' })
    expect(response?.sent).toBe(true)
    expect(response?.watch).not.toBe(watch)
    expect((await inviteAt(shop, KEPT).start()).response).toEqual(response)
  })

  it('keeps nothing where there is nothing to watch', async () => {
    const shop = await openShop()
    const tab = openTab()
    await sent(shop)
    expect(tab.tokens).toEqual([])
    expect((await inviteAt(shop, KEPT).start()).form).toEqual({ ask: 'name' })
  })

  it('forgets it when there is no more to see, and only that', async () => {
    const shop = await shopWithLedger()
    const tab = openTab()
    const { client, watch } = await sent(shop)
    client.forget('another')
    expect(tab.tokens).toHaveLength(1)
    client.forget(watch)
    expect(tab.tokens).toEqual([])
    expect(client.state.response?.watch).toBe(watch)
    expect((await inviteAt(shop, KEPT).start()).form).toEqual({ ask: 'name' })
  })

  it('does not forget the flow that it has started since', async () => {
    const shop = await shopWithLedger()
    const tab = openTab()
    const { client, watch } = await sent(shop)
    await client.restart()
    client.forget(watch)
    expect(tab.tokens).toHaveLength(1)
    expect((await client.submit({ name: 'eve' })).response?.sent).toBe(true)
  })

  it('comes before an initial token that the tab has gone on from', async () => {
    const shop = await shopWithLedger()
    openTab()
    const initialToken = await shop.start('shop/invite')
    const before = inviteAt(shop, { ...KEPT, initialToken })
    const { response } = await before.submit({ name: 'ada' })
    expect((await inviteAt(shop, { ...KEPT, initialToken }).start()).response).toEqual(response)
  })

  it.each(['{', '7', '"text"', 'null'])('survives a storage with %s in it', async text => {
    const shop = await shopWithLedger()
    const tab = openTab()
    tab.sessionStorage.setItem(`moost-wf-watched:${shop.url}/wf:shop/invite`, text)
    expect((await inviteAt(shop, KEPT).start()).form).toEqual({ ask: 'name' })
  })

  it('is not believed by a page that keeps nothing', async () => {
    const shop = await shopWithLedger()
    openTab()
    await sent(shop)
    expect((await inviteAt(shop).start()).form).toEqual({ ask: 'name' })
  })
})
