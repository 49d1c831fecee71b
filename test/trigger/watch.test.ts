import { randomBytes } from 'node:crypto'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  type WfLedger,
  WfLedgerMemory,
  type WfOutletConfig,
} from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { openApprovals } from '../support/approval-app'
import { testEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'
import { type Answer, openShop, type SendOptions, type Shop } from '../support/shop'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const ADA = { name: 'ada' }
const ACCEPT = { accept: 'yes' }

type Kind = 'handle' | 'stable' | 'encapsulated'

/** A shop whose links live for an hour, and can be watched. */
async function openWatched(kind: Kind = 'handle', overrides: Partial<WfOutletConfig> = {}) {
  const shop = await openShop()
  const { clock, store } = shop
  const ledger = new WfLedgerMemory({ clock })
  const state =
    kind === 'encapsulated'
      ? new EncapsulatedStateStrategy({
          secret: randomBytes(32),
          defaultTtl: HOUR_MS,
          replay: ledger,
          clock,
        })
      : new HandleStateStrategy({ store, defaultTtl: HOUR_MS, stable: kind === 'stable' })
  shop.config = { ...shop.config, state, ledger, ...overrides }
  return shop
}

/** Sends an invitation. @returns what it can be watched by, and its link */
async function invite(shop: Shop) {
  const sent = await shop.send({ wfs: await shop.start('shop/invite'), input: ADA })
  return { sent, watch: sent.body.watch as string, link: shop.mails.at(-1)!.token }
}

const look = (shop: Shop, watch: string, options: SendOptions = {}) =>
  shop.send(null, { method: 'GET', query: `?watch=${encodeURIComponent(watch)}`, ...options })

/** What is answered to whoever knows nothing. */
const stranger = (shop: Shop) => look(shop, 'x'.repeat(32))

describe.each(['handle', 'stable', 'encapsulated'] as const)('whoever has sent a %s link', kind => {
  it('sees that it waits, and that it was answered', async () => {
    const shop = await openWatched(kind)
    const { sent, watch, link } = await invite(shop)
    expect(sent.body).toEqual({ sent: true, outlet: 'email', watch: expect.any(String) })
    const expiresAt = shop.clock.now() + HOUR_MS
    const waiting = await look(shop, watch)
    expect(waiting.status).toBe(200)
    expect(waiting.body).toEqual({ watching: true, state: 'waiting', expiresAt })
    expect(waiting.headers.get('cache-control')).toBe('no-store')
    shop.clock.advance(1000)
    expect((await shop.send({ wfs: link, input: ACCEPT })).body.finished).toBe(true)
    const at = shop.clock.now()
    shop.clock.advance(1000)
    expect((await look(shop, watch)).body).toEqual({ watching: true, state: 'ended', at })
  })

  it('sees that the flow goes on, and then that it has ended', async () => {
    const shop = await openWatched(kind)
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries === 1) return outletEmail('ada@example.com', 'invite')
      if (ctx.tries === 3) return outletEmail('bob@example.com', 'check')
      return input?.name ? undefined : outletHttp({ ask: 'name' })
    }
    const { watch } = (await shop.send({ wfid: 'shop/gift' })).body
    const opened = await shop.send({ wfs: shop.mails[0]!.token })
    const answeredAt = shop.clock.now()
    expect((await look(shop, watch)).body).toMatchObject({ state: 'answered', at: answeredAt })
    const second = await shop.send({ wfs: opened.body.wfs, input: {} })
    expect(second.body.watch).not.toBe(watch)
    shop.clock.advance(1000)
    expect((await look(shop, watch)).body).toMatchObject({ state: 'answered', at: answeredAt })
    expect((await look(shop, second.body.watch)).body.state).toBe('waiting')
    await shop.send({ wfs: shop.mails[1]!.token, input: ADA })
    for (const each of [watch, second.body.watch]) {
      expect((await look(shop, each)).body).toMatchObject({ state: 'ended', at: answeredAt + 1000 })
    }
  })

  it('sees that nobody has answered in time', async () => {
    const shop = await openWatched(kind)
    const { watch } = await invite(shop)
    const at = shop.clock.now() + HOUR_MS
    shop.clock.advance(2 * HOUR_MS)
    expect((await look(shop, watch)).body).toEqual({ watching: true, state: 'expired', at })
  })

  it('sees what became of it as long as there is anything to be seen', async () => {
    const shop = await openWatched(kind)
    const { watch, link } = await invite(shop)
    await shop.send({ wfs: link, input: ACCEPT })
    for (let day = 0; day < 7; day++) {
      expect((await look(shop, watch)).body.state).toBe('ended')
      shop.clock.advance(DAY_MS)
    }
    shop.clock.advance(HOUR_MS)
    expect((await look(shop, watch)).text).toBe((await stranger(shop)).text)
  })
})

describe('a watch token', () => {
  it('goes on with nothing, wherever it is put', async () => {
    const shop = await openWatched('handle', { token: { read: ['body', 'query', 'cookie'] } })
    const { watch, link } = await invite(shop)
    shop.ran.length = 0
    const bodies = [
      { wfs: watch },
      { wfs: `default.${watch}` },
      { wfs: watch, input: ACCEPT },
      { wfs: `default.${watch}`, input: ACCEPT },
      { wfs: watch, restart: true },
      { wfs: watch, wfid: 'shop/invite', restart: true, requestId: 'r1' },
      { watch, input: ACCEPT },
      { wfs: link.slice(0, -1), watch, input: ACCEPT },
    ]
    for (const body of bodies) {
      const { status } = await shop.send(body)
      expect([400, 410], JSON.stringify(body)).toContain(status)
    }
    for (const cookie of [`wfs=${watch}`, `wfs=default.${watch}`, `wfs-browser=${watch}`]) {
      expect([400, 410], cookie).toContain((await shop.send({ input: ACCEPT }, { cookie })).status)
    }
    for (const query of [`?wfs=${watch}`, `?wfs=default.${watch}`]) {
      expect((await shop.send(null, { method: 'GET', query })).status).toBe(410)
    }
    expect((await shop.send({ input: ACCEPT }, { query: `?watch=${watch}` })).status).toBe(400)
    expect(shop.ran).toEqual([])
    expect((await look(shop, watch)).body.state).toBe('waiting')
    expect((await shop.send({ wfs: link, input: ACCEPT })).body.finished).toBe(true)
  })

  it('is nobody’s mark: a link for one browser does not open by it', async () => {
    const shop = await openWatched()
    shop.onName = (_input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries > 1) return undefined
      return outletEmail('a@b.c', 'sign-in', {}, { link: 'sameBrowser' })
    }
    const { watch } = (await shop.send({ wfid: 'shop/gift' })).body
    const wfs = shop.mails[0]!.token
    const thief = await shop.send({ wfs, input: ADA }, { cookie: `wfs-browser=${watch}` })
    expect([thief.status, thief.body.error.code]).toEqual([403, 'WF_WRONG_BROWSER'])
  })

  it('tells a stranger nothing, byte for byte, and no holder of a link', async () => {
    const shop = await openWatched()
    const { watch, link } = await invite(shop)
    const { status, text } = await stranger(shop)
    expect([status, JSON.parse(text).error.code]).toEqual([410, 'WF_STATE_GONE'])
    const last = watch.at(-1) === 'A' ? 'B' : 'A'
    const hash = String(link.split('.')[1])
    const guesses = [
      `${watch.slice(0, -1)}${last}`,
      `${watch}A`,
      ` ${watch}`,
      `${watch}\n`,
      watch.slice(1),
      watch.toLowerCase(),
      '',
      'null',
      '\0',
      '../watch',
      link,
      hash,
      'x'.repeat(8000),
    ]
    for (const guess of guesses) expect((await look(shop, guess)).text, guess).toBe(text)
    const twice = await shop.send(null, { method: 'GET', query: `?watch=x&watch=${watch}` })
    expect(twice.text).toBe(text)
  })

  it('tells nothing at an endpoint that could not take the link', async () => {
    const shop = await openWatched()
    const { watch, link } = await invite(shop)
    const { text } = await stranger(shop)
    const { config } = shop
    const strategies = { other: new HandleStateStrategy({ store: shop.store }) }
    const others: Partial<WfOutletConfig>[] = [
      { allow: ['shop/order'] },
      { block: ['shop/invite'] },
      { state: { strategies, default: 'other' } },
      { ledger: new WfLedgerMemory({ clock: shop.clock }) },
      { ledger: undefined },
    ]
    for (const step of ['waiting', 'ended']) {
      for (const other of others) {
        shop.config = { ...config, ...other }
        expect((await look(shop, watch)).text, `${step} ${Object.keys(other)}`).toBe(text)
      }
      shop.config = config
      expect((await look(shop, watch)).body.state).toBe(step)
      if (step === 'waiting') await shop.send({ wfs: link, input: ACCEPT })
    }
  })

  it('shows neither who has answered, nor anything of the flow', async () => {
    const app = await openApprovals({ link: { usedNote: 'the head of department' } })
    const { watch } = (await app.send({ wfid: 'leave/request' })).body
    const wfs = app.mails[0]!.token
    const seen: Answer[] = []
    const see = async () => {
      const response = await fetch(`${app.url}/wf?watch=${watch}`)
      const text = await response.text()
      seen.push({
        status: response.status,
        headers: response.headers,
        text,
        body: JSON.parse(text),
      })
    }
    await see()
    await app.send({ wfs })
    await app.send({ wfs, input: { decision: 'maybe' } })
    await app.send({ wfs, input: { decision: 'approve', comment: 'hm' } })
    await see()
    await app.send({ wfs, input: { decision: 'approve' } })
    await see()
    expect(seen.map(({ body }) => body.state)).toEqual(['waiting', 'waiting', 'ended'])
    for (const { text, headers } of seen) {
      expect(text).not.toMatch(/sea|secret|head|boss|approve|leave|Decision/u)
      expect(text).not.toContain(wfs)
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('is nowhere but with its holder: not in the store, the ledger, the link or the log', async () => {
    const puts: string[] = []
    const shop = await openWatched()
    const ledger = shop.config.ledger!
    const put = ledger.put.bind(ledger)
    ledger.put = (...args) => {
      puts.push(JSON.stringify(args))
      return put(...args)
    }
    const { watch, link } = await invite(shop)
    const stored = await shop.store.get(link.slice('default.'.length))
    expect(puts.filter(text => text.includes('watch'))).toHaveLength(1)
    expect(JSON.stringify([puts, stored, shop.mails, shop.log])).not.toContain(watch)
  })

  it('is cheap to ask for: two reads at most, and nothing is left behind', async () => {
    const shop = await openWatched()
    const { watch } = await invite(shop)
    const calls: string[] = []
    const { ledger } = shop.config
    const counted = new Proxy(ledger!, {
      get: (target, name: keyof WfLedger) => {
        const method = target[name] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => {
          calls.push(name)
          return method.apply(target, args)
        }
      },
    })
    shop.config = { ...shop.config, ledger: counted }
    await look(shop, watch)
    expect(calls).toEqual(['get', 'get'])
    calls.length = 0
    await stranger(shop)
    expect(calls).toEqual(['get'])
    calls.length = 0
    await look(shop, 'not even one')
    expect(calls).toEqual([])
  })

  it('stands 10,000 polls', { timeout: 60_000 }, async () => {
    const shop = await openWatched()
    const { watch, link } = await invite(shop)
    const states = new Set<string>()
    for (let round = 0; round < 200; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => look(shop, watch)))
      for (const { body } of answers) states.add(body.state)
    }
    expect([...states]).toEqual(['waiting'])
    expect((await shop.send({ wfs: link, input: ACCEPT })).body.finished).toBe(true)
  })

  it('is the same when the request is sent again', async () => {
    const shop = await openWatched()
    const wfs = await shop.start('shop/invite')
    const request = { wfs, input: ADA, requestId: 'r1' }
    const [first, second] = [await shop.send(request), await shop.send(request)]
    expect(second.body).toEqual(first.body)
    expect(shop.mails).toHaveLength(1)
  })

  it('is not asked about with a cookie that the browser has of another flow', async () => {
    const shop = await openWatched('handle', { token: { write: 'cookie' } })
    const first = await shop.send({ wfid: 'shop/invite' })
    const cookie = first.headers.get('set-cookie')!.split(';')[0]
    const { watch } = (await shop.send({ input: ADA }, { cookie })).body
    const other = (await shop.send({ wfid: 'shop/order' })).headers.get('set-cookie')!.split(';')[0]
    const { body, headers } = await look(shop, watch, { cookie: other })
    expect([body.state, headers.get('set-cookie')]).toEqual(['waiting', null])
  })
})

describe('whoever watches a token that is the state', () => {
  it('sees that its flow was revoked', async () => {
    const shop = await openWatched('encapsulated')
    const { watch, link } = await invite(shop)
    const other = await invite(shop)
    const state = shop.config.state as EncapsulatedStateStrategy
    const found = await state.forName('default').retrieve(link.slice('default.'.length))
    await state.revokeFlow((found!.meta!.wf as { flow: { flowId: string } }).flow.flowId)
    expect((await look(shop, watch)).body).toEqual({ watching: true, state: 'revoked' })
    expect((await look(shop, other.watch)).body.state).toBe('waiting')
    shop.clock.advance(HOUR_MS)
    expect((await look(shop, watch)).body.state).toBe('revoked')
  })
})

describe('no watch token is given', () => {
  it('without a ledger, nor where the pause does not want it', async () => {
    const shop = await openShop()
    expect((await invite(shop)).sent.body).toEqual({ sent: true, outlet: 'email' })
    const quiet = await openWatched()
    quiet.onName = () => outletEmail('ada@example.com', 'reset', {}, { watch: false })
    expect((await quiet.send({ wfid: 'shop/gift' })).body).toEqual({ sent: true, outlet: 'email' })
  })

  it('where the ledger is down, and the mail has gone out', async () => {
    const shop = await openWatched()
    const wfs = await shop.start('shop/invite')
    shop.config.ledger!.put = () => Promise.reject(new Error('down'))
    const sent = await shop.send({ wfs, input: ADA })
    expect(sent.body).toEqual({ sent: true, outlet: 'email' })
    const done = await shop.send({ wfs: shop.mails[0]!.token, input: ACCEPT })
    expect(done.body.finished).toBe(true)
  })

  it('for a form, which is the caller’s own', async () => {
    const shop = await openWatched()
    expect((await shop.send({ wfid: 'shop/order' })).body.watch).toBeUndefined()
  })

  it('where the mail could not be sent', async () => {
    const shop = await openWatched()
    const wfs = await shop.start('shop/invite')
    const failing = { name: 'email', tokenDelivery: 'out-of-band', deliver: () => Promise.reject() }
    shop.config = { ...shop.config, outlets: [failing as never] }
    const { status, body } = await shop.send({ wfs, input: ADA })
    expect([status, body.watch]).toEqual([502, undefined])
  })

  it('over what an outlet answers by that name', async () => {
    const shop = await openWatched()
    const response = { sent: true, outlet: 'email', watch: 'mine' }
    const own = { name: 'email', tokenDelivery: 'out-of-band', deliver: () => ({ response }) }
    shop.config = { ...shop.config, outlets: [own as never] }
    const sent = await shop.send({ wfs: await shop.start('shop/invite'), input: ADA })
    expect(sent.body).toEqual(response)
  })
})

describe('a flow that sends many mails', () => {
  it('tells its end to the first who have watched it, and carries no more of them', async () => {
    const shop = await openWatched()
    const watches: string[] = []
    shop.onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      return ctx.tries <= 12 ? outletEmail('ada@example.com', 'again') : undefined
    }
    watches.push((await shop.send({ wfid: 'shop/gift' })).body.watch)
    for (let mail = 1; mail < 12; mail++) {
      watches.push((await shop.send({ wfs: shop.mails.at(-1)!.token })).body.watch)
    }
    const stored = await shop.store.get(shop.mails.at(-1)!.token.slice('default.'.length))
    expect((stored!.state.meta!.wf as { flow: { watched: string[] } }).flow.watched).toHaveLength(8)
    await shop.send({ wfs: shop.mails.at(-1)!.token, input: ADA })
    const states = await Promise.all(watches.map(async each => (await look(shop, each)).body.state))
    const expected = ['ended', 'ended', 'ended', 'ended', 'ended', 'ended', 'ended', 'ended']
    expect(states).toEqual([...expected, 'answered', 'answered', 'answered', 'ended'])
  })

  it('is told its end, whatever someone has written into its notes', async () => {
    const shop = await openWatched()
    const { link } = await invite(shop)
    const handle = link.slice('default.'.length)
    const { state, expiresAt } = (await shop.store.get(handle))!
    const notes = state.meta!.wf as { flow: object; pause: object }
    const flow = { ...notes.flow, watched: 7 }
    const pause = { ...notes.pause, watch: { a: 1 } }
    await shop.store.set(handle, { ...state, meta: { wf: { ...notes, flow, pause } } }, expiresAt)
    expect((await shop.send({ wfs: link, input: ACCEPT })).body.finished).toBe(true)
  })
})

describe.each(testEngines())('a watch token, with a ledger on $name', engine => {
  const database = useLedgerDatabase(engine)

  it('sees what another endpoint has noted', async () => {
    const { ledger, clock } = await database.open()
    const shop = await openWatched('handle', { ledger, clock })
    const { watch, link } = await invite(shop)
    const waiting = (await look(shop, watch)).body
    expect(waiting).toMatchObject({ watching: true, state: 'waiting' })
    await shop.send({ wfs: link, input: ACCEPT })
    expect((await look(shop, watch)).body).toMatchObject({ state: 'ended', at: clock.now() })
    expect((await stranger(shop)).status).toBe(410)
  })
})
