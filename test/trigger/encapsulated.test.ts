import { randomBytes } from 'node:crypto'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletHttp,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { openShop } from '../support/shop'

const secret = randomBytes(32)
const encapsulated = (options = {}) => new EncapsulatedStateStrategy({ secret, ...options })
const handle = () => new HandleStateStrategy({ store: new WfStateStoreMemory() })

describe('a flow in a token', () => {
  it('goes from its start to its end without anything stored', async () => {
    const shop = await openShop({ state: encapsulated() })
    const wfs = await shop.start('shop/order')
    expect(wfs.split('.')).toHaveLength(6)
    const second = await shop.send({ wfs, input: { name: 'Ada' } })
    const done = await shop.send({ wfs: second.body.wfs, input: { address: 'Here' } })
    expect(done.body).toEqual({ finished: true, data: { name: 'Ada', address: 'Here' } })
  })

  it('fits into a cookie', async () => {
    const shop = await openShop({ state: encapsulated(), token: { write: 'cookie' } })
    const first = await shop.send({ wfid: 'shop/order' })
    const cookie = first.headers.get('set-cookie') ?? ''
    expect(cookie.split(';')[0]?.length).toBeLessThan(4096)
    expect(cookie).toMatch(/Max-Age=\d+/u)
    const second = await shop.send({ input: { name: 'Ada' } }, { cookie: cookie.split(';')[0] })
    expect(second.status).toBe(200)
  })

  it('does not open under another name of the registry', async () => {
    const strategy = encapsulated()
    const shop = await openShop({
      state: { strategies: { a: strategy, b: strategy }, default: 'a' },
    })
    const wfs = await shop.start('shop/order')
    const forged = wfs.replace(/^a\./u, 'b.')
    expect((await shop.send({ wfs: forged, input: { name: 'Ada' } })).status).toBe(410)
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it('counts attempts that replaying an older token does not give back, with a guard', async () => {
    const shop = await openShop({ state: encapsulated({ replay: new WfLedgerMemory() }) })
    shop.onName = (input, ctx) => {
      if (input) ctx.tries = (ctx.tries ?? 0) + 1
      return outletHttp({ tries: ctx.tries ?? 0 })
    }
    const first = await shop.start('shop/order')
    const second = await shop.send({ wfs: first, input: { code: '0' } })
    expect(second.body.inputRequired.payload).toEqual({ tries: 1 })
    expect((await shop.send({ wfs: first, input: { code: '1' } })).status).toBe(410)
    const third = await shop.send({ wfs: second.body.wfs, input: { code: '2' } })
    expect(third.body.inputRequired.payload).toEqual({ tries: 2 })
    expect(shop.rejections[0]?.reason).toBe('used')
  })

  it('can be tried again when its step fails, with a guard', async () => {
    const shop = await openShop({ state: encapsulated({ replay: new WfLedgerMemory() }) })
    const wfs = await shop.start('shop/order')
    const next = (await shop.send({ wfs, input: { name: 'Ada' } })).body.wfs as string
    expect((await shop.send({ wfs: next, input: { fail: 'crash' } })).status).toBe(500)
    expect((await shop.send({ wfs: next, input: { fail: 'http' } })).status).toBe(422)
    const done = await shop.send({ wfs: next, input: { address: 'Here' } })
    expect(done.body.finished).toBe(true)
  })

  it('can be sent to someone else, with a guard, and then the caller’s is dead', async () => {
    const shop = await openShop({ state: encapsulated({ replay: new WfLedgerMemory() }) })
    const wfs = await shop.start('shop/invite')
    await shop.send({ wfs, input: { name: 'ada' } })
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(410)
    const [mail] = shop.mails
    const done = await shop.send({ wfs: mail?.token, input: { accept: 'yes' } })
    expect(done.body.finished).toBe(true)
  })
})

describe('a state that does not fit into a token', () => {
  const large = { name: 'x'.repeat(4000) }

  it('is an error that names the path, and the flow stays where it was', async () => {
    const shop = await openShop({ state: encapsulated() })
    const wfs = await shop.start('shop/order')
    const refused = await shop.send({ wfs, input: large })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'WF_CONTENT_REFUSED'])
    const texts = shop.log.map(({ text }) => text).join('\n')
    expect(texts).toContain('context.name (4002 characters)')
    expect(texts).not.toContain('xxx')
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })

  it.each([undefined, new WfLedgerMemory()])(
    'spills to the overflow strategy, and the flow goes on (replay guard: %s)',
    async replay => {
      const shop = await openShop({
        state: {
          strategies: { token: encapsulated({ replay }), row: handle() },
          default: 'token',
          overflow: 'row',
        },
      })
      const wfs = await shop.start('shop/order')
      expect(wfs).toMatch(/^token\./u)
      const spilled = await shop.send({ wfs, input: large })
      expect(spilled.body.wfs).toMatch(/^row\./u)
      if (replay) expect((await shop.send({ wfs, input: large })).status).toBe(410)
      const done = await shop.send({ wfs: spilled.body.wfs, input: { address: 'Here' } })
      expect(done.body.data).toEqual({ ...large, address: 'Here' })
    },
  )
})
