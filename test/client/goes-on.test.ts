import { randomBytes } from 'node:crypto'
import { delay, DurableStateStrategy, waitFor, WfLedgerMemory } from '@atscript/moost-wf'
import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import type { WfOutletConfig } from '@atscript/moost-wf/trigger'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { openTab } from './browser'
import { orderAt } from './orders'

const ADA = { name: 'ada' }
const HOUR = 60 * 60_000

/** A shop whose orders are durable runs. */
async function durableShop(config: Partial<WfOutletConfig> = {}, outbox = false) {
  const shop = await openShop()
  const { clock } = shop
  const state = new DurableStateStrategy({
    runs: new WfRunStoreMemory({ clock, outbox }),
    secret: randomBytes(32),
  })
  shop.config = { ...shop.config, state, ledger: new WfLedgerMemory({ clock }), ...config }
  return shop
}

/** A page that has sent its form, and what came of that. */
async function submitted(shop: Shop, options: Partial<WfClientOptions> = {}) {
  const client = orderAt(shop, options)
  await client.start()
  const state = await client.submit(ADA)
  expect(state).toMatchObject({ loading: false, finished: false })
  expect([state.form, state.error]).toEqual([undefined, undefined])
  return { client, response: state.response! }
}

describe('a page whose workflow goes on without it', () => {
  it('is told that it waits for another system', async () => {
    const shop = await durableShop()
    const tab = openTab()
    shop.onName = input => (input ? waitFor('paid') : undefined)
    const { client, response } = await submitted(shop)
    expect(response).toEqual({ waiting: true, watch: expect.stringMatching(/^[\w-]{32}$/u) })
    expect(tab.tokens).toEqual([])
    expect((await client.start()).form).toEqual({ ask: 'name' })
  })

  it('shows that again after a reload where it keeps what was sent', async () => {
    const shop = await durableShop()
    openTab()
    shop.onName = input => (input ? waitFor('paid') : undefined)
    const { response } = await submitted(shop, { keepSent: true })
    expect(await orderAt(shop, { keepSent: true }).start()).toMatchObject({ response })
  })

  it('is told the same where there is nothing to watch', async () => {
    const shop = await durableShop({ ledger: undefined })
    openTab()
    shop.onName = input => (input ? waitFor('paid') : undefined)
    expect((await submitted(shop)).response).toEqual({ waiting: true })
  })

  it('is told that it rests, and until when', async () => {
    const shop = await durableShop()
    const tab = openTab()
    shop.onName = input => (input ? delay({ ms: HOUR }) : undefined)
    const { response } = await submitted(shop)
    expect(response).toEqual({ delayed: true, until: shop.clock.now() + HOUR })
    expect(tab.tokens).toEqual([])
  })

  it('is told that a step is tried again, and keeps its token', async () => {
    const shop = await durableShop()
    const { clock } = shop
    const tab = openTab()
    const retry = { attempts: 3, baseMs: 1000, jitter: 0 }
    const runs = new WfRunStoreMemory({ clock })
    const state = new DurableStateStrategy({ runs, secret: randomBytes(32), retry })
    shop.config = { ...shop.config, state }
    shop.onName = input => {
      if (input) throw new Error('The provider is away.')
    }
    const { response } = await submitted(shop)
    expect(response).toMatchObject({ retrying: true, retryAt: clock.now() + 1000 })
    expect(response.watch).toMatch(/^[\w-]+$/u)
    expect(tab.tokens).toHaveLength(1)
  })

  it('is told that a message waits to be sent', async () => {
    const shop = await durableShop({}, true)
    openTab()
    const path = `${shop.url}/wf`
    const client = createWfClient({ path, name: 'shop/invite' })
    await client.start()
    const { response } = await client.submit(ADA)
    expect(response).toMatchObject({ sent: true, outlet: 'email', queued: true })
  })
})

describe('a page whose user has started the same elsewhere', () => {
  const keyed = { actor: () => 'ada', runKey: () => 'one order', onConflict: 'join' } as const

  it('is told that it has joined that, and repeats nothing', async () => {
    const shop = await durableShop(keyed)
    openTab()
    await orderAt(shop).start()
    const tab = openTab()
    const state = await orderAt(shop).start()
    expect(state).toMatchObject({ loading: false, finished: false })
    expect(state.response?.joined).toBe(true)
    expect([state.form, state.error]).toEqual([undefined, undefined])
    expect(tab.tokens).toEqual([])
  })

  it('goes on with what its tab has, if it was started there', async () => {
    const shop = await durableShop(keyed)
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    expect((await client.start(ADA)).response).toMatchObject({ joined: true })
    expect(tab.tokens).toHaveLength(1)
    expect((await client.start()).form).toEqual({ ask: 'name' })
    expect((await client.submit(ADA)).form).toEqual({ ask: 'address' })
  })
})
