import { HandleStateStrategy, WfLedgerMemory, type WfOutletConfig } from '@atscript/moost-wf'
import {
  createWfClient,
  type WfFetch,
  type WfWatched,
  type WfWatchOptions,
  watchWf,
} from '@atscript/moost-wf/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openShop } from '../support/shop'
import { openTab } from './browser'
import { openOtherSide, type OtherSide, refuse, sendJson } from './other-side'

const QUICK = { firstMs: 5, longestMs: 20 }
const HOUR_MS = 60 * 60_000

/** A shop that has sent an invitation. */
async function openInvited(overrides: Partial<WfOutletConfig> = {}) {
  const shop = await openShop()
  const { clock, store } = shop
  const state = new HandleStateStrategy({ store, defaultTtl: HOUR_MS })
  const ledger = new WfLedgerMemory({ clock })
  shop.config = { ...shop.config, state, ledger, ...overrides }
  const sent = await shop.send({ wfs: await shop.start('shop/invite'), input: { name: 'ada' } })
  const watch = sent.body.watch as string
  return { shop, watch, path: `${shop.url}/wf`, link: shop.mails[0]!.token }
}

/** Watches until the test is over, and tells what was seen. */
function watching(options: WfWatchOptions) {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const seen: WfWatched[] = []
  const over = watchWf({ ...QUICK, signal: ending.signal, ...options }, state => {
    seen.push(state)
  })
  return { seen, over, states: () => seen.map(({ state }) => state), end: () => ending.abort() }
}

/** What asks of a fetch were for: events, or an answer. */
function countedFetch(fetch: WfFetch = globalThis.fetch) {
  const asked: ('events' | 'answer')[] = []
  const counted: WfFetch = (url, init) => {
    asked.push(init.headers.accept?.includes('event-stream') ? 'events' : 'answer')
    return fetch(url, init)
  }
  return { asked, fetch: counted }
}

const EVENTS = { watchEvents: { pollMs: 10 } }

describe.each([
  ['by asking', {}],
  ['by events', EVENTS],
])('what was sent is watched %s', (_how, config) => {
  it('until the flow has ended', async () => {
    const { shop, link, ...options } = await openInvited(config)
    const { states, seen, over } = watching(options)
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    expect(seen[0]).toEqual({ state: 'waiting', expiresAt: shop.clock.now() + HOUR_MS })
    await shop.send({ wfs: link, input: { accept: 'yes' } })
    const last = await over
    expect(states()).toEqual(['waiting', 'ended'])
    expect(last).toEqual({ state: 'ended', at: shop.clock.now() })
  })

  it('behind an answer, until the flow has ended', async () => {
    const { shop, link, ...options } = await openInvited(config)
    const { fetch, asked } = countedFetch()
    const { states, over } = watching({ ...options, fetch })
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    const { body } = await shop.send({ wfs: link })
    expect(body).toMatchObject({ sent: true })
    await vi.waitFor(() => expect(states()).toEqual(['waiting', 'answered']))
    // A stream would end at once.
    const { length } = asked
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(length + 1))
    expect(asked.slice(length)).not.toContain('events')
    await shop.send({ wfs: shop.mails[1]!.token, input: { accept: 'yes' } })
    expect((await over)?.state).toBe('ended')
    expect(states()).toEqual(['waiting', 'answered', 'ended'])
  })

  it('until it has expired', async () => {
    const { shop, watch, path } = await openInvited(config)
    const { states, over } = watching({ watch, path })
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    shop.clock.advance(HOUR_MS)
    await over
    expect(states()).toEqual(['waiting', 'expired'])
  })

  it('not at all where it is known already', async () => {
    const { shop, link, ...options } = await openInvited(config)
    await shop.send({ wfs: link, input: { accept: 'yes' } })
    const { fetch, asked } = countedFetch()
    const { states, over } = watching({ ...options, fetch })
    await over
    expect(states()).toEqual(['ended'])
    expect(asked).toHaveLength(1)
  })

  it('no longer than its page wants', async () => {
    const { watch, path } = await openInvited(config)
    const { fetch, asked } = countedFetch()
    const { states, over, end } = watching({ watch, path, fetch })
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    end()
    expect(await over).toMatchObject({ state: 'waiting' })
    const count = asked.length
    await new Promise(resolve => setImmediate(resolve))
    expect(asked).toHaveLength(count)
  })

  it('by nobody who has no token: 410 ends it', async () => {
    const { shop } = await openInvited(config)
    const { states, over } = watching({ path: `${shop.url}/wf`, watch: 'x'.repeat(32) })
    expect(await over).toBeUndefined()
    expect(states()).toEqual([])
  })

  it('and the client forgets it at the end', async () => {
    const { shop, path } = await openInvited(config)
    const tab = openTab()
    const open = () => createWfClient({ path, name: 'shop/invite', keepSent: true })
    const { response } = await open().start({ name: 'eve' })
    expect(tab.tokens).toHaveLength(1)
    // After a reload it goes on.
    const client = open()
    const watch = (await client.start()).response?.watch ?? ''
    expect(watch).toBe(response?.watch)
    const { states, over } = watching({ path, watch, forget: client.forget })
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    expect(tab.tokens).toHaveLength(1)
    await shop.send({ wfs: shop.mails.at(-1)?.token, input: { accept: 'yes' } })
    await over
    expect(tab.tokens).toEqual([])
  })

  it('and the client does not forget it when the page only leaves', async () => {
    const { watch, path } = await openInvited(config)
    const forget = vi.fn()
    const { states, over, end } = watching({ path, watch, forget })
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    end()
    await over
    expect(forget).not.toHaveBeenCalled()
  })
})

describe('an endpoint that has no events, or none left', () => {
  it('is asked once for them, and its answer counts', async () => {
    const { shop, link, ...options } = await openInvited()
    const { fetch, asked } = countedFetch()
    const { states, over } = watching({ ...options, fetch })
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(3))
    expect(states()).toEqual(['waiting'])
    expect(asked.filter(what => what === 'events')).toEqual(['events'])
    await shop.send({ wfs: link, input: { accept: 'yes' } })
    await over
  })

  it('is asked at once when it has too many streams', async () => {
    const { watch, path } = await openInvited({ watchEvents: { pollMs: 10, maxStreams: 1 } })
    const first = watching({ watch, path })
    await vi.waitFor(() => expect(first.states()).toEqual(['waiting']))
    const { fetch, asked } = countedFetch()
    const { states } = watching({ watch, path, fetch, firstMs: HOUR_MS, longestMs: HOUR_MS })
    await vi.waitFor(() => expect(states()).toEqual(['waiting']))
    expect(asked).toEqual(['events', 'answer'])
  })

  it('that ends its streams is asked for the next one', async () => {
    const { shop, link, ...options } = await openInvited({
      watchEvents: { pollMs: 10, lifetimeMs: 30 },
    })
    const { fetch, asked } = countedFetch()
    const { states, over } = watching({ ...options, fetch })
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2))
    expect(new Set(asked)).toEqual(new Set(['events']))
    expect(states()).toEqual(['waiting'])
    await shop.send({ wfs: link, input: { accept: 'yes' } })
    expect((await over)?.state).toBe('ended')
  })
})

const state = (name: string) => ({ watching: true, state: name })
const eventOf = (name: string) => `event: state\ndata: ${JSON.stringify(state(name))}\n\n`
const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

const watchingAt = (side: OtherSide, options: Partial<WfWatchOptions> = {}) =>
  watching({ path: `${side.url}/wf`, watch: 'token', ...options })

describe('a stream', () => {
  it('may come in pieces, with other lines and signs of life between them', async () => {
    const side = await openOtherSide(async (_request, response) => {
      response.writeHead(200, STREAM)
      const text = `retry: 2000\r\n\r\n:\n\nevent: other\ndata: {}\n\n${eventOf('waiting')}:\n\nid: x\r\ndata: {"watching":true,\r\ndata: "state":"ended","at":7}\r\n\r\n`
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte))
        await new Promise(resolve => setImmediate(resolve))
      }
    })
    const { seen, over } = watchingAt(side)
    await over
    expect(seen).toEqual([{ state: 'waiting' }, { state: 'ended', at: 7 }])
    expect(side.received).toHaveLength(1)
  })

  it('is not listened to any more behind the end', async () => {
    const side = await openOtherSide((_request, response) => {
      response.writeHead(200, STREAM)
      response.write(eventOf('ended') + eventOf('waiting'))
    })
    const { states, over } = watchingAt(side)
    await over
    expect(states()).toEqual(['ended'])
    await vi.waitFor(() => expect(side.open()).toBe(0))
  })

  it.each<[string, OtherSide['answer']]>([
    ['is cut off', (_request, response) => response.writeHead(200, STREAM).write('data: {"wa')],
    ['is empty', (_request, response) => response.writeHead(200, STREAM).end()],
    ['tells nonsense', (_request, response) => response.writeHead(200, STREAM).end('data: {\n\n')],
    ['is refused by a gateway', (_request, response) => response.writeHead(503).end('<html>')],
    ['is a page', (_request, response) => response.writeHead(200).end('<html>')],
    ['has no content', (_request, response) => response.writeHead(204).end()],
    ['is too many', (_request, response) => refuse(response, 429, 'WF_TOO_MANY')],
    [
      'leads elsewhere',
      (_request, response) => response.writeHead(302, { location: '/login' }).end(),
    ],
  ])('that %s is followed by asking', async (what, broken) => {
    const side = await openOtherSide((request, response) => {
      if (request.url === '/login') return response.end('<html>')
      if (!request.headers.accept?.includes('event-stream')) {
        return sendJson(response, 200, state('ended'))
      }
      broken(request, response)
      if (what === 'is cut off') setImmediate(() => response.destroy())
    })
    const { states, over } = watchingAt(side)
    await over
    expect(states()).toEqual(['ended'])
  })

  it('that never ends a line is left', async () => {
    const side = await openOtherSide(async (request, response) => {
      if (!request.headers.accept?.includes('event-stream')) {
        return sendJson(response, 200, state('ended'))
      }
      response.writeHead(200, STREAM)
      while (!response.closed) {
        response.write('x'.repeat(10_000))
        await new Promise(resolve => setImmediate(resolve))
      }
    })
    const { states, over } = watchingAt(side)
    await over
    expect(states()).toEqual(['ended'])
    await vi.waitFor(() => expect(side.open()).toBe(0))
  })

  it('is read where fetch gives no body but a text', async () => {
    const { over } = watching({
      path: '/wf',
      watch: 'token',
      fetch: async () => ({
        status: 200,
        headers: new Headers(STREAM),
        text: async () => eventOf('revoked'),
      }),
    })
    expect((await over)?.state).toBe('revoked')
  })
})

describe('trouble', () => {
  it('is no end: it is asked again until there is an answer', async () => {
    const troubles: OtherSide['answer'][] = [
      (_request, response) => response.destroy(),
      (_request, response) => response.writeHead(500).end('{}'),
      (_request, response) => response.writeHead(410).end('<h1>Gone</h1>'),
      (_request, response) => response.writeHead(204).end(),
      (_request, response) => response.writeHead(200).end('<html>'),
      (_request, response) => response.writeHead(301, { location: '/wf' }).end(),
      (_request, response) => sendJson(response, 200, []),
      (_request, response) => sendJson(response, 200, { state: 'ended' }),
      (_request, response) => sendJson(response, 200, { watching: true, state: 'constructor' }),
      (_request, response) => sendJson(response, 404, state('ended')),
      (_request, response) => refuse(response, 405, 'WF_METHOD'),
      (_request, response) =>
        sendJson(response, 200, { ...state('waiting'), at: 'now', expiresAt: {} }),
    ]
    const side = await openOtherSide((request, response) => {
      const trouble = troubles.shift()
      return trouble ? trouble(request, response) : sendJson(response, 200, state('ended'))
    })
    const { seen, over } = watchingAt(side)
    await over
    expect(seen).toEqual([{ state: 'waiting' }, { state: 'ended' }])
  })

  it('of an answer that never ends is left', async () => {
    const side = await openOtherSide(async (request, response) => {
      if (request.headers.accept?.includes('event-stream')) return response.writeHead(503).end()
      if (side.received.length > 2) return sendJson(response, 200, state('ended'))
      response.writeHead(200, { 'content-type': 'application/json' })
      while (!response.closed) {
        response.write(' '.repeat(10_000))
        await new Promise(resolve => setImmediate(resolve))
      }
    })
    const { over } = watchingAt(side)
    expect((await over)?.state).toBe('ended')
    await vi.waitFor(() => expect(side.open()).toBe(0))
  })

  it('of a listener, or of what forgets, is not ours', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = new Error('a listener')
    const side = await openOtherSide((_request, response) =>
      sendJson(response, 200, state('ended')),
    )
    const fail = () => {
      throw failure
    }
    const options = { path: side.url, watch: 'token', forget: fail }
    expect(await watchWf(options, fail)).toEqual({ state: 'ended' })
    expect(logged).toHaveBeenCalledWith(failure)
  })

  it('is told at once when it is in the options', () => {
    const right: WfWatchOptions = { path: '/wf', watch: 'token' }
    for (const [option, value] of [
      ['path', ''],
      ['path', undefined],
      ['watch', ''],
      ['watch', undefined],
      ['signal', {}],
      ['fetch', null],
      ['firstMs', 0],
      ['firstMs', Number.NaN],
      ['longestMs', Infinity],
      ['forget', 'it'],
    ] as const) {
      const options = { ...right, [option]: value } as WfWatchOptions
      const refused = new TypeError(`The option ${option} is wrong.`)
      expect(() => watchWf(options, () => {})).toThrow(refused)
    }
  })

  it('is spared who is told to end before it begins', async () => {
    const { fetch, asked } = countedFetch()
    const signal = AbortSignal.abort()
    expect(await watchWf({ path: '/wf', watch: 'token', fetch, signal }, () => {})).toBeUndefined()
    expect(asked).toEqual([])
  })
})

describe('the address', () => {
  it('has the token beside what is there already', async () => {
    const side = await openOtherSide((_request, response) =>
      sendJson(response, 200, state('ended')),
    )
    await watchWf({ path: `${side.url}/wf?tenant=a`, watch: 'a&b' }, () => {})
    expect(side.received.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/wf?tenant=a&watch=a%26b'],
    ])
  })
})
