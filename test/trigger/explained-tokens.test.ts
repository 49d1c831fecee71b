import { randomBytes } from 'node:crypto'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outlet,
  outletEmail,
  outletHttp,
  WfError,
  WfLedgerMemory,
  type WfOutlet,
  WorkflowCarryOver,
} from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { type Answer, openShop, type Shop } from '../support/shop'

const HOUR_MS = 60 * 60_000

type Kind = 'handle' | 'stable' | 'encapsulated' | 'unguarded'

/** A shop whose tokens live for an hour, and which remembers used ones. */
async function openHourShop(kind: Kind = 'handle'): Promise<Shop> {
  const shop = await openShop()
  const { clock, store } = shop
  const ledger = new WfLedgerMemory({ clock })
  const state =
    kind === 'encapsulated' || kind === 'unguarded'
      ? new EncapsulatedStateStrategy({
          secret: randomBytes(32),
          defaultTtl: HOUR_MS,
          replay: kind === 'unguarded' ? undefined : ledger,
          clock,
        })
      : new HandleStateStrategy({ store, defaultTtl: HOUR_MS, stable: kind === 'stable' })
  shop.config = { ...shop.config, state, ledger }
  return shop
}

const ADA = { name: 'Ada' }
const peek = (shop: Shop, wfs: string) =>
  shop.send(null, { method: 'GET', query: `?wfs=${encodeURIComponent(wfs)}` })

describe.each(['handle', 'stable', 'encapsulated'] as const)('a holder of a %s token', kind => {
  it('is told that it has expired, and where to start again', async () => {
    const shop = await openHourShop(kind)
    const wfs = await shop.start('shop/gift')
    shop.clock.advance(HOUR_MS)
    const message = 'This link or form has expired. Please start again.'
    const error = { code: 'WF_EXPIRED', message, status: 410, restart: { wfid: 'shop/gift' } }
    for (const answer of [await shop.send({ wfs, input: ADA }), await peek(shop, wfs)]) {
      expect(answer.body).toEqual({ message, error })
    }
    expect(shop.ran).toEqual(['name'])
  })

  it('is told that it was used', async () => {
    const shop = await openHourShop(kind)
    const wfs = await shop.start('shop/gift')
    await shop.send({ wfs, input: ADA })
    const { status, body } = await shop.send({ wfs, input: ADA })
    expect([status, body.error.code]).toEqual([410, 'WF_USED'])
    expect(body.error.restart).toEqual({ wfid: 'shop/gift' })
    shop.clock.advance(2 * HOUR_MS)
    expect((await shop.send({ wfs, input: ADA })).body.error.code).toBe('WF_USED')
  })

  it('is told nothing at an endpoint that may not run its workflow', async () => {
    const shop = await openHourShop(kind)
    const isTold = ({ body: { error } }: Answer) =>
      error.restart !== undefined || !['WF_STATE_GONE', 'WF_NOT_ALLOWED'].includes(error.code)
    for (const spoil of ['use', 'expire']) {
      const wfs = await shop.start('shop/gift')
      if (spoil === 'use') await shop.send({ wfs, input: ADA })
      else shop.clock.advance(HOUR_MS)
      const { config } = shop
      shop.config = { ...config, allow: ['shop/order'] }
      expect(isTold(await shop.send({ wfs, input: ADA }))).toBe(false)
      expect(isTold(await shop.send({ wfs, restart: true }))).toBe(false)
      shop.config = config
    }
  })
})

describe('a used token', () => {
  it('is told from another that begins alike, whatever handles look like', async () => {
    const shop = await openHourShop()
    let count = 0
    const generateHandle = () => `acme~${String(count++).padStart(16, '0')}`
    shop.config = {
      ...shop.config,
      state: new HandleStateStrategy({ store: shop.store, generateHandle }),
    }
    const wfs = await shop.start('shop/gift')
    await shop.send({ wfs, input: ADA })
    expect((await shop.send({ wfs })).body.error.code).toBe('WF_USED')
    const guess = await shop.send({ wfs: `default.acme~${'9'.repeat(16)}` })
    expect(guess.body.error.code).toBe('WF_STATE_GONE')
  })

  it('is forgotten in the end', async () => {
    const shop = await openHourShop()
    shop.config = { ...shop.config, tombstoneTtl: 1000 }
    const wfs = await shop.start('shop/gift')
    await shop.send({ wfs, input: ADA })
    expect((await shop.send({ wfs })).body.error.code).toBe('WF_USED')
    shop.clock.advance(1000)
    expect((await shop.send({ wfs })).body.error.code).toBe('WF_STATE_GONE')
  })

  it('whose request failed is not a used one', async () => {
    const shop = await openHourShop()
    const wfs = await shop.start('shop/gift')
    shop.onName = () => {
      throw new Error('down')
    }
    expect((await shop.send({ wfs, input: ADA })).status).toBe(500)
    expect((await peek(shop, wfs)).status).toBe(200)
  })

  it('does not keep anyone from going on when it cannot be noted', async () => {
    const shop = await openHourShop()
    const wfs = await shop.start('shop/gift')
    shop.config.ledger!.put = () => Promise.reject(new Error('down'))
    expect((await shop.send({ wfs, input: ADA })).body.finished).toBe(true)
  })
})

describe('a fresh flow', () => {
  /** An order that has expired at its second step. */
  async function expiredOrder(kind: 'handle' | 'encapsulated' = 'handle') {
    const shop = await openHourShop(kind)
    const first = await shop.send({ wfs: await shop.start('shop/order'), input: ADA })
    shop.clock.advance(HOUR_MS)
    const seen: unknown[] = []
    shop.onName = (_input, ctx) => void seen.push({ ...ctx })
    return { shop, seen, wfs: first.body.wfs as string }
  }

  it.each(['handle', 'encapsulated'] as const)(
    'keeps what the workflow carries over of an expired one: %s',
    async kind => {
      const { shop, seen, wfs } = await expiredOrder(kind)
      const refused = await shop.send({ wfs })
      expect(refused.body.error.restart).toEqual({ wfid: 'shop/order', carriesOver: true })
      const fresh = await shop.send({ wfs, restart: true })
      expect(fresh.status).toBe(200)
      expect(seen).toEqual([{ name: 'Ada' }])
    },
  )

  it('keeps nothing after the time of grace, nor of a workflow that carries nothing over', async () => {
    const { shop, wfs } = await expiredOrder()
    shop.clock.advance(60_001)
    const late = await shop.send({ wfs, restart: true })
    expect(late.body.error).toMatchObject({ code: 'WF_EXPIRED', restart: { wfid: 'shop/order' } })
    expect(late.body.error.restart.carriesOver).toBeUndefined()
    const gift = await shop.start('shop/gift')
    shop.clock.advance(HOUR_MS)
    expect((await shop.send({ wfs: gift, restart: true })).status).toBe(410)
  })

  it('is started once, with a ledger', async () => {
    const { shop, wfs } = await expiredOrder()
    const answers = [
      await shop.send({ wfs, restart: true }),
      await shop.send({ wfs, restart: true }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 410])
  })

  it.each(['handle', 'encapsulated'] as const)(
    'keeps nothing of one that was used before it expired: %s',
    async kind => {
      const { shop, wfs } = await expiredOrder(kind)
      const { body } = await shop.send({ wfs: await shop.start('shop/order'), input: ADA })
      await shop.send({ wfs: body.wfs, input: { address: 'Here' } })
      shop.clock.advance(HOUR_MS)
      const used = await shop.send({ wfs: body.wfs, restart: true })
      expect([used.status, used.body.error.code]).toEqual([410, 'WF_USED'])
      expect((await shop.send({ wfs, restart: true })).status).toBe(410)
    },
  )

  it('keeps nothing of a link for another browser, nor beyond the end of the whole flow', async () => {
    const shop = await openHourShop()
    shop.onName = (input, ctx) => {
      if (!input?.name) return undefined
      ctx.name = input.name
      return outletEmail('ada@example.com', 'sign-in', {}, { link: 'sameBrowser' })
    }
    const sent = await shop.send({ wfs: await shop.start('shop/order'), input: ADA })
    const cookie = sent.headers.get('set-cookie')?.split(';')[0]
    const wfs = shop.mails[0]!.token
    shop.onName = () => undefined
    shop.clock.advance(HOUR_MS)
    expect((await shop.send({ wfs, restart: true })).status).toBe(410)
    const { config } = shop
    shop.config = { ...config, maxLifetime: 1000 }
    expect((await shop.send({ wfs, restart: true }, { cookie })).status).toBe(410)
    shop.config = config
    expect((await shop.send({ wfs, restart: true }, { cookie })).status).toBe(200)
  })

  it('keeps nothing of a used token without a guard either, which says so itself', async () => {
    const shop = await openHourShop('unguarded')
    const { body } = await shop.send({ wfs: await shop.start('shop/order'), input: ADA })
    await shop.send({ wfs: body.wfs, input: { address: 'Here' } })
    shop.clock.advance(HOUR_MS)
    for (const restart of [{}, { restart: true }]) {
      const used = await shop.send({ wfs: body.wfs, ...restart })
      expect([used.status, used.body.error.code]).toEqual([410, 'WF_USED'])
    }
  })

  it('that was not allowed to start, or failed, leaves what it would have kept', async () => {
    const { shop, seen, wfs } = await expiredOrder()
    const { config, onName } = shop
    shop.config = { ...config, startLimit: { limit: 1, windowMs: 1000, key: () => 'all' } }
    expect((await shop.send({ wfid: 'shop/gift' })).status).toBe(200)
    expect((await shop.send({ wfs, restart: true })).status).toBe(429)
    shop.config = config
    shop.onName = () => Promise.reject(new Error('down'))
    expect((await shop.send({ wfs, restart: true })).status).toBe(500)
    shop.onName = onName
    seen.length = 0
    expect((await shop.send({ wfs, restart: true })).status).toBe(200)
    expect(seen).toEqual([{ name: 'Ada' }])
    const again = await shop.send({ wfs })
    expect(again.body.error.restart).toEqual({ wfid: 'shop/order' })
  })

  it('keeps nothing of a flow that has ended, by none of its forms', async () => {
    const shop = await openHourShop('unguarded')
    const asked = await shop.send({ wfs: await shop.start('shop/order'), input: ADA })
    const again = await shop.send({ wfs: asked.body.wfs, input: {} })
    await shop.send({ wfs: again.body.wfs, input: { address: 'Here' } })
    shop.clock.advance(HOUR_MS)
    const used = await shop.send({ wfs: asked.body.wfs, restart: true })
    expect(used.status).toBe(410)
    expect(used.body.error.restart.carriesOver).toBeUndefined()
  })

  it('is of the workflow that was named, or of none', async () => {
    const { shop, wfs } = await expiredOrder()
    const other = await shop.send({ wfs, wfid: 'shop/gift', restart: true })
    expect([other.status, other.body.error.code]).toEqual([409, 'WF_MISMATCH'])
    expect((await shop.send({ wfs, wfid: 'shop/order', restart: true })).status).toBe(200)
  })

  it('is started for a left-over cookie of another workflow, with nothing of that', async () => {
    const { shop, seen, wfs } = await expiredOrder()
    shop.config = { ...shop.config, token: { read: ['body', 'cookie'] } }
    const body = { wfid: 'shop/gift', restart: true }
    expect((await shop.send(body, { cookie: `wfs=${wfs}` })).status).toBe(200)
    expect(seen).toEqual([{}])
  })

  it('lets what the server says of it win', async () => {
    const { shop, seen, wfs } = await expiredOrder()
    shop.config = { ...shop.config, initialContext: () => ({ name: 'of the server' }) }
    await shop.send({ wfs, restart: true })
    expect(seen).toEqual([{ name: 'of the server' }])
  })

  it('is not started by a token that is alive or used', async () => {
    const shop = await openHourShop()
    const wfs = await shop.start('shop/order')
    shop.ran.length = 0
    const { body } = await shop.send({ wfs, restart: true, input: ADA })
    expect(body.inputRequired.payload).toEqual({ ask: 'address' })
    expect((await shop.send({ wfs, restart: true })).status).toBe(410)
  })
})

describe('an older version of a stable token', () => {
  const browserOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0]

  it('is shown the form where the flow is now, and can go on there', async () => {
    const shop = await openHourShop('stable')
    const wfs = await shop.start('shop/order')
    const cookie = browserOf(await shop.send({ wfs, input: ADA }))
    const old = await shop.send({ wfs, input: { name: 'Eve', address: 'There' } }, { cookie })
    expect([old.status, old.body.error.code]).toEqual([410, 'WF_SUPERSEDED'])
    expect(old.body.inputRequired.payload).toEqual({ ask: 'address' })
    const done = await shop.send({ wfs: old.body.wfs, input: { address: 'Here' } })
    expect(done.body.data).toEqual({ name: 'Ada', address: 'Here' })
  })

  it('runs nothing: a second click on the page before pays nothing', async () => {
    const shop = await openHourShop('stable')
    const wfs = await shop.start('shop/gift')
    let paid = 0
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries === 1) return outletHttp({ press: 'pay' })
      paid++
      return input
    }
    const cookie = browserOf(await shop.send({ wfs, input: ADA, requestId: 'r1' }))
    for (const requestId of ['r2', 'r2', 'r3']) {
      const old = await shop.send({ wfs, input: ADA, requestId }, { cookie })
      expect([old.status, old.body.finished]).toEqual([410, undefined])
      expect(old.body.inputRequired.payload).toEqual({ press: 'pay' })
    }
    expect(paid).toBe(0)
  })

  it('is told nothing of where the flow is now in another browser', async () => {
    const shop = await openHourShop('stable')
    const start = await shop.send({ wfid: 'shop/order' })
    const attacker = browserOf(start)
    const { wfs } = start.body
    // Whoever has started a flow for another does not know what that one has typed, nor how to go on.
    const victim = await shop.send({ wfs, input: ADA })
    expect(browserOf(victim)).not.toBe(attacker)
    for (const cookie of [attacker, undefined, 'wfs-browser=', 'wfs-browser=x']) {
      const old = await shop.send({ wfs, input: ADA }, { cookie })
      expect(old.body).toEqual({
        message: expect.any(String),
        error: {
          code: 'WF_SUPERSEDED',
          message: expect.any(String),
          status: 410,
          restart: { wfid: 'shop/order' },
        },
      })
      expect(old.headers.get('set-cookie')).toBeNull()
    }
    const done = await shop.send({ wfs: victim.body.wfs, input: { address: 'Here' } })
    expect(done.body.finished).toBe(true)
  })

  it('is not delivered again by an outlet that sends something', async () => {
    const shop = await openHourShop('stable')
    let sent = 0
    const pager = { name: 'pager', deliver: async () => void sent++ }
    shop.config = { ...shop.config, outlets: [pager] }
    shop.onName = () => outlet('pager', { payload: { ask: 'name' } })
    const wfs = await shop.start('shop/order')
    const cookie = browserOf(await shop.send({ wfs, input: ADA }))
    const old = await shop.send({ wfs, input: ADA }, { cookie })
    expect([old.body.error.code, old.body.wfs, sent]).toEqual(['WF_SUPERSEDED', undefined, 2])
  })

  it('is answered, and its token is not in the log, when it cannot be shown again', async () => {
    const shop = await openHourShop('stable')
    let isBroken = false
    const quoting: WfOutlet = {
      name: 'http',
      isRepeatable: true,
      deliver: async ({ payload }, token) => {
        if (isBroken) throw new Error(`cannot show ${token}`)
        return { response: { payload } }
      },
    }
    shop.config = { ...shop.config, outlets: [quoting] }
    const wfs = await shop.start('shop/order')
    const next = await shop.send({ wfs, input: ADA })
    isBroken = true
    const old = await shop.send({ wfs, input: ADA }, { cookie: browserOf(next) })
    expect([old.status, old.body.error.code]).toEqual([410, 'WF_SUPERSEDED'])
    expect(shop.log.some(({ text }) => text.includes('could not be shown again'))).toBe(true)
    expect(shop.log.some(({ text }) => text.includes(next.body.wfs))).toBe(false)
  })

  it('does not tell the next one', async () => {
    const shop = await openHourShop('stable')
    const wfs = await shop.start('shop/order')
    const [handle, version] = wfs.split('~')
    const { body } = await shop.send({ wfs, input: ADA })
    expect(body.wfs.startsWith(`${handle}~`)).toBe(true)
    expect(body.wfs).not.toBe(wfs)
    expect(version).toMatch(/^[\w-]{16}$/u)
    for (const guess of ['1', '2', '3', version, version?.toUpperCase()]) {
      const guessed = await shop.send({ wfs: `${handle}~${guess}`, input: { address: 'There' } })
      expect([guessed.status, guessed.body.wfs]).toEqual([410, undefined])
    }
  })

  it('of a flow that is bound to a browser is told nothing in another', async () => {
    const shop = await openHourShop('stable')
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries === 1) return outletEmail('a@b.c', 'sign-in', {}, { link: 'sameBrowser' })
      return input?.name ? undefined : outletHttp({ ask: 'name' }, { secret: ctx.tries })
    }
    const cookie = browserOf(await shop.send({ wfid: 'shop/order' }))
    const opened = await shop.send({ wfs: shop.mails[0]!.token }, { cookie })
    const { wfs } = opened.body
    expect((await shop.send({ wfs }, { cookie })).status).toBe(200)
    for (const other of [undefined, browserOf(await shop.send({ wfid: 'shop/order' }))]) {
      const old = await shop.send({ wfs }, { cookie: other })
      expect([old.body.error.code, old.body.wfs]).toEqual(['WF_SUPERSEDED', undefined])
      expect(old.text).not.toContain('secret')
    }
    expect((await shop.send({ wfs }, { cookie })).body.wfs).toEqual(expect.any(String))
  })

  it('of a link that was used gives nobody the flow of the one who used it', async () => {
    const shop = await openHourShop('stable')
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries === 1) return outletEmail('ada@example.com', 'invite')
      return input?.name ? undefined : outletHttp({ ask: 'name' })
    }
    await shop.send({ wfid: 'shop/gift' })
    const link = shop.mails[0]!.token
    const { body } = await shop.send({ wfs: link })
    const handleOf = (token: string) => token.split('~')[0]
    expect(handleOf(body.wfs)).not.toBe(handleOf(link))
    const thief = await shop.send({ wfs: link })
    expect([thief.body.error.code, thief.body.wfs]).toEqual(['WF_USED', undefined])
    expect((await shop.send({ wfs: body.wfs, input: ADA })).body.finished).toBe(true)
  })

  it('is shown nothing that waits for someone else', async () => {
    const shop = await openHourShop('stable')
    const wfs = await shop.start('shop/invite')
    shop.onName = () => outletEmail('ada@example.com', 'invite')
    await shop.send({ wfs, input: ADA })
    const old = await shop.send({ wfs, input: ADA })
    expect([old.status, old.body.inputRequired]).toEqual([410, undefined])
    expect(shop.mails).toHaveLength(1)
  })
})

describe('@WorkflowCarryOver', () => {
  it.each([
    {},
    { keys: 'name', graceMs: 1 },
    { keys: [''], graceMs: 1 },
    { keys: [1], graceMs: 1 },
    { keys: ['a'], graceMs: 0 },
    { keys: ['a'], graceMs: Number.NaN },
    { keys: ['a'] },
  ])('refuses %j', options => {
    expect(() => WorkflowCarryOver(options as never)).toThrow(WfError)
  })
})
