import { createWfClient, withoutSecrets, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it, vi } from 'vitest'
import { deferred, openTab, TabStorage } from './browser'
import { openOtherSide, type OtherSide, sendJson } from './other-side'
import { orderAt, shopWithLedger } from './orders'

describe('a storage', () => {
  it.each(['getItem', 'setItem', 'removeItem'] as const)(
    'that fails at %s alone does no harm',
    async method => {
      const shop = await shopWithLedger()
      const storage = new TabStorage()
      vi.spyOn(storage, method).mockImplementation(() => {
        throw new DOMException('No.', 'SecurityError')
      })
      const client = orderAt(shop, { storage, remember: withoutSecrets, keepSent: true })
      await client.start()
      client.update({ name: 'Ada' })
      await client.submit()
      expect((await client.submit({ address: 'Here' })).finished).toBe(true)
      expect((await client.restart()).form).toEqual({ ask: 'name' })
    },
  )
})

describe('a reload while a request is on its way', () => {
  it('is told that it is being worked on, and then what came of it', async () => {
    const shop = await shopWithLedger()
    openTab()
    const remember = (_form: unknown, data: unknown) => data as Record<string, unknown>
    const leaving = new AbortController()
    const before = orderAt(shop, {
      remember,
      fetch: (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.any([init.signal, leaving.signal]) }),
    })
    await before.start()
    const gate = deferred()
    const reached = deferred()
    shop.onName = async () => {
      reached.resolve()
      await gate.promise
    }
    const submitted = before.submit({ name: 'Ada' })
    await reached.promise
    // The page goes, and with it whatever it waits for.
    leaving.abort()
    expect((await submitted).error?.code).toBe('WF_NETWORK')
    const after = orderAt(shop, { remember })
    expect((await after.start()).error?.code).toBe('WF_BUSY')
    gate.resolve()
    await expect.poll(async () => (await after.retry()).form).toEqual({ ask: 'address' })
    expect(after.state).toMatchObject({ context: { for: 'Ada' }, alreadyReceived: true })
    expect(shop.ran).toEqual(['name', 'name', 'address'])
  })
})

const FORM = { inputRequired: { payload: { ask: 'name' }, context: {} }, wfs: 'a.b' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a server', () => {
  /** A client whose form is there when the server begins to answer in another way. */
  async function openAt(answer: OtherSide['answer'], options: Partial<WfClientOptions> = {}) {
    const side = await openOtherSide((_request, response) => sendJson(response, 200, FORM))
    const client = createWfClient({ path: `${side.url}/wf`, name: 'x', ...options })
    await client.start()
    side.answer = answer
    return { side, client }
  }

  const FEW_MB = 5 * 1024 * 1024

  it.each<[string, OtherSide['answer']]>([
    ['a page', (_request, response) => response.writeHead(200).end('<!doctype html>')],
    ['nothing', (_request, response) => response.writeHead(204).end()],
    [
      'a place elsewhere',
      ({ url }, response) =>
        url === '/login'
          ? response.end('<h1>Sign in')
          : response.writeHead(302, { location: '/login' }).end(),
    ],
    ['a huge page', (_request, response) => response.end(`<p>${'x'.repeat(FEW_MB)}`)],
    [
      'a huge object that says nothing',
      (_request, response) => sendJson(response, 200, { x: 'x'.repeat(FEW_MB) }),
    ],
  ])('that answers %s takes nothing away', async (_what, answer) => {
    const { side, client } = await openAt(answer)
    const broken = await client.submit({ name: 'Ada' })
    expect(broken).toMatchObject({
      error: { code: 'WF_BAD_ANSWER' },
      form: { ask: 'name' },
      data: { name: 'Ada' },
      loading: false,
    })
    side.answer = (_request, response) => sendJson(response, 200, { finished: true })
    expect((await client.retry()).finished).toBe(true)
    const asked = side.received.filter(({ body }) => body?.input)
    expect(asked[1]?.body).toEqual(asked[0]?.body)
  })

  it.each([
    [
      'goes round in circles',
      (_request, response) => response.writeHead(302, { location: '/wf' }).end(),
    ],
    ['hangs up', (_request, response) => response.destroy()],
    [
      'hangs up in the middle',
      (_request, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 })
        response.write('{"finished":true')
        setImmediate(() => response.destroy())
      },
    ],
  ] satisfies [string, OtherSide['answer']][])('that %s was not reached', async (_what, answer) => {
    const { client } = await openAt(answer)
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_NETWORK')
    expect(client.state.data).toEqual({ name: 'Ada' })
  })

  it.each([
    ['says nothing', () => {}],
    [
      'never ends',
      (_request, response) => {
        response.writeHead(200, JSON_TYPE)
        const pour = () => {
          if (response.closed) return
          response.write(' '.repeat(1000))
          setImmediate(pour)
        }
        pour()
      },
    ],
  ] satisfies [string, OtherSide['answer']][])(
    'that %s is left when its time is over',
    async (_what, answer) => {
      const { side, client } = await openAt(answer, { timeoutMs: 100 })
      expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_NETWORK')
      await vi.waitFor(() => expect(side.open()).toBe(0))
    },
  )

  it('may send a large form', async () => {
    const payload = { ask: 'x'.repeat(FEW_MB) }
    const { client } = await openAt((_request, response) =>
      sendJson(response, 200, { ...FORM, inputRequired: { payload } }),
    )
    expect((await client.submit({ name: 'Ada' })).form).toEqual(payload)
  })

  it.each([7, {}, ['a.b'], true, ''])('that sends %j as a token has sent none', async wfs => {
    const tab = openTab()
    const { client } = await openAt((_request, response) =>
      sendJson(response, 200, { ...FORM, wfs }),
    )
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_BAD_ANSWER')
    expect(tab.sessionStorage.items.values().next().value).toBe('a.b')
  })
})
