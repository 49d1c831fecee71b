import { connect } from 'node:net'
import {
  defineOutletConfig,
  HandleStateStrategy,
  WfError,
  type WfLedger,
  WfLedgerMemory,
  type WfOutletConfig,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { describe, expect, it, vi } from 'vitest'
import { testEngines } from '../support/databases'
import { openEvents } from '../support/event-stream'
import { useLedgerDatabase } from '../support/ledger-database'
import { openShop, type Shop } from '../support/shop'

const FAST = { pollMs: 20 }
const ADA = { name: 'ada' }
const ACCEPT = { accept: 'yes' }

/** A shop that tells by events what became of an invitation, and one that was sent. */
async function openTold(
  watchEvents: WfOutletConfig['watchEvents'] = FAST,
  overrides: Partial<WfOutletConfig> = {},
) {
  const shop = await openShop()
  const ledger = new WfLedgerMemory({ clock: shop.clock })
  shop.config = { ...shop.config, ledger, watchEvents, ...overrides }
  return { shop, ...(await invite(shop)) }
}

async function invite(shop: Shop) {
  const sent = await shop.send({ wfs: await shop.start('shop/invite'), input: ADA })
  const watch = sent.body.watch as string
  const url = `${shop.url}/wf?watch=${watch}`
  return { watch, url, link: shop.mails.at(-1)!.token }
}

describe('a stream for whoever watches', () => {
  it('tells the state at once, what it changes to, and then ends', async () => {
    const { shop, url, link } = await openTold()
    const stream = await openEvents(url)
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    expect(stream.headers.get('referrer-policy')).toBe('no-referrer')
    await vi.waitFor(() => expect(stream.states()).toEqual(['waiting']))
    await shop.send({ wfs: link, input: ACCEPT })
    await stream.ended
    expect(stream.states()).toEqual(['waiting', 'ended'])
    const at = shop.clock.now()
    const last = `event: state\nid: ended\ndata: {"watching":true,"state":"ended","at":${at}}\n\n`
    expect(stream.text().endsWith(last)).toBe(true)
  })

  it('says once what is so already, and nothing to a browser that knows it', async () => {
    const { shop, url, link } = await openTold()
    await shop.send({ wfs: link, input: ACCEPT })
    const stream = await openEvents(url)
    await stream.ended
    expect(stream.states()).toEqual(['ended'])
    const known = await openEvents(url, { 'last-event-id': 'ended' })
    await known.ended
    // To a browser this means not to come again.
    expect([known.status, known.text()]).toEqual([204, ''])
    const outdated = await openEvents(url, { 'last-event-id': 'waiting' })
    expect(outdated.status).toBe(200)
  })

  it('is not given by an endpoint without events, nor to who does not ask for it', async () => {
    const { shop, url } = await openTold()
    const asked = await shop.send(null, { method: 'GET', query: new URL(url).search })
    expect(asked.body.state).toBe('waiting')
    const head = await fetch(url, { method: 'HEAD', headers: { accept: 'text/event-stream' } })
    expect(head.headers.get('content-type')).toContain('application/json')
    shop.config = { ...shop.config, watchEvents: false }
    const plain = await openEvents(url)
    await plain.ended
    expect(JSON.parse(plain.text()).state).toBe('waiting')
  })

  it('is not opened for a stranger, nor at an endpoint that could not take the link', async () => {
    const { shop, url } = await openTold({ maxStreams: 1 })
    const guess = () => openEvents(`${shop.url}/wf?watch=${'x'.repeat(32)}`)
    for (let tries = 0; tries < 20; tries++) expect((await guess()).status).toBe(410)
    const { config } = shop
    shop.config = { ...config, allow: ['shop/order'] }
    expect((await openEvents(url)).status).toBe(410)
    shop.config = config
    expect((await openEvents(url)).status).toBe(200)
  })

  it('shows signs of life while nothing happens', async () => {
    const { url } = await openTold({ ...FAST, heartbeatMs: 20 })
    const stream = await openEvents(url)
    await vi.waitFor(() => expect(stream.text().match(/^:$/gmu)?.length).toBeGreaterThan(2))
    expect(stream.states()).toEqual(['waiting'])
  })

  it('ends when its time is over', async () => {
    const { url } = await openTold({ ...FAST, lifetimeMs: 60 })
    const stream = await openEvents(url)
    await stream.ended
    expect(stream.states()).toEqual(['waiting'])
  })

  it('is one of so many, and its place is free again when its page has gone', async () => {
    const { shop, url } = await openTold({ ...FAST, maxStreams: 2 })
    const other = await invite(shop)
    const [first] = [await openEvents(url), await openEvents(other.url)]
    const refused = await openEvents(url)
    await refused.ended
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.text()).error.code).toBe('WF_TOO_MANY')
    expect(refused.headers.get('retry-after')).toBe('5')
    // It can still be asked about.
    const asked = await shop.send(null, { method: 'GET', query: new URL(url).search })
    expect(asked.body.state).toBe('waiting')
    first!.leave()
    await vi.waitFor(async () => expect((await openEvents(url)).status).toBe(200))
  })

  it('cannot be opened so often by one that others find no room', async () => {
    const { shop, url } = await openTold()
    const other = await invite(shop)
    const statuses: number[] = []
    for (let tries = 0; tries < 20; tries++) statuses.push((await openEvents(url)).status)
    expect(statuses.filter(status => status === 200)).toHaveLength(5)
    expect((await openEvents(other.url)).status).toBe(200)
  })

  it('stops looking when its page has gone, in whatever way', async () => {
    const { shop, url } = await openTold({ pollMs: 5 })
    let looks = 0
    const { ledger } = shop.config
    const get = ledger!.get.bind(ledger)
    ledger!.get = (...args) => {
      looks++
      return get(...args)
    }
    const stream = await openEvents(url)
    const { port } = new URL(shop.url)
    const socket = connect(Number(port), '127.0.0.1')
    const { search } = new URL(url)
    socket.write(`GET /wf${search} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n`)
    await vi.waitFor(() => expect(looks).toBeGreaterThan(10))
    stream.leave()
    socket.destroy()
    await vi.waitFor(async () => {
      const before = looks
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(looks).toBe(before)
    })
  })

  it('that was never read from does no harm', async () => {
    const { shop, url, link } = await openTold({ pollMs: 5, heartbeatMs: 1, lifetimeMs: 300 })
    const { port } = new URL(shop.url)
    const { search } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.pause()
    socket.write(`GET /wf${search} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n`)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect((await shop.send({ wfs: link, input: ACCEPT })).body.finished).toBe(true)
    socket.destroy()
  })

  it('does not keep the server from closing', async () => {
    const { shop, url } = await openTold(true)
    const streams = [await openEvents(url), await openEvents(url)]
    const before = performance.now()
    await shop.close(60_000)
    await Promise.all(streams.map(({ ended }) => ended))
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it('ends, and says so in the log, when the ledger is down', async () => {
    const { shop, url } = await openTold({ pollMs: 10 })
    const stream = await openEvents(url)
    await vi.waitFor(() => expect(stream.states()).toEqual(['waiting']))
    shop.config.ledger!.get = () => Promise.reject(new Error('the ledger is down'))
    await stream.ended
    expect(shop.log.some(({ text }) => text.includes('has broken off'))).toBe(true)
    expect(
      shop.log.some(({ text }) => text.includes(new URL(url).searchParams.get('watch')!)),
    ).toBe(false)
  })

  it('looks less and less often', async () => {
    const looks: number[] = []
    const inner = new WfLedgerMemory()
    const ledger = new Proxy<WfLedger>(inner, {
      get: (target, name: keyof WfLedger) => {
        if (name === 'get') looks.push(performance.now())
        return (target[name] as Function).bind(target)
      },
    })
    const { url } = await openTold(true, { ledger })
    looks.length = 0
    await openEvents(url)
    await vi.waitFor(() => expect(looks.length).toBeGreaterThanOrEqual(8), 5000)
    const each = looks.filter((_, index) => index % 2 === 0)
    const gaps = each.slice(1).map((time, index) => time - each[index]!)
    expect(gaps[0]).toBeGreaterThan(200)
    expect(gaps.at(-1)).toBeGreaterThan(gaps[0]! * 1.8)
  })
})

describe('watchEvents', () => {
  const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
  const ledger = new WfLedgerMemory()

  it.each<object>([
    { ledger, watchEvents: 'yes' },
    { ledger, watchEvents: null },
    { ledger, watchEvents: { maxStreams: 0 } },
    { ledger, watchEvents: { lifetimeMs: Infinity } },
    { ledger, watchEvents: { pollMs: -1 } },
    { ledger, watchEvents: { heartbeatMs: '1' } },
    { ledger, watchEvents: { pollMs: 2 ** 31 } },
    { ledger, watchEvents: { constructor: 1 } },
    { watchEvents: true },
  ])('refuses %j', options => {
    expect(() => defineOutletConfig({ state, ...options } as never)).toThrow(WfError)
  })

  it.each([true, false, undefined, {}, { maxStreams: 1, pollMs: undefined }])('takes %j', each => {
    expect(() => defineOutletConfig({ state, ledger, watchEvents: each })).not.toThrow()
  })
})

describe.each(testEngines())('a stream, with a ledger on $name', engine => {
  const database = useLedgerDatabase(engine)

  it('sees what was noted through another connection', async () => {
    const { ledger, clock } = await database.open()
    const { shop, url, link } = await openTold(FAST, { ledger, clock })
    const stream = await openEvents(url)
    await vi.waitFor(() => expect(stream.states()).toEqual(['waiting']))
    await shop.send({ wfs: link, input: ACCEPT })
    await stream.ended
    expect(stream.states()).toEqual(['waiting', 'ended'])
  })
})
