import { HandleStateStrategy, WfLedgerMemory } from '@atscript/moost-wf'
import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { openTab, watchedFetch } from './browser'

const HOUR_MS = 60 * 60_000
/** The shop takes over what was typed for a minute. */
const TOO_LATE_MS = 60_001

/** A shop whose forms wait for an hour. */
async function openHourShop(): Promise<Shop> {
  const shop = await openShop()
  const { clock, store } = shop
  const state = new HandleStateStrategy({ store, defaultTtl: HOUR_MS })
  shop.config = { ...shop.config, state, ledger: new WfLedgerMemory({ clock }) }
  return shop
}

const clientAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  createWfClient<{ form: { ask: string } }>({
    path: `${shop.url}/wf`,
    name: 'shop/order',
    ...options,
  })

/** A client whose form has expired since. It had typed a name before. */
async function expired(options: Partial<WfClientOptions> = {}, lateMs = 0) {
  const shop = await openHourShop()
  const { fetch, bodies } = watchedFetch()
  const client = clientAt(shop, { fetch, ...options })
  await client.start({ name: 'Ada' })
  shop.clock.advance(HOUR_MS + lateMs)
  const { error } = await client.submit({ address: 'Here' })
  // The step would ask for what the flow has taken over.
  shop.onName = (_input, ctx) => {
    seen.push(ctx.name)
  }
  const seen: (string | undefined)[] = []
  return { shop, client, bodies, error, seen }
}

describe('restart()', () => {
  it('takes along what the server can take over of a flow that has expired', async () => {
    const { client, bodies, error, seen } = await expired()
    expect(error).toMatchObject({
      code: 'WF_EXPIRED',
      restart: { wfid: 'shop/order', carriesOver: true },
    })
    const { wfs } = bodies().at(-1)
    const state = await client.restart()
    expect(state).toMatchObject({ form: { ask: 'name' }, data: {} })
    expect(seen).toEqual(['Ada'])
    expect(bodies().at(-1)).toEqual({ wfs, restart: true, requestId: expect.any(String) })
    expect((await client.submit({ name: 'Ada' })).form).toEqual({ ask: 'address' })
    expect((await client.submit({ address: 'Here' })).finished).toBe(true)
  })

  it('with an input starts from nothing', async () => {
    const { client, bodies, seen } = await expired()
    expect((await client.restart({ name: 'Eve' })).form).toEqual({ ask: 'address' })
    expect(bodies().at(-1)).toMatchObject({ wfid: 'shop/order', input: { name: 'Eve' } })
    expect(seen).toEqual([undefined])
  })

  it('starts from nothing where nothing can be taken over', async () => {
    const { client, bodies, error, seen } = await expired({}, TOO_LATE_MS)
    expect(error?.restart).toEqual({ wfid: 'shop/order' })
    await client.restart()
    expect(bodies().at(-1)).toEqual({ wfid: 'shop/order', requestId: expect.any(String) })
    expect(bodies().filter(({ restart }) => restart)).toEqual([])
    expect(seen).toEqual([undefined])
  })

  it('starts from nothing if it is too late to take over when it is pressed', async () => {
    const { shop, client, bodies, seen } = await expired()
    shop.clock.advance(TOO_LATE_MS)
    const { form, error } = await client.restart()
    expect(form).toEqual({ ask: 'name' })
    expect(error).toBeUndefined()
    expect(seen).toEqual([undefined])
    expect(bodies().slice(-2)).toMatchObject([{ restart: true }, { wfid: 'shop/order' }])
  })

  it('whose answer is lost takes over once, however often it is pressed', async () => {
    let loses = false
    const { client, seen } = await expired({
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (loses) throw new TypeError('network error')
        return response
      },
    })
    loses = true
    expect((await client.restart()).error?.code).toBe('WF_NETWORK')
    expect((await client.restart()).error?.code).toBe('WF_NETWORK')
    loses = false
    expect(await client.retry()).toMatchObject({ form: { ask: 'name' }, alreadyReceived: true })
    expect(seen).toEqual(['Ada'])
  })

  it('does not take over twice: the next one starts from nothing', async () => {
    const { client, bodies } = await expired()
    await client.restart()
    await client.restart()
    expect(bodies().at(-1)).toEqual({ wfid: 'shop/order', requestId: expect.any(String) })
  })

  it('takes over what a link had that has expired', async () => {
    const shop = await openHourShop()
    const { body } = await shop.send({ wfid: 'shop/order', input: { name: 'Ada' } })
    shop.clock.advance(HOUR_MS)
    openTab(`/order?wfs=${body.wfs}`)
    const { fetch, bodies } = watchedFetch()
    const client = clientAt(shop, { fetch })
    expect((await client.start()).error?.restart?.carriesOver).toBe(true)
    expect((await client.restart()).form).toEqual({ ask: 'name' })
    expect(bodies().at(-1)).toMatchObject({ wfs: body.wfs, restart: true })
  })

  it('goes on after a reload, and keeps nothing of the flow before', async () => {
    const tab = openTab()
    const { shop, client } = await expired()
    await client.restart()
    expect(tab.tokens).toHaveLength(1)
    expect((await clientAt(shop).start()).form).toEqual({ ask: 'name' })
  })
})
