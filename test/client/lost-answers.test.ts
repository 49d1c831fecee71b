import { finishWf } from '@atscript/moost-wf'
import { createWfClient, withoutSecrets, type WfClientOptions } from '@atscript/moost-wf/client'
import { useResponse } from '@wooksjs/event-http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answering, openTab, TabStorage, unsureNetwork, watchedFetch } from './browser'
import { orderAt, shopWithLedger } from './orders'

/** A window that can be told to be online. */
function listenForOnline() {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  return () => void page.dispatchEvent(new Event('online'))
}

describe('an answer that is lost', () => {
  it('is given again when the same button is pressed, and the page is told', async () => {
    const shop = await shopWithLedger()
    const network = unsureNetwork()
    const client = orderAt(shop, network)
    expect((await client.start()).alreadyReceived).toBeUndefined()
    network.loses = 'answer'
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_NETWORK')
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_NETWORK')
    network.loses = undefined
    const state = await client.submit({ name: 'Ada' })
    expect(state).toMatchObject({ form: { ask: 'address' }, alreadyReceived: true })
    expect(shop.ran).toEqual(['name', 'name', 'address'])
    const [, first, second, third] = network.sent
    expect([second, third]).toEqual([first, first])
    expect((await client.submit({ address: 'Here' })).alreadyReceived).toBeUndefined()
  })

  it('is not said to be received if the request was lost', async () => {
    const shop = await shopWithLedger()
    const network = unsureNetwork()
    const client = orderAt(shop, network)
    await client.start()
    network.loses = 'request'
    await client.submit({ name: 'Ada' })
    network.loses = undefined
    const { form, alreadyReceived } = await client.submit({ name: 'Ada' })
    expect(form).toEqual({ ask: 'address' })
    expect(alreadyReceived).toBeUndefined()
  })

  it('is given again to whoever has typed something else since', async () => {
    const shop = await shopWithLedger()
    const network = unsureNetwork()
    const client = orderAt(shop, network)
    await client.start()
    network.loses = 'answer'
    await client.submit({ name: 'Ada' })
    network.loses = 'request'
    await client.submit({ name: 'Eve' })
    network.loses = undefined
    const state = await client.submit({ name: 'Bob' })
    expect(state).toMatchObject({ context: { for: 'Ada' }, alreadyReceived: true })
    const [, ada, eve, bob, ...again] = network.ids()
    expect(new Set([ada, eve, bob]).size).toBe(3)
    expect(again).toEqual([ada])
  })

  it('of what was aborted for something else is given again too', async () => {
    const shop = await shopWithLedger()
    const client = orderAt(shop)
    await client.start()
    let goOn = () => {}
    const reached = new Promise<void>(resolve => {
      shop.onName = async input => {
        if (input?.name !== 'Ada') return
        resolve()
        await new Promise<void>(done => (goOn = done))
      }
    })
    void client.submit({ name: 'Ada' })
    await reached
    const busy = await client.submit({ name: 'Eve' })
    expect(busy.error?.code).toBe('WF_BUSY')
    goOn()
    await expect
      .poll(async () => (await client.submit({ name: 'Eve' })).context)
      .toEqual({ for: 'Ada' })
  })

  it.each([
    ['a gateway', answering('<h1>502 Bad Gateway</h1>', 502)],
    ['a gateway that waits', answering('', 504)],
    ['a gateway with an error of its own', answering('{"error":{"code":"E"}}', 503)],
    ['half of a body', answering('{"inputRequired":{"pay')],
    ['a Wi-Fi that wants a sign-in', answering('<!doctype html>', 410)],
  ])('because of %s is given again', async (_what, broken) => {
    const shop = await shopWithLedger()
    const { fetch, sent } = watchedFetch()
    let isBroken = false
    const client = orderAt(shop, {
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        return isBroken ? broken(url, init) : response
      },
    })
    await client.start()
    isBroken = true
    await client.submit({ name: 'Ada' })
    isBroken = false
    const state = await client.submit({ name: 'Ada' })
    expect(state).toMatchObject({ form: { ask: 'address' }, alreadyReceived: true })
    expect(sent[2]).toEqual(sent[1])
  })

  it('because it takes too long is given again', async () => {
    const shop = await shopWithLedger()
    let hangs = false
    const client = orderAt(shop, {
      timeoutMs: 200,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!hangs) return response
        return {
          status: 200,
          text: () =>
            new Promise((_, fail) => {
              init.signal.addEventListener('abort', () => fail(init.signal.reason as Error))
            }),
        }
      },
    })
    await client.start()
    hangs = true
    expect((await client.submit({ name: 'Ada' })).error?.code).toBe('WF_NETWORK')
    hangs = false
    expect((await client.retry()).alreadyReceived).toBe(true)
  })

  it('has another name once there was an answer', async () => {
    const shop = await shopWithLedger()
    const network = unsureNetwork()
    const client = orderAt(shop, network)
    await client.start()
    shop.onName = () => undefined
    await client.submit({ name: 'Ada' })
    const wrong = { address: 'Moon', fail: 'http' }
    expect((await client.submit(wrong)).error?.code).toBe('WF_REJECTED')
    expect((await client.submit(wrong)).error?.code).toBe('WF_REJECTED')
    expect(new Set(network.ids()).size).toBe(4)
  })

  it('of an end that has signed someone in says that it is done, and what can be started', async () => {
    const shop = await shopWithLedger()
    const tab = openTab()
    const network = unsureNetwork()
    shop.onDone = () => {
      useResponse().setCookie('session', 'secret')
      finishWf({ message: 'Welcome.' })
    }
    const client = orderAt(shop, network)
    await client.start({ name: 'Ada' })
    network.loses = 'answer'
    await client.submit({ address: 'Here' })
    network.loses = undefined
    const { error } = await client.submit({ address: 'Here' })
    expect(error).toMatchObject({ code: 'WF_FINISHED', restart: { wfid: 'shop/order' } })
    expect(tab.tokens).toEqual([])
    const count = network.sent.length
    expect((await client.submit({ address: 'Here' })).error).toEqual(error)
    expect(network.sent).toHaveLength(count)
    expect((await client.restart()).form).toEqual({ ask: 'name' })
  })

  it('of a start keeps its name', async () => {
    const network = unsureNetwork()
    const client = orderAt(await shopWithLedger(), network)
    network.loses = 'answer'
    await client.start({ name: 'Ada' })
    await client.start({ name: 'Ada' })
    await client.start({ name: 'Eve' })
    const [first, second, other] = network.ids()
    expect(second).toBe(first)
    expect(other).not.toBe(first)
  })
})

describe('coming back online', () => {
  it('sends again what nobody has answered, once', async () => {
    const shop = await shopWithLedger()
    const comeOnline = listenForOnline()
    const network = unsureNetwork()
    const client = orderAt(shop, network)
    await client.start()
    network.loses = 'answer'
    await client.submit({ name: 'Ada' })
    await client.retry()
    network.loses = undefined
    comeOnline()
    expect(client.state.loading).toBe(true)
    await expect.poll(() => client.state.form).toEqual({ ask: 'address' })
    expect(client.state.alreadyReceived).toBe(true)
    expect(network.sent).toHaveLength(4)
    comeOnline()
    expect(client.state.loading).toBe(false)
  })

  it('sends nothing that was answered, or that somebody has given up', async () => {
    const shop = await shopWithLedger()
    const comeOnline = listenForOnline()
    const network = unsureNetwork()
    const client = orderAt(shop, network)
    await client.start()
    network.loses = 'request'
    await client.submit({ name: 'Ada' })
    await client.restart()
    network.loses = undefined
    comeOnline()
    await expect.poll(() => client.state.form).toEqual({ ask: 'name' })
    comeOnline()
    expect(client.state.loading).toBe(false)
    expect(network.sent).toHaveLength(4)
    expect(network.sent[3]).toEqual(network.sent[2])
  })
})

describe('a reload before the answer', () => {
  const form = (...fields: [name: string, type?: string][]) => ({
    type: {
      kind: 'object',
      props: Object.fromEntries(
        fields.map(([name, type]) => [
          name,
          { type: { kind: '', designType: 'string' }, metadata: { 'ui.form.type': type } },
        ]),
      ),
    },
    metadata: {},
  })

  /** A server that has had the request when its answer is lost, and what it is asked after a reload. */
  async function reloaded(
    fields: [name: string, type?: string][],
    input: Record<string, string>,
    options: Partial<WfClientOptions> = { remember: withoutSecrets },
  ) {
    const storage = new TabStorage()
    const answers = new Map<string, object>()
    const bodies: Record<string, unknown>[] = []
    let isLost = false
    const gone = { error: { code: 'WF_USED', message: 'Used.', status: 410 } }
    const open = () =>
      createWfClient({
        path: '/wf',
        name: 'x',
        storage,
        fetch: async (_url, { body = '' }) => {
          const request = JSON.parse(body)
          bodies.push(request)
          const isRepeated = answers.has(request.requestId)
          if (!isRepeated && request.wfs && answers.size > 1)
            return Response.json(gone, { status: 410 })
          const answer = request.wfid
            ? { inputRequired: { payload: form(...fields) }, wfs: 'a.token' }
            : { finished: true, message: 'Thank you.' }
          answers.set(request.requestId, answer)
          if (isLost) throw new TypeError('network error')
          return Response.json(
            answer,
            isRepeated ? { headers: { 'idempotent-replayed': 'true' } } : {},
          )
        },
        ...options,
      })
    const client = open()
    await client.start()
    isLost = true
    await client.submit(input)
    isLost = false
    const stored = JSON.stringify([...storage.items])
    const request = storage.getItem('moost-wf-sent:/wf:x')
    const state = await open().start()
    return { bodies, stored, request, state, storage }
  }

  it('asks for it again', async () => {
    const { bodies, state, storage } = await reloaded([['name']], { name: 'Ada' })
    expect(state).toMatchObject({ response: { message: 'Thank you.' }, alreadyReceived: true })
    expect(bodies.map(({ wfid, input }) => wfid ?? input)).toEqual([
      'x',
      { name: 'Ada' },
      undefined,
      { name: 'Ada' },
    ])
    expect(bodies[3]).toEqual(bodies[1])
    expect(storage.items.size).toBe(0)
  })

  it.each(['password', 'code'])(
    'never stores what holds a %s, and says what it knows',
    async type => {
      const fields: [string, string?][] = [['name'], ['secret', type]]
      const input = { name: 'Ada', secret: 'hush' }
      const { bodies, stored, request, state } = await reloaded(fields, input)
      expect(stored).not.toContain('hush')
      expect(request).toBe('[{}]')
      expect(state.error).toMatchObject({ code: 'WF_USED', message: 'Used.' })
      expect(bodies).toHaveLength(3)
    },
  )

  it('stores nothing that was typed unless it is told to', async () => {
    const { stored, state } = await reloaded([['name']], { name: 'Ada' }, {})
    expect(stored).not.toContain('Ada')
    expect(state.error?.code).toBe('WF_USED')
  })

  it('survives a storage that somebody has written into', async () => {
    const shop = await shopWithLedger()
    for (const text of ['{', 'null', '[null]', '[{"text":"{"}]', '{"text":1}', '[[]]']) {
      const storage = new TabStorage()
      storage.setItem(`moost-wf-sent:${shop.url}/wf:shop/order`, text)
      expect((await orderAt(shop, { storage }).start()).form).toEqual({ ask: 'name' })
    }
  })
})
