import { HandleStateStrategy, WfLedgerMemory, type WfOutletConfig } from '@atscript/moost-wf'
import { race } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'

const DAY_MS = 24 * 60 * 60_000

/** When a stored state ends, counted from now. */
async function lifeOf(shop: Shop, token: string): Promise<number | undefined> {
  const stored = await shop.store.get(token.slice('default.'.length))
  return stored?.expiresAt && stored.expiresAt - shop.clock.now()
}

describe('a form that is shown to nobody in particular', () => {
  it('waits for a day', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/order')
    expect(await lifeOf(shop, wfs)).toBe(DAY_MS)
    shop.clock.advance(DAY_MS)
    expect((await shop.send({ wfs })).body.error.code).toBe('WF_EXPIRED')
  })

  it.each<[string, Partial<WfOutletConfig>, number | undefined]>([
    ['as the endpoint says', { anonymousTtlMs: 5000 }, 5000],
    ['for ever, if it says so', { anonymousTtlMs: Infinity }, undefined],
    ['no longer than its flow', { maxLifetime: 3000 }, 3000],
  ])('waits %s', async (_how, options, life) => {
    const shop = await openShop(options)
    expect(await lifeOf(shop, await shop.start('shop/order'))).toBe(life)
  })

  it('waits as its strategy says', async () => {
    const shop = await openShop()
    const state = new HandleStateStrategy({ store: shop.store, defaultTtl: 90 * DAY_MS })
    shop.config = { ...shop.config, state }
    expect(await lifeOf(shop, await shop.start('shop/order'))).toBe(90 * DAY_MS)
  })

  it.each([0, -1, Number.NaN, '1'])('cannot wait for %j', async anonymousTtlMs => {
    const shop = await openShop({ anonymousTtlMs: anonymousTtlMs as number })
    expect((await shop.send({ wfid: 'shop/order' })).status).toBe(500)
  })
})

describe('what keeps waiting', () => {
  it('is a form of someone who is known', async () => {
    const shop = await openShop({ actor: () => 'ada' })
    expect(await lifeOf(shop, await shop.start('shop/order'))).toBeUndefined()
  })

  it('is a link in a mail', async () => {
    const shop = await openShop()
    await shop.send({ wfs: await shop.start('shop/invite'), input: { name: 'ada' } })
    expect(await lifeOf(shop, shop.mails[0]!.token)).toBeUndefined()
  })
})

describe('startLimit', () => {
  const limited = async (options: Partial<WfOutletConfig> = {}) => {
    const shop = await openShop()
    const ledger = new WfLedgerMemory({ clock: shop.clock })
    const startLimit = { limit: 3, windowMs: 60_000 }
    shop.config = { ...shop.config, ledger, startLimit, ...options }
    return shop
  }
  const start = async (shop: Shop) => (await shop.send({ wfid: 'shop/order' })).status

  it('lets exactly as many start as it says, however many try at once', async () => {
    const shop = await limited()
    const statuses = await race(20, () => start(shop))
    expect(statuses.filter(status => status === 200)).toHaveLength(3)
    expect(statuses.filter(status => status === 429)).toHaveLength(17)
    expect(shop.ran).toHaveLength(3)
    shop.clock.advance(60_000)
    expect(await start(shop)).toBe(200)
  })

  it('counts each actor apart', async () => {
    let actor: string | undefined = 'ada'
    const shop = await limited({ actor: () => actor })
    for (const expected of [200, 200, 200, 429]) expect(await start(shop)).toBe(expected)
    actor = 'bo'
    expect(await start(shop)).toBe(200)
    actor = undefined
    expect(await start(shop)).toBe(200)
  })

  it('counts whom the endpoint names', async () => {
    let who = 'one'
    const shop = await limited({ startLimit: { limit: 1, windowMs: 1000, key: () => who } })
    expect(await start(shop)).toBe(200)
    expect(await start(shop)).toBe(429)
    who = 'two'
    expect(await start(shop)).toBe(200)
  })

  it('does not count what goes on, nor what is refused', async () => {
    const shop = await limited()
    const wfs = await shop.start('shop/order')
    for (let n = 0; n < 5; n++) {
      expect((await shop.send({ wfid: 'shop/hidden' })).status).toBe(403)
      expect((await shop.send({ wfid: 'shop/nothing' })).status).toBe(404)
    }
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
    expect(await start(shop)).toBe(200)
    expect(await start(shop)).toBe(200)
    expect(await start(shop)).toBe(429)
  })

  it.each([
    { startLimit: { limit: 0, windowMs: 1 } },
    { startLimit: { limit: 1.5, windowMs: 1 } },
    { startLimit: { limit: 1, windowMs: 0 } },
    { startLimit: { limit: 1, windowMs: 1, key: 'ip' } },
    { startLimit: { limit: 1, windowMs: 1 }, ledger: undefined },
  ])('refuses %j', async options => {
    const shop = await limited(options as object)
    expect((await shop.send({ wfid: 'shop/order' })).status).toBe(500)
    expect(shop.log.some(({ text }) => text.includes('startLimit'))).toBe(true)
  })
})
