import { randomBytes, randomUUID } from 'node:crypto'
import {
  createWfRunner,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletEmail,
  useWfFinished,
  WfLedgerMemory,
  type WfOutletConfig,
} from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { openApprovals } from '../support/approval-app'
import { testEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'
import { type Answer, openShop, type Shop } from '../support/shop'

const ADA = { name: 'Ada' }
const newId = () => randomBytes(16).toString('base64url')
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0]

/** A ledger that shows what it was given. */
class OpenLedger extends WfLedgerMemory {
  readonly calls: unknown[][] = []

  override spend(...args: Parameters<WfLedgerMemory['spend']>) {
    this.calls.push(args)
    return super.spend(...args)
  }

  override put(...args: Parameters<WfLedgerMemory['put']>) {
    this.calls.push(args)
    return super.put(...args)
  }
}

async function openSafe(overrides: Partial<WfOutletConfig> = {}) {
  const shop = await openShop()
  const ledger = new OpenLedger({ clock: shop.clock })
  shop.config = { ...shop.config, ledger, ...overrides }
  return { shop, ledger }
}

const kinds = {
  handle: ({ store }: Shop) => new HandleStateStrategy({ store }),
  stable: ({ store }: Shop) => new HandleStateStrategy({ store, stable: true }),
  encapsulated: ({ clock }: Shop) =>
    new EncapsulatedStateStrategy({ secret: randomBytes(32), clock }),
}

describe.each(Object.entries(kinds))('a start that is sent again, %s', (_kind, stateOf) => {
  it('is one flow, with one answer', async () => {
    const { shop } = await openSafe()
    shop.config = { ...shop.config, state: stateOf(shop) }
    const request = { wfid: 'shop/order', input: ADA, requestId: newId() }
    const first = await shop.send(request)
    const again = await shop.send(request)
    expect(first.body.inputRequired.payload).toEqual({ ask: 'address' })
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.get('set-cookie')).toBe(first.headers.get('set-cookie'))
    expect(shop.ran).toEqual(['name', 'address'])
    const done = await shop.send({ wfs: again.body.wfs, input: { address: 'Here' } })
    expect(done.body.finished).toBe(true)
  })

  it('is one flow when it is sent many times at once', async () => {
    const { shop } = await openSafe()
    shop.config = { ...shop.config, state: stateOf(shop) }
    shop.onName = () => new Promise(resolve => setTimeout(resolve, 30))
    const request = { wfid: 'shop/order', input: ADA, requestId: newId() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.send(request)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(shop.ran).toEqual(['name', 'address'])
  })
})

describe('a start that is sent again', () => {
  it('sends no second mail, and is watched by the same token', async () => {
    const { shop } = await openSafe()
    shop.onName = () => outletEmail('ada@example.com', 'invite')
    const request = { wfid: 'shop/gift', requestId: newId() }
    const [first, again] = [await shop.send(request), await shop.send(request)]
    expect(again.body).toEqual(first.body)
    expect(first.body.watch).toEqual(expect.any(String))
    expect(shop.mails).toHaveLength(1)
  })

  it('is refused with another input, another field or from another address', async () => {
    const { shop } = await openSafe()
    const request = { wfid: 'shop/order', input: ADA, plan: 'small', requestId: newId() }
    const first = await shop.send(request)
    const changed = [
      { ...request, input: { name: 'Eve' } },
      { ...request, input: undefined },
      { ...request, plan: 'large' },
      { ...request, action: 'other' },
    ]
    for (const other of changed) {
      const refused = await shop.send(other)
      expect([refused.status, refused.body.error.code]).toEqual([422, 'WF_REQUEST_CHANGED'])
      expect(refused.text).not.toContain(first.body.wfs)
    }
    const elsewhere = await shop.send(request, { query: '?plan=large' })
    expect(elsewhere.body.error.code).toBe('WF_REQUEST_CHANGED')
    const workflow = await shop.send({ ...request, wfid: 'shop/gift' })
    expect([workflow.status, workflow.body.error.code]).toEqual([409, 'WF_MISMATCH'])
    expect(shop.ran).toEqual(['name', 'address'])
  })

  it('by someone else who has signed in meanwhile gives them nothing', async () => {
    let user = 'ada'
    let asked = 0
    const actor = async () => {
      asked++
      return user
    }
    const { shop } = await openSafe({ actor })
    const request = { wfid: 'shop/order', requestId: newId() }
    const first = await shop.send(request)
    expect(asked).toBe(1)
    user = 'eve'
    const other = await shop.send(request)
    expect([other.status, other.body.wfs]).toEqual([422, undefined])
    user = 'ada'
    expect((await shop.send(request)).text).toBe(first.text)
  })

  it('is answered in the browser alone that has asked', async () => {
    const { shop } = await openSafe()
    shop.config = { ...shop.config, state: kinds.stable(shop) }
    const cookie = cookieOf(await shop.send({ wfid: 'shop/order' }))!
    const request = { wfid: 'shop/order', requestId: newId() }
    const first = await shop.send(request, { cookie })
    const mark = `wfs-browser=${randomBytes(32).toString('base64url')}`
    for (const other of [undefined, mark, 'wfs-browser=']) {
      const refused = await shop.send(request, { cookie: other })
      expect([refused.status, refused.body.error.code]).toEqual([403, 'WF_WRONG_BROWSER'])
      expect(refused.text).not.toContain(first.body.wfs)
      expect(refused.headers.get('set-cookie')).toBeNull()
    }
    expect((await shop.send(request, { cookie })).text).toBe(first.text)
  })

  it('gives a new browser its mark again, without which it could not open its link', async () => {
    const { shop } = await openSafe()
    shop.onName = (_input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      const link = 'sameBrowser'
      return ctx.tries === 1 ? outletEmail('a@b.c', 'sign-in', {}, { link }) : undefined
    }
    const request = { wfid: 'shop/gift', requestId: newId() }
    await shop.send(request)
    const cookie = cookieOf(await shop.send(request))
    const wfs = shop.mails[0]!.token
    expect((await shop.send({ wfs, input: ADA }, { cookie })).body.finished).toBe(true)
  })

  it('does not set a session a second time', async () => {
    const { shop } = await openSafe()
    const cookies = { session: { value: 'x' } }
    shop.onDone = () => useWfFinished().set({ type: 'data', value: 1, cookies })
    const request = { wfid: 'shop/gift', input: ADA, requestId: newId() }
    expect(cookieOf(await shop.send(request))).toBe('session=x')
    const again = await shop.send(request)
    expect([again.status, again.body.error.code]).toEqual([409, 'WF_FINISHED'])
    expect(again.body.error.restart).toEqual({ wfid: 'shop/gift' })
    expect(cookieOf(again)).toBeUndefined()
    expect(shop.ran).toEqual(['name', 'done'])
  })

  it('runs if the first one has failed', async () => {
    const { shop } = await openSafe()
    const request = { wfid: 'shop/order', requestId: newId() }
    shop.onName = () => Promise.reject(new Error('down'))
    expect((await shop.send(request)).status).toBe(500)
    shop.onName = () => undefined
    expect((await shop.send(request)).status).toBe(200)
  })

  it('runs anew when the first one is forgotten', async () => {
    const { shop } = await openSafe({ replayWindow: 1000 })
    const request = { wfid: 'shop/order', requestId: newId() }
    const first = await shop.send(request)
    shop.clock.advance(1000)
    expect((await shop.send(request)).body.wfs).not.toBe(first.body.wfs)
  })

  it('is counted once', async () => {
    const { shop } = await openSafe({ startLimit: { limit: 1, windowMs: 60_000 } })
    const request = { wfid: 'shop/order', requestId: newId() }
    for (let times = 0; times < 5; times++) expect((await shop.send(request)).status).toBe(200)
    const other = await shop.send({ ...request, requestId: newId() })
    expect(other.status).toBe(429)
  })

  it('does not go on with the flow that the first has left in the cookie', async () => {
    const { shop } = await openSafe({ token: { write: 'cookie' } })
    const request = { wfid: 'shop/order', input: ADA, requestId: newId() }
    const first = await shop.send(request)
    const again = await shop.send(request, { cookie: cookieOf(first) })
    expect(again.text).toBe(first.text)
    expect(cookieOf(again)).toBe(cookieOf(first))
    expect(shop.ran).toEqual(['name', 'address'])
    const next = await shop.send({ input: { address: 'Here' } }, { cookie: cookieOf(first) })
    expect(next.body.finished).toBe(true)
  })
})

describe('a start is as ever', () => {
  it.each([
    ['whose id is too short', newId().slice(0, 21)],
    ['whose id has other characters', `${randomUUID()}!`],
    ['whose id is a token of someone', `default.${randomUUID()}`],
    ['without one', undefined],
  ])('%s', async (_what, requestId) => {
    const { shop, ledger } = await openSafe()
    const request = { wfid: 'shop/order', requestId }
    const [first, again] = [await shop.send(request), await shop.send(request)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body.wfs).not.toBe(first.body.wfs)
    expect(ledger.calls).toEqual([])
  })

  it('without a ledger', async () => {
    const { shop } = await openSafe({ ledger: undefined })
    const request = { wfid: 'shop/order', requestId: newId() }
    const [first, again] = [await shop.send(request), await shop.send(request)]
    expect(again.body.wfs).not.toBe(first.body.wfs)
  })
})

describe('what is kept of a start', () => {
  it('is closed to whoever does not have its id', async () => {
    const { shop, ledger } = await openSafe()
    const requestId = newId()
    const { body } = await shop.send({ wfid: 'shop/order', input: ADA, requestId })
    const kept = JSON.stringify(ledger.calls)
    for (const secret of [requestId, body.wfs, 'address', 'Ada', 'shop/order']) {
      expect(kept).not.toContain(secret)
    }
    expect(ledger.calls.length).toBeGreaterThan(0)
  })

  it('is nothing where it is not allowed, and nothing lasting where it is refused', async () => {
    const { shop, ledger } = await openSafe()
    for (const wfid of ['shop/hidden', 'shop/blocked']) {
      expect((await shop.send({ wfid, requestId: newId() })).status).toBe(403)
    }
    expect(ledger.calls).toEqual([])
    shop.config = { ...shop.config, allow: undefined }
    const requestId = newId()
    expect((await shop.send({ wfid: 'shop/none', requestId })).status).toBe(404)
    expect(ledger.calls.filter(([kind]) => kind !== 'request')).toEqual([])
    expect((await shop.send({ wfid: 'shop/order', requestId })).status).toBe(200)
  })

  it('is not given out where its workflow may not run', async () => {
    const { shop } = await openSafe()
    const request = { wfid: 'shop/order', requestId: newId() }
    const first = await shop.send(request)
    shop.config = { ...shop.config, allow: ['shop/gift'] }
    for (const wfid of ['shop/order', 'shop/gift']) {
      const other = await shop.send({ ...request, wfid })
      expect([other.status, other.body.error.code]).toEqual([403, 'WF_NOT_ALLOWED'])
      expect(other.text).not.toContain(first.body.wfs)
    }
  })

  it('is not what a resume with the same id is given', async () => {
    const { shop } = await openSafe()
    const requestId = newId()
    const { wfs } = (await shop.send({ wfid: 'shop/order', requestId })).body
    const next = await shop.send({ wfs, input: ADA, requestId })
    expect(next.body.inputRequired.payload).toEqual({ ask: 'address' })
    const made = await shop.send({ wfs: requestId, input: ADA, requestId })
    expect(made.status).toBe(410)
  })
})

describe('a runner', () => {
  it('starts once, with the same id, context and actor', async () => {
    const { wf } = await openApprovals({ guarded: false })
    let mails = 0
    const email = {
      name: 'email',
      tokenDelivery: 'out-of-band' as const,
      deliver: () => void mails++,
    }
    const state = new HandleStateStrategy({ store: (await openShop()).store })
    const runner = createWfRunner({ state, ledger: new WfLedgerMemory(), outlets: [email] }, wf)
    const requestId = newId()
    const options = { requestId, actor: 'import', context: { batch: 1 } }
    const first = await runner.start('leave/request', options)
    expect(first.kind).toBe('sent')
    expect(await runner.start('leave/request', options)).toEqual(first)
    for (const change of [{ actor: 'eve' }, { context: { batch: 2 } }, { input: { a: 1 } }]) {
      const changed = await runner.start('leave/request', { ...options, ...change })
      expect(changed).toMatchObject({ kind: 'refused', code: 'WF_REQUEST_CHANGED' })
    }
    expect(mails).toBe(1)
  })
})

describe.each(testEngines())('a start, with a ledger on $name', engine => {
  const database = useLedgerDatabase(engine)

  it('is one flow at two endpoints at once', async () => {
    const { ledger, clock } = await database.open()
    const shops = [await openShop(), await openShop()]
    for (const shop of shops) {
      shop.config = { ...shop.config, ledger, clock }
      shop.onName = () => new Promise(resolve => setTimeout(resolve, 30))
    }
    const request = { wfid: 'shop/order', input: ADA, requestId: newId() }
    const sending = Array.from({ length: 10 }, (_, index) => shops[index % 2]!.send(request))
    const answers = await Promise.all(sending)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(shops.flatMap(({ ran }) => ran)).toEqual(['name', 'address'])
  })
})
