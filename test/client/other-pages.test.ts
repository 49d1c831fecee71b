import { HandleStateStrategy, WfLedgerMemory } from '@atscript/moost-wf'
import type { WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { duplicate, openTab, showTab, TabStorage, watchedFetch } from './browser'
import { orderAt } from './orders'

describe('a storage', () => {
  it('that was cleared in between costs nothing until a reload', async () => {
    const shop = await openShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    tab.sessionStorage.items.clear()
    expect((await client.submit({ name: 'Ada' })).form).toEqual({ ask: 'address' })
    // From here on it is stored again.
    expect((await orderAt(shop).start()).form).toEqual({ ask: 'address' })
    tab.sessionStorage.items.clear()
    expect((await orderAt(shop).start()).form).toEqual({ ask: 'name' })
  })

  it('that removes nothing does not send a page round in circles', async () => {
    const shop = await openShop()
    const storage = new TabStorage()
    storage.removeItem = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    storage.setItem(`moost-wf:${shop.url}/wf:shop/order`, 'default.gone')
    const { fetch, sent } = watchedFetch()
    expect((await orderAt(shop, { storage, fetch }).start()).form).toEqual({ ask: 'name' })
    expect(sent).toHaveLength(2)
  })
})

describe('a page that comes back from the history as it was left', () => {
  /** A page that was left for a later one of the same tab, which has gone on. */
  async function backAtFormer(shop: Shop) {
    const tab = openTab()
    const former = orderAt(shop)
    await former.start()
    const later = orderAt(shop)
    await later.start()
    await later.submit({ name: 'Ada' })
    return { tab, former }
  }

  it('is told that its form is gone, and takes nothing from the later page', async () => {
    const shop = await openShop()
    const { tab, former } = await backAtFormer(shop)
    expect((await former.submit({ name: 'Eve' })).error?.code).toBe('WF_STATE_GONE')
    expect(tab.tokens).toHaveLength(1)
    // It sends nothing with a token that is not of its form.
    expect((await former.submit({ name: 'Eve' })).error?.code).toBe('WF_STATE_GONE')
    expect((await orderAt(shop).start()).form).toEqual({ ask: 'address' })
  })

  it('goes on where the tab is when it is started', async () => {
    const shop = await openShop()
    const { former } = await backAtFormer(shop)
    expect(await former.start()).toMatchObject({
      form: { ask: 'address' },
      context: { for: 'Ada' },
    })
    expect((await former.submit({ address: 'Here' })).finished).toBe(true)
  })

  it('starts anew when the later page has ended the workflow', async () => {
    const shop = await openShop()
    const { tab, former } = await backAtFormer(shop)
    const later = orderAt(shop)
    await later.start()
    await later.submit({ address: 'Here' })
    expect(tab.tokens).toEqual([])
    expect((await former.start()).form).toEqual({ ask: 'name' })
  })
})

describe('a tab that was duplicated', () => {
  it('is told that the other one has gone on, and goes its own way', async () => {
    const shop = await openShop()
    const one = openTab()
    const first = orderAt(shop)
    await first.start()
    const other = duplicate(one)
    await first.submit({ name: 'Ada' })
    showTab(other)
    const second = orderAt(shop)
    expect((await second.submit({ name: 'Eve' })).error?.code).toBe('WF_STATE_GONE')
    expect((await second.start()).form).toEqual({ ask: 'name' })
    // Neither has taken anything from the other.
    expect((await first.submit({ address: 'Here' })).response?.data).toEqual({
      name: 'Ada',
      address: 'Here',
    })
    expect((await second.submit({ name: 'Eve' })).form).toEqual({ ask: 'address' })
  })

  it('goes on where the other one is, with a handle that stays', async () => {
    const shop = await openShop({ ledger: new WfLedgerMemory() })
    const state = new HandleStateStrategy({ store: shop.store, stable: true })
    shop.config = { ...shop.config, state }
    const one = openTab()
    const jar = { cookie: '' }
    const options: Partial<WfClientOptions> = {
      fetch: async (url, init) => {
        const headers = { ...init.headers, cookie: jar.cookie }
        const response = await fetch(url, { ...init, headers })
        jar.cookie ||= response.headers.get('set-cookie')?.split(';')[0] ?? ''
        return response
      },
    }
    const first = orderAt(shop, options)
    await first.start()
    const other = duplicate(one)
    await first.submit({ name: 'Ada' })
    showTab(other)
    expect((await orderAt(shop, options).start()).form).toEqual({ ask: 'address' })
  })
})
