import { randomBytes, randomUUID } from 'node:crypto'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  useWfFinished,
  WfLedgerMemory,
  type WfOutletConfig,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { useResponse } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { scaled } from '../support/scale'
import { openShop, type Shop } from '../support/shop'

/** A ledger that shows what it was given to keep. */
class OpenLedger extends WfLedgerMemory {
  readonly kept: unknown[][] = []

  override spend(...args: Parameters<WfLedgerMemory['spend']>) {
    this.kept.push(args)
    return super.spend(...args)
  }

  override extend(...args: Parameters<WfLedgerMemory['extend']>) {
    this.kept.push(['extend', ...args])
    return super.extend(...args)
  }

  override put(...args: Parameters<WfLedgerMemory['put']>) {
    this.kept.push(args)
    return super.put(...args)
  }
}

async function openSafeShop(overrides: Partial<WfOutletConfig> = {}) {
  const shop = await openShop()
  const ledger = new OpenLedger({ clock: shop.clock })
  shop.config = { ...shop.config, ledger, ...overrides }
  return { shop, ledger }
}

const ADA = { name: 'Ada' }
const WAIT = { timeout: 5000 }

/** Whether something has no answer yet, and has had the time to get one. */
const waits = (pending: Promise<unknown>) =>
  Promise.race([pending.then(() => false), new Promise(resolve => setTimeout(resolve, 50, true))])

describe('a request that is sent again with its id', () => {
  it('gets the same answer, and its step does not run again', async () => {
    const { shop } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    shop.ran.length = 0
    const request = { wfs, input: ADA, requestId: randomUUID() }
    const first = await shop.send(request)
    const again = await shop.send(request)
    expect(first.body.inputRequired.payload).toEqual({ ask: 'address' })
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(shop.ran).toEqual(['name', 'address'])
    const next = await shop.send({ wfs: again.body.wfs, input: { address: 'Here' } })
    expect(next.body.finished).toBe(true)
  })

  it('gets the same end', async () => {
    const { shop } = await openSafeShop()
    const request = { wfs: await shop.start('shop/gift'), input: ADA, requestId: 'r1' }
    const first = await shop.send(request)
    expect(first.text).toBe('{"finished":true,"data":{"name":"Ada"}}')
    expect((await shop.send(request)).text).toBe(first.text)
    expect(shop.ran.filter(step => step === 'done')).toHaveLength(1)
  })

  it('sends no second mail', async () => {
    const { shop } = await openSafeShop()
    shop.onName = input => (input ? outletEmail('ada@example.com', 'invite') : undefined)
    const request = { wfs: await shop.start('shop/invite'), input: ADA, requestId: 'r1' }
    expect((await shop.send(request)).body).toMatchObject({ sent: true, outlet: 'email' })
    expect((await shop.send(request)).body).toMatchObject({ sent: true, outlet: 'email' })
    expect(shop.mails).toHaveLength(1)
  })

  it('is redirected again', async () => {
    const { shop } = await openSafeShop()
    shop.onDone = () => useWfFinished().set({ type: 'redirect', value: '/home' })
    const request = { wfs: await shop.start('shop/gift'), input: ADA, requestId: 'r1' }
    const headers = { accept: 'text/html' }
    for (let round = 0; round < 2; round++) {
      const { status, headers: answer } = await shop.send(request, { headers })
      expect([status, answer.get('location')]).toEqual([303, '/home'])
    }
  })

  it('gets its token cookie again', async () => {
    const { shop } = await openSafeShop({ token: { write: 'cookie' } })
    const start = await shop.send({ wfid: 'shop/order' })
    const cookie = start.headers.get('set-cookie')?.split(';')[0] ?? ''
    const request = { input: ADA, requestId: 'r1' }
    const first = await shop.send(request, { cookie })
    const again = await shop.send(request, { cookie })
    expect(again.status).toBe(200)
    expect(again.headers.get('set-cookie')).toBe(first.headers.get('set-cookie'))
    expect(again.headers.get('set-cookie')).toContain('wfs=default.')
  })

  it.each<[string, () => void]>([
    [
      'by the end',
      () => useWfFinished().set({ type: 'data', value: 1, cookies: { s: { value: 'x' } } }),
    ],
    ['by a step', () => void useResponse().setCookie('s', 'x')],
    ['as it is', () => void useResponse().setCookieRaw('s=x')],
    ['as a header', () => void useResponse().setHeader('set-cookie', 's=x')],
  ])(
    'gets no second session: an answer that set a cookie %s is not repeated',
    async (_how, set) => {
      const { shop } = await openSafeShop()
      shop.onDone = set
      const request = { wfs: await shop.start('shop/gift'), input: ADA, requestId: 'r1' }
      expect((await shop.send(request)).headers.get('set-cookie')).toContain('s=x')
      const again = await shop.send(request)
      expect(again.status).toBe(409)
      expect(again.headers.get('set-cookie')).toBeNull()
      expect(again.body.error).toMatchObject({
        code: 'WF_FINISHED',
        restart: { wfid: 'shop/gift' },
      })
    },
  )

  it('waits while the first one runs', async () => {
    const { shop } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    let release = () => {}
    shop.onName = input => (input ? new Promise<void>(resolve => (release = resolve)) : undefined)
    const request = { wfs, input: ADA, requestId: 'r1' }
    const first = shop.send(request)
    const second = shop.send(request)
    await expect.poll(() => shop.ran.length).toBeGreaterThan(1)
    expect(await waits(second)).toBe(true)
    release()
    expect((await second).text).toBe((await first).text)
  })

  it('runs again if the first time nothing happened', async () => {
    const { shop } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    const { body } = await shop.send({ wfs, input: ADA })
    for (const [fail, status] of [
      ['crash', 500],
      ['http', 422],
    ]) {
      const request = { wfs: body.wfs, input: { fail }, requestId: `r-${fail}` }
      expect((await shop.send(request)).status).toBe(status)
      expect((await shop.send(request)).status).toBe(status)
    }
    const done = await shop.send({ wfs: body.wfs, input: { address: 'Here' }, requestId: 'r2' })
    expect(done.body.finished).toBe(true)
  })
})

describe('a request that is under way', () => {
  /** A shop whose first step waits to be let go. */
  async function busyShop(overrides: Partial<WfOutletConfig> = {}) {
    const { shop, ledger } = await openSafeShop(overrides)
    // Without a guard only the mark keeps the same request from running twice.
    const state = new EncapsulatedStateStrategy({ secret: randomBytes(32), clock: shop.clock })
    shop.config = { ...shop.config, state }
    const wfs = await shop.start('shop/order')
    const waiting: (() => void)[] = []
    shop.onName = input => (input ? new Promise<void>(resolve => waiting.push(resolve)) : undefined)
    shop.ran.length = 0
    const request = { wfs, input: ADA, requestId: 'r1' }
    const first = shop.send(request)
    await expect.poll(() => shop.ran).toEqual(['name'])
    const release = () => waiting.splice(0).forEach(resolve => resolve())
    return { shop, ledger, request, first, release }
  }

  it('stays marked, however long it takes', async () => {
    const { shop, ledger, request, first, release } = await busyShop()
    const beats = () => ledger.kept.filter(([what]) => what === 'extend').length
    for (let n = 0; n < 3; n++) {
      const before = beats()
      await expect.poll(beats, WAIT).toBeGreaterThan(before)
      shop.clock.advance(3000)
    }
    const second = shop.send(request)
    expect(await waits(second)).toBe(true)
    release()
    expect((await second).text).toBe((await first).text)
    expect(shop.ran).toEqual(['name', 'address'])
  })

  it('stays marked with a window that is shorter than a beat', async () => {
    const { shop, ledger, request, first, release } = await busyShop({ replayWindow: 500 })
    await expect.poll(() => ledger.kept.some(([what]) => what === 'extend'), WAIT).toBe(true)
    shop.clock.advance(600)
    const second = shop.send(request)
    expect(await waits(second)).toBe(true)
    release()
    expect((await second).text).toBe((await first).text)
    expect(shop.ran).toEqual(['name', 'address'])
  })

  it('is no longer waited for when nobody says any more that it is', async () => {
    const { shop, ledger, request, first, release } = await busyShop()
    // As if its process had died: the mark ends, and the next one runs.
    ledger.extend = async () => false
    shop.clock.advance(4999)
    const second = shop.send(request)
    expect(await waits(second)).toBe(true)
    expect(shop.ran).toEqual(['name'])
    shop.clock.advance(1)
    await expect.poll(() => shop.ran).toEqual(['name', 'name'])
    release()
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('a request that is not the same', () => {
  it.each([
    ['another input', { input: { name: 'Eve' } }],
    ['an action more', { input: ADA, action: 'x' }],
    ['no input', {}],
  ])('with the same id and %s is 422, and nothing is lost', async (_what, changed) => {
    const { shop } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    const first = await shop.send({ wfs, input: ADA, requestId: 'r1' })
    const other = await shop.send({ wfs, requestId: 'r1', ...changed })
    expect([other.status, other.body.error.code]).toEqual([422, 'WF_REQUEST_CHANGED'])
    const { body } = await shop.send({ wfs: first.body.wfs, input: { address: 'Here' } })
    expect(body.data).toEqual({ name: 'Ada', address: 'Here' })
  })

  it.each([
    ['another id', { requestId: 'r2' }],
    ['no id', {}],
  ])('with %s finds the token used', async (_what, id) => {
    const { shop } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    await shop.send({ wfs, input: ADA, requestId: 'r1' })
    expect((await shop.send({ wfs, input: ADA, ...id })).status).toBe(410)
  })

  it('with another token is another request', async () => {
    const { shop } = await openSafeShop()
    const answers = []
    for (const name of ['Ada', 'Bo']) {
      const wfs = await shop.start('shop/gift')
      answers.push((await shop.send({ wfs, input: { name }, requestId: 'r1' })).body.data)
    }
    expect(answers).toEqual([{ name: 'Ada' }, { name: 'Bo' }])
  })

  it('after the window finds the token used', async () => {
    const { shop } = await openSafeShop({ replayWindow: 1000 })
    const request = { wfs: await shop.start('shop/order'), input: ADA, requestId: 'r1' }
    await shop.send(request)
    shop.clock.advance(999)
    expect((await shop.send(request)).status).toBe(200)
    shop.clock.advance(2)
    expect((await shop.send(request)).status).toBe(410)
  })

  it.each([1, true, {}, [], '', 'x'.repeat(201), null].map(id => [id]))(
    'with %j for an id is told so, or has none',
    async requestId => {
      const { shop } = await openSafeShop()
      const wfs = await shop.start('shop/order')
      const answer = await shop.send({ wfs, input: ADA, requestId })
      expect(answer.status).toBe(requestId === null ? 200 : 400)
    },
  )
})

describe('what is kept', () => {
  it('tells nothing without the token and the id', async () => {
    const { shop, ledger } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    const requestId = 'a-request-id-of-ours'
    const first = await shop.send({ wfs, input: { name: 'Ada-of-the-input' }, requestId })
    await shop.send({ wfs, input: { name: 'Ada-of-the-input' }, requestId })
    const kept = JSON.stringify(ledger.kept)
    expect(ledger.kept.some(([kind]) => kind === 'answer')).toBe(true)
    for (const secret of [wfs, wfs.slice(8), requestId, 'Ada-of', 'address', first.body.wfs]) {
      expect(kept).not.toContain(secret)
    }
  })

  it('is nothing for a token that is none', async () => {
    const { shop, ledger } = await openSafeShop()
    for (const wfs of ['garbled', 'other.x', `default.${'x'.repeat(100_000)}`]) {
      await shop.send({ wfs, input: ADA, requestId: 'r1' })
    }
    expect(ledger.kept).toEqual([])
  })

  it('is given neither where the workflow is not allowed nor for another', async () => {
    const { shop } = await openSafeShop()
    const request = { wfs: await shop.start('shop/order'), input: ADA, requestId: 'r1' }
    await shop.send(request)
    expect((await shop.send({ ...request, wfid: 'shop/gift' })).status).toBe(409)
    shop.config = { ...shop.config, allow: ['shop/gift'] }
    expect((await shop.send(request)).status).toBe(403)
  })

  it('is given to the browser alone that the link was bound to', async () => {
    const { shop } = await openSafeShop()
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries > 1) return undefined
      return outletEmail('ada@example.com', 'sign-in', {}, { link: 'sameBrowser' })
    }
    const sent = await shop.send({ wfid: 'shop/order' })
    const cookie = sent.headers.get('set-cookie')?.split(';')[0]
    const request = { wfs: shop.mails[0]!.token, input: ADA, requestId: 'r1' }
    const first = await shop.send(request, { cookie })
    expect(first.status).toBe(200)
    for (const other of [undefined, 'wfs-browser=', `wfs-browser=${'x'.repeat(43)}`]) {
      const again = await shop.send(request, { cookie: other })
      expect([again.status, again.body.error.code]).toEqual([403, 'WF_WRONG_BROWSER'])
      expect(again.text).not.toContain(first.body.wfs)
    }
    expect((await shop.send(request, { cookie })).text).toBe(first.text)
  })

  it('is given to the browser alone that has asked, and its mark to nobody', async () => {
    const { shop } = await openSafeShop()
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries === 1) return outletHttp({ ask: 'name' })
      return outletEmail('ada@example.com', 'sign-in', {}, { link: 'sameBrowser' })
    }
    const mark = `wfs-browser=${'m'.repeat(43)}`
    const request = { wfs: await shop.start('shop/order'), input: ADA, requestId: 'r1' }
    const first = await shop.send(request, { cookie: mark })
    expect(first.body).toMatchObject({ sent: true, outlet: 'email' })
    for (const cookie of [undefined, `wfs-browser=${'x'.repeat(43)}`]) {
      const again = await shop.send(request, { cookie })
      expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
    }
    const own = await shop.send(request, { cookie: mark })
    expect([own.status, own.headers.get('set-cookie')]).toEqual([200, null])
  })

  it('is a new mark again, when the answer that brought it was lost', async () => {
    const { shop } = await openSafeShop()
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries === 1) return outletHttp({ ask: 'name' })
      return outletEmail('ada@example.com', 'sign-in', {}, { link: 'sameBrowser' })
    }
    const request = { wfs: await shop.start('shop/order'), input: ADA, requestId: 'r1' }
    const [first, again] = [await shop.send(request), await shop.send(request)]
    expect(first.headers.get('set-cookie')).toMatch(/^wfs-browser=/u)
    expect(again.headers.get('set-cookie')).toBe(first.headers.get('set-cookie'))
  })

  it('is the end of a flow too, however many answers there were before', async () => {
    const { shop } = await openSafeShop()
    const { clock } = shop
    const state = new EncapsulatedStateStrategy({ secret: randomBytes(32), clock })
    shop.config = { ...shop.config, state }
    const wfs = await shop.start('shop/gift')
    for (let n = 0; n < 25; n++) await shop.send({ wfs, input: {}, requestId: `r${n}` })
    shop.ran.length = 0
    const request = { wfs, input: ADA, requestId: 'end' }
    const answers = await Promise.all([shop.send(request), shop.send(request)])
    expect(answers.map(({ text }) => text)).toEqual([answers[0]!.text, answers[0]!.text])
    expect(shop.ran).toEqual(['name', 'done'])
  })

  it('is no more than a few answers of one flow', async () => {
    const { shop, ledger } = await openSafeShop()
    const { clock } = shop
    const state = new EncapsulatedStateStrategy({ secret: randomBytes(32), clock })
    shop.config = { ...shop.config, state }
    const wfs = await shop.start('shop/order')
    const answersKept = () => ledger.kept.filter(([kind]) => kind === 'answer').length
    for (let n = 0; n < 60; n++) {
      expect((await shop.send({ wfs, input: {}, requestId: `r${n}` })).status).toBe(200)
    }
    expect(answersKept()).toBe(20)
    const other = await shop.start('shop/order')
    await shop.send({ wfs: other, input: ADA, requestId: 'r' })
    expect(answersKept()).toBe(21)
    clock.advance(2 * 60_000)
    await shop.send({ wfs, input: {}, requestId: 'later' })
    expect(answersKept()).toBe(22)
  })

  it('is no answer that is long', async () => {
    const { shop, ledger } = await openSafeShop()
    // Counted in bytes.
    shop.onName = input => (input ? outletHttp({ long: 'ä'.repeat(17_000) }) : undefined)
    const request = { wfs: await shop.start('shop/order'), input: ADA, requestId: 'r1' }
    expect((await shop.send(request)).status).toBe(200)
    expect(JSON.stringify(ledger.kept).length).toBeLessThan(2000)
    expect((await shop.send(request)).body.error.code).toBe('WF_FINISHED')
  })

  it('is no tombstone of a form that the caller has gone on from', async () => {
    const { shop, ledger } = await openSafeShop()
    const tombstones = () => ledger.kept.filter(([kind]) => kind === 'tombstone').length
    const { body } = await shop.send({ wfs: await shop.start('shop/order'), input: ADA })
    expect(tombstones()).toBe(0)
    await shop.send({ wfs: body.wfs, input: { address: 'Here' } })
    expect(tombstones()).toBe(1)
  })

  it('is nothing without a ledger: the token is used', async () => {
    const shop = await openShop()
    const request = { wfs: await shop.start('shop/order'), input: ADA, requestId: 'r1' }
    expect((await shop.send(request)).status).toBe(200)
    expect((await shop.send(request)).status).toBe(410)
  })

  it('does not keep an answer from being sent when the ledger fails', async () => {
    const { shop, ledger } = await openSafeShop()
    const wfs = await shop.start('shop/order')
    ledger.put = () => Promise.reject(new Error('down'))
    const answer = await shop.send({ wfs, input: ADA, requestId: 'r1' })
    expect(answer.status).toBe(200)
    expect(shop.log.some(({ text }) => text.includes('cannot be repeated safely'))).toBe(true)
  })
})

describe('pairs of parallel submits', () => {
  const AT_ONCE = 50

  async function pair(shop: Shop): Promise<void> {
    const wfs = await shop.start('shop/gift')
    const request = { wfs, input: ADA, requestId: randomUUID() }
    const [one, two] = await Promise.all([shop.send(request), shop.send(request)])
    expect([one.status, one.text]).toEqual([200, '{"finished":true,"data":{"name":"Ada"}}'])
    expect([two.status, two.text]).toEqual([one.status, one.text])
  }

  it('run a step once without an id too, and the other is told that it is used or under way', async () => {
    const pairs = scaled(200, 10_000)
    const { shop } = await openSafeShop()
    const send = async () => {
      const request = { wfs: await shop.start('shop/gift'), input: ADA }
      const answers = await Promise.all([shop.send(request), shop.send(request)])
      const [first, second] = answers.toSorted((one, two) => one.status - two.status)
      expect(first?.status).toBe(200)
      expect(['WF_BUSY', 'WF_USED']).toContain(second?.body.error.code)
    }
    for (let done = 0; done < pairs; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, send))
    }
    expect(shop.ran.filter(step => step === 'done')).toHaveLength(pairs)
  })

  it('run a step once, and both get the same answer', async () => {
    const pairs = scaled(200, 10_000)
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const { shop } = await openSafeShop({ state })
    for (let done = 0; done < pairs; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => pair(shop)))
    }
    expect(shop.ran.filter(step => step === 'done')).toHaveLength(pairs)
  })
})

describe('replayWindow', () => {
  it.each([0, -1, Number.NaN, '1'])('refuses %j', async replayWindow => {
    const { shop } = await openSafeShop()
    shop.config = { ...shop.config, replayWindow: replayWindow as number }
    expect((await shop.send({ wfid: 'shop/order' })).status).toBe(500)
  })
})
