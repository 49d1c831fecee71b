import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { createEmailOutlet, createWfRunner, defineOutletConfig } from '@atscript/moost-wf'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asEnvelope } from '../../src/trigger/answer/envelope'
import { resolveOutletConfig } from '../../src/trigger/resolve-outlet-config'
import { notesOf } from '../../src/state'
import { type Keeping, LINK_MS, MINUTE, openTurns, type OpenTurns } from '../support/turns-app'

const DAY = 24 * 60 * MINUTE
const ACCEPTED = '{"accepted":true}'
const APPROVE = { decision: 'approve' }
const KEEPINGS: Keeping[] = ['handle', 'stable', 'hashed', 'memory', 'durable', 'queued']

/** Asks for a fresh link, and waits until all is done that comes of it. */
async function ask(app: OpenTurns, wfs: unknown, more: object = {}) {
  const answer = await app.send({ wfs, fresh: true, ...more })
  await resolveOutletConfig(app.config, asEnvelope).fresh?.queue.idle()
  await app.deliver()
  return answer
}

const codeOf = async (app: OpenTurns, wfs: string) => (await app.send({ wfs })).body.error?.code

/** Takes what is there of the only flow away. */
async function revokeAll({ keeping, ...app }: OpenTurns & { keeping: Keeping }) {
  if (keeping === 'durable' || keeping === 'queued') {
    const [run] = await app.runs.page({ limit: 1 })
    await app.durable.manage.cancel(run!.flowId)
  } else await app.rows.revoke({ startedAt: { $gt: 0 } })
}

describe.each(KEEPINGS)('a fresh link, %s', keeping => {
  it('comes back for one that has expired, as long as that had lived', async () => {
    const app = await openTurns({ keeping })
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const late = await app.send({ wfs: link })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_EXPIRED'])
    expect(late.body.error.fresh).toBe(true)
    expect((await app.look(link)).body.error.fresh).toBe(true)
    const { status, text } = await ask(app, link, { requestId: randomUUID() })
    expect([status, text]).toEqual([202, ACCEPTED])
    const [first, second, ...others] = app.mails
    expect(others).toEqual([])
    const bare = { token: '', messageId: '' }
    expect({ ...second, ...bare }).toEqual({ ...first, ...bare })
    const fresh = second!.token
    expect(fresh).not.toBe(link)
    const old = await app.send({ wfs: link })
    expect([old.status, old.body.error.code]).toEqual([410, 'WF_SUPERSEDED'])
    expect(old.body.error.fresh).toBe(true)
    app.clock.advance(LINK_MS - 1)
    expect((await app.send({ wfs: fresh })).status).toBe(200)
    expect((await app.send({ wfs: fresh, input: APPROVE })).body.data).toEqual({ first: 'approve' })
    const over = await app.send({ wfs: link })
    expect([over.status, over.body.error.fresh]).toEqual([410, undefined])
    await ask(app, link)
    await ask(app, fresh)
    expect(app.mails).toHaveLength(2)
  })

  it('can be had for the one before and for itself, when it is dead', async () => {
    const app = await openTurns({ keeping })
    const links = [await app.begin('turns/decide')]
    for (const dead of [0, 0, 1, 2]) {
      app.clock.advance(LINK_MS)
      await ask(app, links[dead])
      links.push(app.mails.at(-1)!.token)
    }
    expect(new Set(links).size).toBe(5)
    for (const dead of links.slice(0, 4)) expect(await codeOf(app, dead)).toBe('WF_SUPERSEDED')
    expect((await app.send({ wfs: links[4], input: APPROVE })).body.finished).toBe(true)
  })

  it('is for whoever has opened theirs and closed the page, wherever the flow is now', async () => {
    const app = await openTurns({ keeping })
    const link = await app.begin('turns/papers')
    const tab = (await app.send({ wfs: link })).body
    expect(tab.inputRequired.payload).toEqual({ ask: 'first' })
    const used = await app.send({ wfs: link })
    expect(used.body.error).toMatchObject({ code: 'WF_USED', fresh: true })
    await ask(app, link)
    expect(app.mails.map(({ target }) => target)).toEqual(['ann@example.com', 'ann@example.com'])
    expect((await app.send({ wfs: tab.wfs, input: { name: 'Mallory' } })).status).toBe(410)
    const opened = await app.send({ wfs: app.mails[1]!.token })
    expect(opened.body.inputRequired.payload).toEqual({ ask: 'first' })
    expect(await codeOf(app, app.mails[1]!.token)).toBe('WF_USED')
    const signed = await app.send({ wfs: opened.body.wfs, input: { name: 'Ann' } })
    expect(signed.body).toMatchObject({ sent: true })
    expect(app.mails.at(-1)!.target).toBe('bob@example.com')
  })

  it('is never for somebody whose turn is over, who takes nothing from whose turn it is', async () => {
    const app = await openTurns({ keeping })
    const ann = await app.begin('turns/papers')
    const opened = await app.send({ wfs: ann })
    await app.send({ wfs: opened.body.wfs, input: { name: 'Ann' } })
    const bob = app.mails.at(-1)!.token
    const over = await app.send({ wfs: ann })
    expect(over.body.error).toMatchObject({ code: 'WF_USED' })
    expect(over.body.error.fresh).toBeUndefined()
    app.clock.advance(LINK_MS)
    for (let n = 0; n < 10; n++) expect((await ask(app, ann)).text).toBe(ACCEPTED)
    expect(app.mails).toHaveLength(2)
    expect((await app.send({ wfs: bob })).body.error).toMatchObject({ fresh: true })
    await ask(app, bob)
    expect(app.mails.map(({ target }) => target).slice(2)).toEqual(['bob@example.com'])
  })

  it('is never sent after the flow was revoked', async () => {
    const app = { ...(await openTurns({ keeping })), keeping }
    const link = await app.begin('turns/decide')
    if (keeping === 'memory') await app.store.delete(link.slice('default.'.length))
    else await revokeAll(app)
    const gone = await app.send({ wfs: link })
    expect([gone.status, gone.body.error.fresh]).toEqual([410, undefined])
    await ask(app, link)
    app.clock.advance(LINK_MS)
    await ask(app, link)
    expect(app.mails).toHaveLength(1)
  })

  // It is tried again.
  it.skipIf(keeping === 'queued')(
    'leaves all as it was if it cannot be sent, and says nothing of it but to the log',
    async () => {
      const app = await openTurns({ keeping })
      const link = await app.begin('turns/decide')
      app.clock.advance(LINK_MS)
      app.fail = new Error('550 no such mailbox')
      expect((await ask(app, link)).text).toBe(ACCEPTED)
      expect(app.log.some(({ text }) => text.includes('550'))).toBe(true)
      expect(app.mails).toHaveLength(1)
      const still = await app.send({ wfs: link })
      expect(still.body.error).toMatchObject({ code: 'WF_EXPIRED', fresh: true })
      app.fail = undefined
      app.clock.advance(MINUTE)
      await ask(app, link)
      expect(app.mails).toHaveLength(2)
      expect((await app.send({ wfs: app.mails[1]!.token })).status).toBe(200)
    },
  )

  it('is sent once for many who ask at once, and tells them all the same', async () => {
    const app = await openTurns({ keeping })
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(app, link)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`202 ${ACCEPTED}`]),
    )
    expect(app.mails).toHaveLength(2)
    expect((await app.send({ wfs: app.mails[1]!.token })).status).toBe(200)
  })
})

describe('a fresh link', () => {
  it('is sent once a minute and five times a day', async () => {
    const app = await openTurns({ config: { tombstoneTtl: 30 * DAY } })
    const link = await app.begin('turns/papers')
    await app.send({ wfs: link })
    const sentSince = async (waitMs: number, times: number) => {
      const before = app.mails.length
      for (let n = 0; n < times; n++) {
        app.clock.advance(waitMs)
        await ask(app, link)
      }
      return app.mails.length - before
    }
    expect(await sentSince(0, 3)).toBe(1)
    expect(await sentSince(MINUTE, 10)).toBe(4)
    expect(await sentSince(DAY, 1)).toBe(1)
  })

  it('takes the limits of the endpoint', async () => {
    const freshLinks = { everyMs: 1000, perDay: 2 }
    const app = await openTurns({ config: { freshLinks } })
    const link = await app.begin('turns/papers')
    await app.send({ wfs: link })
    for (let n = 0; n < 5; n++) {
      await ask(app, link)
      app.clock.advance(1000)
    }
    expect(app.mails).toHaveLength(3)
  })

  it('takes the place of no link that is good', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    await ask(app, link)
    expect(app.mails).toHaveLength(1)
    expect((await app.send({ wfs: link, input: APPROVE })).body.finished).toBe(true)
  })

  it('goes to the address that the flow has, whatever the request says', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const evil = 'eve@evil.example'
    const more = { target: evil, email: evil, to: evil, input: { target: evil }, recipient: evil }
    await ask(app, link, more)
    expect(app.mails.map(({ target }) => target)).toEqual(['ann@example.com', 'ann@example.com'])
  })

  it('outlives its flow by no means: an end of the whole flow stays', async () => {
    const app = await openTurns({ config: { maxLifetime: 1.5 * LINK_MS } })
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    await ask(app, link)
    const fresh = app.mails[1]!.token
    app.clock.advance(LINK_MS / 2 - 1)
    expect((await app.send({ wfs: fresh })).status).toBe(200)
    app.clock.advance(1)
    const over = await app.send({ wfs: fresh })
    expect([over.body.error.code, over.body.error.fresh]).toEqual(['WF_EXPIRED', undefined])
    await ask(app, fresh)
    expect(app.mails).toHaveLength(2)
  })

  it('is told apart in the history of a durable run', async () => {
    const app = await openTurns({ keeping: 'durable' })
    const link = await app.begin('turns/papers')
    const before = (await app.send({ wfs: link })).body.wfs
    app.fail = new Error('550')
    await ask(app, link)
    expect((await app.send({ wfs: before })).body.inputRequired.payload).toEqual({ ask: 'first' })
    app.fail = undefined
    app.clock.advance(MINUTE)
    await ask(app, link)
    const [run] = await app.runs.page({ limit: 1 })
    const types = (await app.runs.history(run!.flowId)).map(({ type }) => type)
    expect(types.filter(type => ['reissued', 'undelivered'].includes(type))).toEqual([
      'reissued',
      'undelivered',
      'reissued',
    ])
    const { pause } = notesOf(run!.state)!
    expect(pause).toMatchObject({ outlet: 'email', outOfBand: true })
    expect(await codeOf(app, before)).toBe('WF_USED')
  })

  it('has a code of its own where the first one had one; the older one is dead', async () => {
    const app = await openTurns({ link: { code: true } })
    const { watch, cookie, mail } = await app.beginWatched()
    for (let n = 0; n < 6; n++) await app.send({ watch, code: `ZZZZ-ZZZ${n}` }, { cookie })
    app.clock.advance(LINK_MS)
    app.fail = new Error('550')
    await ask(app, mail.token)
    app.fail = undefined
    app.clock.advance(MINUTE)
    await ask(app, mail.token)
    const [, fresh] = app.mails
    expect(fresh!.code).toMatch(/^.{4}-.{4}$/u)
    expect(fresh!.code).not.toBe(mail.code)
    const old = await app.send({ watch, code: mail.code }, { cookie })
    expect(old.body.error).toMatchObject({ code: 'WF_CODE_WRONG', triesLeft: 4 })
    const elsewhere = await app.send({ watch, code: fresh!.code })
    expect(elsewhere.status).toBe(410)
    const entered = await app.send({ watch, code: fresh!.code, input: APPROVE }, { cookie })
    expect(entered.body.finished).toBe(true)
  })

  it('leaves the code of the former one alone if it cannot be sent', async () => {
    const app = await openTurns({ link: { code: true } })
    const { watch, cookie, mail } = await app.beginWatched()
    app.clock.advance(LINK_MS)
    app.fail = new Error('550')
    await ask(app, mail.token)
    expect(app.log.some(({ text }) => text.includes('550'))).toBe(true)
    const { body } = await app.send({ watch, code: mail.code }, { cookie })
    expect(body.error.code).toBe('WF_EXPIRED')
  })

  it('is in no log line, nor is its code, nor the one before', async () => {
    const app = await openTurns({ link: { code: true } })
    const { mail } = await app.beginWatched()
    app.clock.advance(LINK_MS)
    const secrets: string[] = []
    app.beforeMail = async ({ token, code = '' }) => {
      secrets.push(token, token.split('.')[1]!, code, code.replace('-', ''))
      throw new Error(`550 ${secrets.join(' ')}`)
    }
    await ask(app, mail.token)
    const [, handle = ''] = mail.token.split('.')
    app.store.get = async asked => {
      throw new Error(`cannot read ${asked}`)
    }
    await ask(app, mail.token)
    const lines = app.log.map(({ text }) => text).join('\n')
    expect(lines).toContain('550')
    expect(lines).toContain('cannot read')
    expect(secrets).toHaveLength(4)
    for (const secret of [...secrets, handle]) expect(lines).not.toContain(secret)
  })

  it('is for one use where handles are stable, also if it was a form before', async () => {
    const app = await openTurns({ keeping: 'stable' })
    const link = await app.begin('turns/papers')
    await app.send({ wfs: link })
    await ask(app, link)
    const fresh = app.mails[1]!.token
    const { wfs } = (await app.send({ wfs: fresh })).body
    expect(wfs.split('~')[0]).not.toBe(fresh.split('~')[0])
    expect(await codeOf(app, fresh)).toBe('WF_USED')
  })

  it('lets those wait again who watch', async () => {
    const app = await openTurns()
    const { watch, mail } = await app.beginWatched()
    const seen = async () =>
      (await app.send(undefined, { method: 'GET', query: `?watch=${watch}` })).body
    app.clock.advance(LINK_MS)
    expect((await seen()).state).toBe('expired')
    await ask(app, mail.token)
    expect(await seen()).toMatchObject({ state: 'waiting', expiresAt: app.clock.now() + LINK_MS })
  })

  it('is bound to the browser that the first one was bound to', async () => {
    const app = await openTurns({ link: { link: 'sameBrowser' } })
    const { cookie, mail } = await app.beginWatched()
    app.clock.advance(LINK_MS)
    await ask(app, mail.token)
    const wfs = app.mails[1]!.token
    expect(await codeOf(app, wfs)).toBe('WF_WRONG_BROWSER')
    expect((await app.send({ wfs, input: APPROVE }, { cookie })).body.finished).toBe(true)
  })

  it('is known as replaced also where the store has no ledger, and after an admin has sent one', async () => {
    const app = await openTurns({ storeNotes: false })
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    await ask(app, link)
    expect(await codeOf(app, link)).toBe('WF_SUPERSEDED')
    const noting = await openTurns()
    const first = await noting.begin('turns/decide')
    await noting.resend()
    const old = await noting.send({ wfs: first })
    expect(old.body.error).toMatchObject({ code: 'WF_SUPERSEDED', fresh: true })
    await ask(noting, first)
    expect(await codeOf(noting, noting.resent[0]!.token)).toBe('WF_SUPERSEDED')
    expect((await noting.send({ wfs: noting.mails[1]!.token })).status).toBe(200)
  })

  it('can be asked for by a runner', async () => {
    const app = await openTurns()
    const runner = createWfRunner(app.config, app.wf)
    await runner.start('turns/decide')
    const { token } = app.mails[0]!
    expect(await runner.askFresh(token)).toBe(false)
    app.clock.advance(LINK_MS)
    expect(await runner.peek(token)).toMatchObject({ code: 'WF_EXPIRED', fresh: true })
    expect(await runner.askFresh(token)).toBe(true)
    expect(await runner.askFresh(token)).toBe(false)
    expect(app.mails).toHaveLength(2)
  })

  it.each([
    ['a strategy that keeps nothing', { keeping: 'encapsulated' as const }],
    ['a pause that says so', { link: { fresh: false } }],
    ['an endpoint that says so', { config: { freshLinks: false } }],
  ])('is not offered by %s', async (_title, options) => {
    const app = await openTurns(options)
    const link = await app.begin('turns/papers')
    const opened = await app.send({ wfs: link })
    const used = await app.send({ wfs: link })
    expect([used.body.error.code, used.body.error.fresh]).toEqual(['WF_USED', undefined])
    const asked = await ask(app, link)
    expect(asked.status).toBe('config' in options ? 400 : 202)
    expect(app.mails).toHaveLength(1)
    const { body } = await app.send({ wfs: opened.body.wfs, input: { name: 'Ann' } })
    expect(body.sent).toBe(true)
  })

  it('is not sent for a later pause that says so, by an older link', async () => {
    const app = await openTurns({ first: 'bob@example.com' })
    const first = await app.begin('turns/papers')
    const opened = await app.send({ wfs: first })
    app.link = { fresh: false }
    await app.send({ wfs: opened.body.wfs, input: { name: 'Bob' } })
    expect(app.mails.at(-1)!.target).toBe('bob@example.com')
    expect((await app.send({ wfs: first })).body.error.fresh).toBeUndefined()
    await ask(app, first)
    expect(app.mails).toHaveLength(2)
  })

  it('uses nothing where links are not sent anew', async () => {
    const app = await openTurns({ config: { freshLinks: false } })
    const link = await app.begin('turns/papers')
    expect((await ask(app, link)).body.error.code).toBe('WF_BAD_REQUEST')
    expect((await app.send({ wfs: link })).status).toBe(200)
  })

  it('needs a ledger, and limits that are numbers', async () => {
    const { config } = await openTurns()
    for (const wrong of [
      { ledger: undefined, freshLinks: true },
      { freshLinks: { everyMs: 0 } },
      { freshLinks: { perDay: 0.5 } },
    ]) {
      expect(() => defineOutletConfig({ ...config, ...wrong })).toThrow('freshLinks')
    }
    expect(() => defineOutletConfig({ ...config, ledger: undefined })).not.toThrow()
  })
})

describe('whoever asks for a fresh link', () => {
  it('is told the same whether or not there is such a flow, byte for byte', async () => {
    const app = await openTurns()
    const live = await app.begin('turns/decide')
    const expired = await app.begin('turns/decide')
    const over = await app.begin('turns/decide')
    await app.send({ wfs: over, input: APPROVE })
    app.clock.advance(LINK_MS)
    const unknown = `default.${randomUUID()}`
    const tokens = [live, expired, over, unknown, 'garbage', 'other.x', { $ne: null }, 7, '.%00.']
    const answers = []
    for (const token of tokens) answers.push(await ask(app, token))
    const bytes = answers.map(({ status, headers, text }) => {
      const { date: _date, ...others } = Object.fromEntries(headers)
      return JSON.stringify([status, others, text])
    })
    expect(new Set(bytes).size).toBe(1)
    expect(answers[0]!.text).toBe(ACCEPTED)
  })

  it('has the answer before anything is looked for', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    let looked = 0
    let letGo = () => {}
    const held = new Promise<void>(resolve => (letGo = resolve))
    const get = app.ledger.get.bind(app.ledger)
    app.ledger.get = async (kind, key) => {
      looked++
      await held
      return get(kind, key)
    }
    for (const wfs of [link, `default.${randomUUID()}`]) {
      expect((await app.send({ wfs, fresh: true })).text).toBe(ACCEPTED)
    }
    expect(app.mails).toHaveLength(1)
    letGo()
    await resolveOutletConfig(app.config, asEnvelope).fresh!.queue.idle()
    expect(looked).toBeGreaterThan(1)
    expect(app.mails).toHaveLength(2)
  })

  it('cannot fill the process', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const { fresh } = resolveOutletConfig(app.config, asEnvelope)
    let letGo = () => {}
    const held = new Promise<void>(resolve => (letGo = resolve))
    while (fresh!.queue.add(() => held));
    expect((await app.send({ wfs: link, fresh: true })).text).toBe(ACCEPTED)
    expect(app.log.some(({ text }) => text.includes('Too many ask for fresh links'))).toBe(true)
    letGo()
    await fresh!.queue.idle()
    expect(app.mails).toHaveLength(1)
    await ask(app, link)
    expect(app.mails).toHaveLength(2)
  })

  it('is not held up by others who do not take their answers', async () => {
    const app = await openTurns({ config: { watchEvents: true } })
    const { watch } = (await app.send({ wfid: 'turns/decide' })).body
    const link = app.mails[0]!.token
    const { hostname, port, pathname } = new URL('/wf', app.url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    // Answers on one connection come in their turn, and a stream has no end for now.
    const head = (method: string) => `${method} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n`
    const body = JSON.stringify({ wfs: `default.${randomUUID()}`, fresh: true })
    const about = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    const stream = `${head(`GET ${pathname}?watch=${watch}`)}accept: text/event-stream\r\n\r\n`
    const { queue } = resolveOutletConfig(app.config, asEnvelope).fresh!
    const add = vi.spyOn(queue, 'add')
    socket.write(stream + `${head(`POST ${pathname}`)}${about}${body}`.repeat(8))
    await vi.waitFor(() => expect(add).toHaveBeenCalledTimes(8))
    app.clock.advance(LINK_MS)
    const order: string[] = []
    const held = add.mock.results.map(({ value }) => value.then(() => order.push('held')))
    await app.send({ wfs: link, fresh: true })
    await add.mock.results[8]!.value.then(() => order.push('sent'))
    await Promise.all(held)
    expect(order[0]).toBe('sent')
    expect(app.mails).toHaveLength(2)
  })

  it('is waited for by a server that closes', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    let arrive = () => {}
    const arrived = new Promise<void>(resolve => (arrive = resolve))
    let letGo = () => {}
    const held = new Promise<void>(resolve => (letGo = resolve))
    app.beforeMail = async () => {
      arrive()
      await held
    }
    await app.send({ wfs: link, fresh: true })
    await arrived
    let isClosed = false
    const closing = app.http.close(60_000).then(() => (isClosed = true))
    await new Promise(resolve => setImmediate(resolve))
    expect([isClosed, app.mails.length]).toEqual([false, 1])
    letGo()
    await closing
    expect(app.mails).toHaveLength(2)
  })

  it('is refused from another site', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const headers = { origin: 'https://evil.example' }
    const { body } = await app.send({ wfs: link, fresh: true }, { headers })
    expect(body.error.code).toBe('WF_FOREIGN_ORIGIN')
    await resolveOutletConfig(app.config, asEnvelope).fresh!.queue.idle()
    expect(app.mails).toHaveLength(1)
  })

  it('cannot ask by GET, nor at an endpoint that does not allow the workflow', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const query = `?wfs=${encodeURIComponent(link)}&fresh=true`
    expect((await app.send(undefined, { method: 'GET', query })).status).toBe(410)
    const { ledger, clock, config } = app
    const allow = ['turns/papers']
    const sent: unknown[] = []
    const outlets = [createEmailOutlet(async mail => void sent.push(mail))]
    const elsewhere = await openTurns({
      config: { ledger, clock, state: config.state, allow, outlets },
    })
    expect((await ask(elsewhere, link)).text).toBe(ACCEPTED)
    expect([app.mails.length, sent.length]).toEqual([1, 0])
  })

  it('finds nothing in the ledger without the token: neither whose it is nor which flow', async () => {
    const app = await openTurns({ keeping: 'hashed' })
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const entries = (await app.ledgerTable.findMany({ filter: {} })) as {
      kind: string
      key: string
      data?: string
    }[]
    const notes = entries.filter(({ kind }) => kind === 'fresh')
    expect(notes).toHaveLength(1)
    const text = JSON.stringify(entries)
    expect(text).not.toContain('ann@example.com')
    expect(text).not.toContain(link.split('.')[1])
    for (const { key, data = '' } of entries) {
      for (const wfs of [key, data, `default.${key}`, `default.${data}`]) await ask(app, wfs)
    }
    const changed = randomBytes(60).toString('base64url')
    expect(app.mails).toHaveLength(1)
    await app.ledgerTable.updateMany({ kind: 'fresh' }, { data: changed })
    expect((await app.send({ wfs: link })).body.error).not.toHaveProperty('fresh')
    await ask(app, link)
    expect(app.mails).toHaveLength(1)
  })
})

describe('the page without a script', () => {
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const post = (app: OpenTurns, fields: Record<string, string>) =>
    app.send(undefined, { rawBody: new URLSearchParams(fields).toString(), headers })
  const formsIn = (text: string) =>
    [...text.matchAll(/<form.*?<\/form>/gsu)].map(([form]) => ({
      label: /<button[^>]*>(.*?)<\/button>/u.exec(form)?.[1],
      fields: Object.fromEntries(
        [...form.matchAll(/name="([^"]+)" value="([^"]*)"/gu)].map(([, name, value]) => [
          name!,
          value!,
        ]),
      ),
    }))

  it('has a button for whose turn it is, by GET and by POST, and says what comes of it', async () => {
    const app = await openTurns({ config: { confirmPage: {} } })
    const link = await app.begin('turns/decide')
    app.clock.advance(LINK_MS)
    const pages = [
      await app.look(link, { headers: { accept: 'text/html' } }),
      await post(app, { wfs: link, confirm: '1' }),
    ]
    for (const { status, text } of pages) {
      expect(status).toBe(410)
      expect(formsIn(text).map(({ label }) => label)).toEqual([
        'Send me a fresh link',
        'Start again',
      ])
    }
    const [anew] = formsIn(pages[0]!.text)
    expect(anew!.fields).toMatchObject({ wfs: link, fresh: 'true', confirm: '1' })
    const asked = await post(app, anew!.fields)
    expect(asked.status).toBe(202)
    expect(asked.text).toContain('If this link can be renewed')
    expect(asked.headers.get('content-security-policy')).toContain(`default-src 'none'`)
    await resolveOutletConfig(app.config, asEnvelope).fresh!.queue.idle()
    expect(app.mails).toHaveLength(2)
    const again = await post(app, { ...anew!.fields, wfs: 'garbage' })
    expect([again.status, again.text]).toEqual([202, asked.text])
  })

  it('has none for whose turn is over, nor for a stranger', async () => {
    const app = await openTurns({ config: { confirmPage: {} } })
    const link = await app.begin('turns/papers')
    const opened = await app.send({ wfs: link })
    const used = await post(app, { wfs: link, confirm: '1' })
    expect(used.text).toContain('Send me a fresh link')
    await app.send({ wfs: opened.body.wfs, input: { name: 'Ann' } })
    for (const wfs of [link, 'garbage', `default.${randomUUID()}`]) {
      expect((await post(app, { wfs, confirm: '1' })).text).not.toContain('Send me a fresh link')
    }
  })

  it('has no say in a form of an application that has a field of that name', async () => {
    const app = await openTurns()
    const link = await app.begin('turns/papers')
    const { wfs } = (await app.send({ wfs: link })).body
    const { body } = await post(app, { wfs, name: 'Ann', fresh: 'true' })
    expect(body.sent).toBe(true)
  })
})
