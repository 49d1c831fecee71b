import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { openTab, unsureNetwork } from './browser'
import { openOtherSide, type OtherSide, refuse, sendJson } from './other-side'

const SENT = { sent: true, outlet: 'email', watch: 'a-watch-token' }
const FORM = { inputRequired: { payload: { ask: 'password' }, context: {} }, wfs: 'a.next' }

const signInAt = (side: OtherSide, options: Partial<WfClientOptions> = {}) =>
  createWfClient<{ form: { ask: string } }>({
    path: `${side.url}/wf`,
    name: 'auth/login',
    ...options,
  })

/** A server that sends a mail with a code in it, and a page that waits for the code. */
async function openCodePage(options: Partial<WfClientOptions> = {}) {
  const side = await openOtherSide(({ body }, response) => {
    if (body.wfid) return sendJson(response, 200, SENT)
    if (body.wfs) return sendJson(response, 200, { finished: true })
    if (body.code === '123456') return sendJson(response, 200, FORM)
    return refuse(response, 422, 'WF_CODE_WRONG', { triesLeft: 2 })
  })
  const client = signInAt(side, options)
  await client.start()
  return { side, client }
}

describe('enterCode()', () => {
  it('goes on here with what was sent', async () => {
    const { side, client } = await openCodePage()
    const entered = client.enterCode('123456')
    expect(client.state).toMatchObject({ loading: true, pressed: true, response: SENT })
    const state = await entered
    expect(state).toMatchObject({ form: { ask: 'password' }, loading: false })
    expect([state.response, state.pressed]).toEqual([undefined, undefined])
    expect(side.received[1]).toMatchObject({
      method: 'POST',
      url: '/wf',
      body: { watch: SENT.watch, code: '123456', requestId: expect.stringMatching(/^\w{22,64}$/u) },
    })
    expect(Object.keys(side.received[1]!.body)).toHaveLength(3)
    expect((await client.submit({ password: 'x' })).finished).toBe(true)
    expect(side.received[2]?.body.wfs).toBe('a.next')
  })

  it('tells how many tries are left, and stays where it is', async () => {
    const { client } = await openCodePage()
    const wrong = await client.enterCode('000000')
    expect(wrong.error).toMatchObject({ code: 'WF_CODE_WRONG', status: 422, triesLeft: 2 })
    expect(wrong).toMatchObject({ response: SENT, loading: false })
    expect((await client.enterCode('123456')).form).toEqual({ ask: 'password' })
  })

  it.each([
    [410, 'WF_STATE_GONE'],
    [429, 'WF_TOO_MANY'],
    [403, 'WF_WRONG_BROWSER'],
  ])('that is refused with %i stays where it is', async (status, code) => {
    const { side, client } = await openCodePage({ keepSent: true })
    const tab = openTab()
    side.answer = (_request, response) => refuse(response, status, code, { fresh: true })
    const refused = await client.enterCode('123456')
    expect(refused).toMatchObject({ error: { code, status }, response: SENT })
    expect(tab.tokens.join()).not.toContain('123456')
    // A watch token is no link that could be sent anew.
    expect(() => client.askFresh()).toThrow(TypeError)
    side.answer = (_request, response) => sendJson(response, 200, FORM)
    expect((await client.enterCode('123456')).form).toEqual({ ask: 'password' })
  })

  it('whose answer is lost is repeated under its name, also for another code', async () => {
    const network = unsureNetwork()
    const { side, client } = await openCodePage(network)
    network.loses = 'answer'
    expect((await client.enterCode('123456')).error?.code).toBe('WF_NETWORK')
    expect(client.state.response).toEqual(SENT)
    await client.retry()
    network.loses = undefined
    let calls = 0
    side.answer = (_request, response) =>
      calls++ ? sendJson(response, 200, FORM) : refuse(response, 410, 'WF_USED')
    expect((await client.enterCode('654321')).form).toEqual({ ask: 'password' })
    const sent = side.received.slice(1).map(({ body }) => [body.code, body.requestId])
    const [first] = sent
    expect(sent).toEqual([first, first, ['654321', expect.any(String)], first])
  })

  it('never stores the code', async () => {
    const tab = openTab()
    const network = unsureNetwork()
    const remember: WfClientOptions['remember'] = (_form, data) => data as Record<string, unknown>
    const { client } = await openCodePage({ ...network, remember, keepSent: true })
    network.loses = 'answer'
    await client.enterCode('123456')
    expect(tab.tokens.length).toBeGreaterThan(0)
    expect(tab.tokens.join()).not.toContain('123456')
  })

  it('goes on after a reload, if the page keeps what it has sent', async () => {
    openTab()
    const { side } = await openCodePage({ keepSent: true })
    const after = signInAt(side, { keepSent: true })
    expect((await after.start()).response).toEqual(SENT)
    expect((await after.enterCode('123456')).form).toEqual({ ask: 'password' })
    // From here on the tab is at that form.
    side.answer = (_request, response) => sendJson(response, 200, FORM)
    await signInAt(side, { keepSent: true }).start()
    expect(side.received.at(-1)?.body.wfs).toBe('a.next')
  })

  it('without anything that was sent is a mistake of the program', async () => {
    const side = await openOtherSide((_request, response) =>
      sendJson(response, 200, { sent: true, outlet: 'email' }),
    )
    const client = signInAt(side)
    expect(() => client.enterCode('1')).toThrow(new TypeError('There is no code to send.'))
    await client.start()
    expect(() => client.enterCode('1')).toThrow(TypeError)
  })
})

/** A page with a link that has expired, and a server that can send it anew. */
async function openExpired(told: object = { fresh: true }, options: Partial<WfClientOptions> = {}) {
  const tab = openTab('/accept?wfs=dead.link')
  const side = await openOtherSide(({ body }, response) =>
    body?.fresh
      ? sendJson(response, 202, { accepted: true })
      : refuse(response, 410, 'WF_EXPIRED', told),
  )
  const client = signInAt(side, options)
  await client.start()
  return { tab, side, client }
}

describe('askFresh()', () => {
  it('has the link sent anew to whoever has got it', async () => {
    const { tab, side, client } = await openExpired()
    expect(client.state.error).toMatchObject({ code: 'WF_EXPIRED', fresh: true })
    const state = await client.askFresh()
    expect(state).toMatchObject({ freshAsked: true, loading: false })
    expect(state.error).toBeUndefined()
    expect(side.received.at(-1)).toMatchObject({
      method: 'POST',
      url: '/wf',
      body: { wfs: 'dead.link', fresh: true, requestId: expect.any(String) },
    })
    expect(tab.tokens).toEqual([])
  })

  it('knows the token of a form that was sent too late, and wherever tokens travel', async () => {
    const side = await openOtherSide(({ body, url }, response) => {
      if (body.wfid) return sendJson(response, 200, FORM)
      if (body.fresh) return sendJson(response, 202, { accepted: url === '/wf?wfs=a.next' })
      return refuse(response, 410, 'WF_EXPIRED', { fresh: true })
    })
    const client = signInAt(side, { tokenTransport: 'query' })
    await client.start()
    await client.submit({ password: 'x' })
    expect((await client.askFresh()).freshAsked).toBe(true)
  })

  it('that is refused can be asked again', async () => {
    const { side, client } = await openExpired()
    const { answer } = side
    side.answer = (_request, response) => refuse(response, 429, 'WF_TOO_MANY')
    expect(await client.askFresh()).toMatchObject({ error: { code: 'WF_TOO_MANY' } })
    side.answer = answer
    expect((await client.askFresh()).freshAsked).toBe(true)
    side.answer = (_request, response) => refuse(response, 429, 'WF_TOO_MANY')
    const again = await client.askFresh()
    expect([again.freshAsked, again.error?.code]).toEqual([undefined, 'WF_TOO_MANY'])
  })

  it('is no more once the server has refused it for good', async () => {
    const { side, client } = await openExpired()
    side.answer = (_request, response) => refuse(response, 410, 'WF_STATE_GONE')
    expect((await client.askFresh()).error?.fresh).toBeUndefined()
    expect(() => client.askFresh()).toThrow(TypeError)
  })

  it('whose answer is lost is repeated under its name', async () => {
    const network = unsureNetwork()
    const { side, client } = await openExpired({ fresh: true }, network)
    network.loses = 'answer'
    expect((await client.askFresh()).error?.code).toBe('WF_NETWORK')
    expect((await client.askFresh()).error?.code).toBe('WF_NETWORK')
    network.loses = undefined
    expect((await client.retry()).freshAsked).toBe(true)
    const [, ...asked] = side.received.map(({ body }) => body)
    expect(asked).toEqual([asked[0], asked[0], asked[0]])
  })

  it('that nobody knows the end of is not taken for what restart() has asked for', async () => {
    const network = unsureNetwork()
    const restart = { wfid: 'auth/login', carriesOver: true }
    const { side, client } = await openExpired({ fresh: true, restart }, network)
    network.loses = 'answer'
    await client.askFresh()
    network.loses = undefined
    side.answer = ({ body }, response) =>
      body.wfid ? sendJson(response, 200, FORM) : refuse(response, 410, 'WF_STATE_GONE')
    expect((await client.restart()).form).toEqual({ ask: 'password' })
    expect(side.received.filter(({ body }) => body?.fresh)).toHaveLength(1)
  })

  it('is no more once the page has gone on', async () => {
    const { side, client } = await openExpired()
    side.answer = (_request, response) => sendJson(response, 200, FORM)
    await client.start()
    expect(() => client.askFresh()).toThrow(TypeError)
  })

  it('is a mistake of the program where the server has not offered it', async () => {
    const { client } = await openExpired({})
    expect(() => client.askFresh()).toThrow(new TypeError('There is no link to send anew.'))
  })
})

describe('an answer that says accepted', () => {
  it('to something else is none that is known', async () => {
    const side = await openOtherSide((_request, response) =>
      sendJson(response, 202, { accepted: false }),
    )
    expect((await signInAt(side).start()).error?.code).toBe('WF_BAD_ANSWER')
  })
})
