import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import {
  createEmailOutlet,
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  NonRetryableError,
  outletEmail,
  outletHttp,
  waitFor,
  WfLedgerMemory,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import type { WfPeek } from '@atscript/moost-wf/strategies'
import { useResponse } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { notesOf, withNotes } from '../../src/state'
import { asEnvelope } from '../../src/trigger/answer/envelope'
import { resolveOutletConfig } from '../../src/trigger/resolve-outlet-config'
import { readFile } from '../support/project'
import { type Answer, type Door, openShop, type Shop } from '../support/shop'
import { WholeStrategy } from '../support/whole-strategy'

interface Row {
  readonly title: string
  readonly method: string
  readonly answer: string
}

const rows: Row[] = readFile('docs/outcomes.md')
  .text.split('\n')
  .filter(line => /^\| [A-Z]+ /u.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, method = '', token, wfid, state, answer = '']) => ({
    title: [method, token, wfid, state].join(' | '),
    method,
    answer,
  }))

const DOORS: readonly Door[] = ['a socket', 'fetch']

type Scenario = (shop: Shop, method: string) => Promise<Answer | readonly [Answer, string]>

const query = (token: string) => `?wfs=${encodeURIComponent(token)}`
const started = (shop: Shop) => shop.start('shop/order')
const gone = 'default.00000000-0000-0000-0000-000000000000'

async function atAddress(shop: Shop): Promise<string> {
  const wfs = await started(shop)
  const answer = await shop.send({ wfs, input: { name: 'Ada' } })
  shop.ran.length = 0
  return answer.body.wfs as string
}

/** As if the flow had been paused by a build whose workflow had another shape. */
async function outdate(
  shop: Shop,
  token: string,
  gone: object = { stepId: 'shop/removed' },
): Promise<void> {
  const handle = token.slice('default.'.length)
  const stored = await shop.store.get(handle)
  const notes = notesOf(stored!.state)!
  const position = { ...notes.position, shape: 'of-an-older-build', ...gone }
  await shop.store.set(handle, withNotes(stored!.state, { ...notes, position }))
}

/** Lets the endpoint take tokens from cookies, although it writes them to the body. */
function readingCookies(shop: Shop): Shop {
  shop.config = { ...shop.config, token: { read: ['body', 'query', 'cookie'] } }
  return shop
}

function withLedger(shop: Shop): Shop {
  shop.config = { ...shop.config, ledger: new WfLedgerMemory({ clock: shop.clock }) }
  return shop
}

/** An older token of a stable handle, and the cookie of the browser that has the newer one. */
async function superseded(shop: Shop): Promise<{ wfs: string; browser: string }> {
  const state = new HandleStateStrategy({ store: shop.store, stable: true })
  shop.config = { ...shop.config, state }
  const wfs = await started(shop)
  const answer = await shop.send({ wfs, input: { name: 'Ada' } })
  return { wfs, browser: browserOf(answer) }
}

function durably(shop: Shop): Shop {
  const { clock } = shop
  const runs = new WfRunStoreMemory({ clock })
  const retry = { attempts: 2, baseMs: 1000, jitter: 0 }
  const state = new DurableStateStrategy({ runs, retry, secret: randomBytes(32) })
  shop.config = { ...withLedger(shop).config, state }
  return shop
}

/** A step that has failed, and waits to be tried again. */
async function retrying(shop: Shop): Promise<{ wfs: string; answer: Answer }> {
  const wfs = await atAddress(durably(shop))
  return { wfs, answer: await shop.send({ wfs, input: { fail: 'crash' } }) }
}

function browserOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Sends a request twice under one id, the second time with something changed. */
async function sentAgain(shop: Shop, changed: object): Promise<Answer> {
  const request = { wfs: await started(withLedger(shop)), input: { name: 'Ada' }, requestId: 'r1' }
  const first = await shop.send(request)
  const again = await shop.send({ ...request, ...changed })
  if (again.status === 200) expect(again.text).toBe(first.text)
  return again
}

/** Starts twice under one id, the second time with something changed. */
async function startedAgain(shop: Shop, changed: object): Promise<Answer> {
  const requestId = randomBytes(16).toString('base64url')
  const request = { wfid: 'shop/order', input: { name: 'Ada' }, requestId }
  const first = await withLedger(shop).send(request)
  const again = await shop.send({ ...request, ...changed })
  if (again.status === 200) expect(again.text).toBe(first.text)
  return again
}

/** An order that is mailed to Ada, whose link is used when it is opened. */
function mailingOrders(shop: Shop, options: Parameters<typeof outletEmail>[3] = {}): Shop {
  withLedger(shop).onName = (input, ctx) => {
    ctx.tries = (ctx.tries ?? 0) + 1
    return ctx.tries === 1 ? outletEmail('ada@example.com', 'order', {}, options) : undefined
  }
  return shop
}

/** A link in a mail that has expired. */
async function expiredLink(shop: Shop): Promise<string> {
  const state = new HandleStateStrategy({ store: shop.store, defaultTtl: 1000 })
  shop.config = { ...shop.config, state }
  await mailingOrders(shop).send({ wfid: 'shop/order' })
  shop.clock.advance(1000)
  return shop.mails[0]!.token
}

/** What a browser has that has sent a mail with a code in it, and enters this one. */
async function enteredCode(shop: Shop, code: (sent: string) => string, times = 1): Promise<Answer> {
  const sent = await mailingOrders(shop, { code: true }).send({ wfid: 'shop/order' })
  const body = { watch: sent.body.watch, code: code(shop.mails[0]!.code!) }
  shop.ran.length = 0
  for (let n = 1; n < times; n++) await shop.send(body, { cookie: browserOf(sent) })
  shop.rejections.length = 0
  return shop.send(body, { cookie: browserOf(sent) })
}

async function watchOfInvite(shop: Shop): Promise<string> {
  const wfs = await withLedger(shop).start('shop/invite')
  return (await shop.send({ wfs, input: { name: 'ada' } })).body.watch
}

/** The token of the last form of an order that is done. */
async function endedAtAddress(shop: Shop): Promise<string> {
  const wfs = await atAddress(shop)
  expect((await shop.send({ wfs, input: { address: 'Here' } })).body.finished).toBe(true)
  return wfs
}

async function expiredAtAddress(shop: Shop): Promise<string> {
  const state = new HandleStateStrategy({ store: shop.store, defaultTtl: 1000 })
  shop.config = { ...shop.config, state }
  const wfs = await atAddress(shop)
  shop.clock.advance(1000)
  return wfs
}

const failing =
  (fail: string): Scenario =>
  async shop => {
    const wfs = await atAddress(shop)
    return [await shop.send({ wfs, input: { fail } }), wfs]
  }

/** One for each row of the table. Those that return a token let the test see whether it lives on. */
const scenarios: Record<string, Scenario> = {
  'POST | none | any | `Origin` of another site': shop =>
    shop.send({ wfid: 'shop/order' }, { headers: { origin: 'https://evil.example' } }),
  'POST | none | any | `Sec-Fetch-Site: cross-site`': shop =>
    rawPost(shop, { wfid: 'shop/order' }, { 'sec-fetch-site': 'cross-site' }),
  'POST | none | any | `Origin` that `origins` lists': shop =>
    rawPost(
      shop,
      { wfid: 'shop/order' },
      { origin: 'https://friend.example', 'sec-fetch-site': 'cross-site' },
    ),
  'GET | none | any | ': (shop, method) => shop.send(null, { method, query: '?wfid=shop/order' }),
  'HEAD | none | any | ': (shop, method) => shop.send(null, { method, query: '?wfid=shop/order' }),
  'PUT | body | any | ': async (shop, method) => {
    const wfs = await started(shop)
    return [await shop.send({ wfs, input: { name: 'Ada' } }, { method }), wfs]
  },
  'GET | query | none | live': peeked,
  'HEAD | query | none | live': peeked,
  'GET | query | none | gone': (shop, method) => shop.send(null, { method, query: query(gone) }),
  'GET | query | none | live, not allowed here': async (shop, method) => {
    const wfs = await started(shop)
    shop.config = { ...shop.config, allow: ['shop/gift'] }
    return shop.send(null, { method, query: query(wfs) })
  },
  'POST | none | none | ': shop => shop.send({}),
  'POST | none | unknown | ': shop => shop.send({ wfid: 'shop/nothing' }),
  'POST | none | not allowed | ': shop => shop.send({ wfid: 'shop/hidden' }),
  'POST | none | blocked | ': shop => shop.send({ wfid: '/shop//blocked' }),
  'POST | none | allowed | ': shop => shop.send({ wfid: 'shop/order' }),
  'POST | body | none | live': async shop => {
    const wfs = await started(shop)
    return [await shop.send({ wfs, input: { name: 'Ada' } }), wfs]
  },
  "POST | query | the token's | live": async shop => {
    const wfs = await started(shop)
    const body = { wfid: 'shop/order', input: { name: 'Ada' } }
    return [await shop.send(body, { query: query(wfs) }), wfs]
  },
  'POST | body | another | live': async shop => {
    const wfs = await started(shop)
    return [await shop.send({ wfs, wfid: 'shop/gift', input: { name: 'Ada' } }), wfs]
  },
  'POST | body | none | live, not allowed here': async shop => {
    const wfs = await started(shop)
    const { allow } = shop.config
    shop.config = { ...shop.config, allow: ['shop/gift'] }
    const answer = await shop.send({ wfs, input: { name: 'Ada' } })
    shop.config = { ...shop.config, allow }
    return [answer, wfs]
  },
  'POST | cookie | none | live, but tokens are written to the body': async shop => {
    const wfs = await started(shop)
    return [await shop.send({ input: { name: 'Ada' } }, { cookie: `wfs=${wfs}` }), wfs]
  },
  'POST | cookie | none | live': async shop => {
    const wfs = await started(readingCookies(shop))
    return [await shop.send({ input: { name: 'Ada' } }, { cookie: `wfs=${wfs}` }), wfs]
  },
  "POST | cookie | the token's | live": async shop => {
    const wfs = await started(readingCookies(shop))
    const body = { wfid: 'shop/order', input: { name: 'Ada' } }
    return [await shop.send(body, { cookie: `wfs=${wfs}` }), wfs]
  },
  'POST | cookie | allowed | gone': shop =>
    readingCookies(shop).send({ wfid: 'shop/order' }, { cookie: `wfs=${gone}` }),
  'POST | cookie | another | live': async shop => {
    const wfs = await started(readingCookies(shop))
    return shop.send({ wfid: 'shop/gift' }, { cookie: `wfs=${wfs}` })
  },
  'POST | cookie | none | gone': shop =>
    readingCookies(shop).send({ input: {} }, { cookie: `wfs=${gone}` }),
  'POST | cookie | none | garbled': shop =>
    readingCookies(shop).send({ input: {} }, { cookie: 'wfs=other.x' }),
  "POST | cookie | the token's | paused on a shape that this build lacks": async shop => {
    const wfs = await started(readingCookies(shop))
    await outdate(shop, wfs)
    shop.ran.length = 0
    return shop.send({ wfid: 'shop/order' }, { cookie: `wfs=${wfs}` })
  },
  'POST | cookie | none | superseded, in the browser that has the newer one': async shop => {
    const { wfs, browser } = await superseded(readingCookies(shop))
    return shop.send({ input: { name: 'Ada' } }, { cookie: `wfs=${wfs}; ${browser}` })
  },
  'POST | body | none | garbled': shop => shop.send({ wfs: '.%00.' }),
  'POST | body | none | of an unknown strategy': async shop => {
    const wfs = await started(shop)
    return shop.send({ wfs: wfs.replace('default.', 'other.') })
  },
  'POST | body | none | not a string': shop => shop.send({ wfs: { $ne: null } }),
  'POST | body | none | expired': async shop => {
    shop.config = {
      ...shop.config,
      state: new HandleStateStrategy({ store: shop.store, defaultTtl: 1000 }),
    }
    const wfs = await started(shop)
    shop.clock.advance(1000)
    return shop.send({ wfs, input: { name: 'Ada' } })
  },
  'POST | body | none | used': async shop => {
    const wfs = await started(withLedger(shop))
    await shop.send({ wfs, input: { name: 'Ada' } })
    return shop.send({ wfs, input: { name: 'Ada' } })
  },
  'POST | body | none | expired, with `restart: true`': async shop => {
    const wfs = await expiredAtAddress(shop)
    return shop.send({ wfs, restart: true })
  },
  'POST | body | another | expired, with `restart: true`': async shop => {
    const wfs = await expiredAtAddress(shop)
    return shop.send({ wfs, wfid: 'shop/gift', restart: true })
  },
  'POST | body | none | used, the flow has ended, with a ledger': async shop => {
    const wfs = await endedAtAddress(withLedger(shop))
    return shop.send({ wfs })
  },
  'POST | body | none | the same, not allowed here': async shop => {
    const wfs = await endedAtAddress(withLedger(shop))
    shop.config = { ...shop.config, allow: ['shop/gift'] }
    return shop.send({ wfs })
  },
  'POST | body | none | used, a link in a mail, with a ledger': async shop => {
    await mailingOrders(shop).send({ wfid: 'shop/order' })
    const wfs = shop.mails[0]?.token
    await shop.send({ wfs })
    return shop.send({ wfs })
  },
  "POST | body | none | the same, it was somebody else's turn since": async shop => {
    await mailingOrders(shop).send({ wfid: 'shop/order' })
    const wfs = shop.mails[0]?.token
    const opened = await shop.send({ wfs })
    shop.onName = () => outletEmail('bob@example.com', 'order')
    await shop.send({ wfs: opened.body.wfs, input: { name: 'Ada' } })
    return shop.send({ wfs })
  },
  'POST | body | none | a link in a mail that has expired, with a ledger': async shop =>
    shop.send({ wfs: await expiredLink(shop) }),
  'POST | body | none | the same, with `fresh: true`': async shop =>
    shop.send({ wfs: await expiredLink(shop), fresh: true }),
  'POST | body | none | live, with `fresh: true`': async shop => {
    const wfs = await started(withLedger(shop))
    return [await shop.send({ wfs, fresh: true }), wfs]
  },
  'POST | body | none | garbled, with `fresh: true`': shop =>
    withLedger(shop).send({ wfs: '.%00.', fresh: true }),
  'POST | body | none | with `fresh: true`, without a ledger': async shop => {
    const wfs = await started(shop)
    return [await shop.send({ wfs, fresh: true }), wfs]
  },
  'POST | none | none | `watch` and its `code`, in that browser': shop =>
    enteredCode(shop, code => code),
  'POST | none | none | `watch` and another code, in that browser': shop =>
    enteredCode(shop, () => 'ZZZZ-ZZZZ'),
  'POST | none | none | the same, the sixth time': shop => enteredCode(shop, () => 'ZZZZ-ZZZZ', 6),
  'POST | none | none | `watch` and its `code`, in another browser': async shop => {
    const { body } = await mailingOrders(shop, { code: true }).send({ wfid: 'shop/order' })
    return shop.send({ watch: body.watch, code: shop.mails[0]!.code })
  },
  'POST | none | none | `watch` that was never given, and a code': shop =>
    withLedger(shop).send({ watch: 'x'.repeat(32), code: 'ZZZZ-ZZZZ' }),
  'POST | body | none | revoked': async shop => {
    const { clock } = shop
    const replay = new WfLedgerMemory({ clock })
    const state = new EncapsulatedStateStrategy({ secret: randomBytes(32), replay, clock })
    shop.config = { ...shop.config, state }
    const wfs = await started(shop)
    const found = await state.forName('default').peek(wfs.slice('default.'.length))
    await state.revokeFlow(notesOf((found as WfPeek).state)?.flow.flowId ?? '')
    return shop.send({ wfs, input: { name: 'Ada' } })
  },
  'POST | body | none | sent again with its `requestId`': shop => sentAgain(shop, {}),
  'POST | body | none | its `requestId` with another input': shop =>
    sentAgain(shop, { input: { name: 'Eve' } }),
  'POST | body | none | its `requestId`, after an answer with a cookie': shop => {
    shop.onName = input => void (input && useResponse().setCookie('session', 'x'))
    return sentAgain(shop, {})
  },
  'POST | body | none | its `requestId`, for a link of another browser': async shop => {
    withLedger(shop).onName = (input, ctx) => {
      ctx.tries = (ctx.tries ?? 0) + 1
      if (ctx.tries > 1) return undefined
      return outletEmail('ada@example.com', 'order', {}, { link: 'sameBrowser' })
    }
    const cookie = browserOf(await shop.send({ wfid: 'shop/order' }))
    const request = { wfs: shop.mails[0]?.token, requestId: 'r1' }
    expect((await shop.send(request, { cookie })).status).toBe(200)
    return shop.send(request)
  },
  'POST | none | allowed | started again with its `requestId` of at least 22 characters': shop =>
    startedAgain(shop, {}),
  'POST | none | allowed | its first step waits for a signal': async shop => {
    const state = new DurableStateStrategy({ runs: new WfRunStoreMemory({ clock: shop.clock }) })
    shop.config = { ...withLedger(shop).config, state }
    shop.onName = () => waitFor('paid')
    const answer = await shop.send({ wfid: 'shop/order' })
    expect(answer.body).toEqual({ waiting: true, watch: expect.any(String) })
    return answer
  },
  "POST | none | allowed | its `runKey` is taken by the same actor's": shop =>
    startTwice(shop, ['ada', 'ada']),
  "POST | none | allowed | the same, `onConflict: 'join'`": async shop => {
    const answer = await startTwice(shop, ['ada', 'ada'], 'join')
    expect(answer.body).toEqual({ joined: true, watch: expect.any(String) })
    return answer
  },
  "POST | none | allowed | the same, `onConflict: 'supersede'`": shop =>
    startTwice(shop, ['ada', 'ada'], 'supersede'),
  "POST | none | allowed | its `runKey` is taken by another actor's": shop =>
    startTwice(shop, ['ada', 'eve'], 'supersede'),
  'POST | none | allowed | its `runKey` is taken, asked by nobody in particular': async shop => {
    const answer = await startTwice(shop, ['ada', undefined], 'supersede')
    expect(answer.body).toEqual({ sent: true, outlet: 'email', watch: expect.any(String) })
    expect(shop.mails).toHaveLength(0)
    return answer
  },
  'POST | none | allowed | the same with another input': shop =>
    startedAgain(shop, { input: { name: 'Eve' } }),
  'GET | none | none | `watch` of what was sent, with a ledger': async (shop, method) => {
    const answer = await shop.send(null, { method, query: `?watch=${await watchOfInvite(shop)}` })
    expect(answer.body).toEqual({ watching: true, state: 'waiting' })
    return answer
  },
  'HEAD | none | none | `watch` of what was sent, with a ledger': async (shop, method) =>
    shop.send(null, { method, query: `?watch=${await watchOfInvite(shop)}` }),
  'GET | none | none | `watch` that was never given': (shop, method) =>
    withLedger(shop).send(null, { method, query: `?watch=${'x'.repeat(32)}` }),
  'GET | none | none | `watch` of a workflow that is not allowed here': async (shop, method) => {
    const watch = await watchOfInvite(shop)
    shop.config = { ...shop.config, allow: ['shop/order'] }
    return shop.send(null, { method, query: `?watch=${watch}` })
  },
  'POST | body | none | a `watch` token': async shop =>
    shop.send({ wfs: await watchOfInvite(shop), input: { accept: 'yes' } }),
  'POST | body | none | paused on another shape, the step is still there': async shop => {
    const wfs = await started(shop)
    await outdate(shop, wfs, {})
    return [await shop.send({ wfs, input: { name: 'Ada' } }), wfs]
  },
  'POST | body | none | superseded, in the browser that has the newer one': async shop => {
    const { wfs, browser } = await superseded(shop)
    return shop.send({ wfs, input: { name: 'Ada' } }, { cookie: browser })
  },
  'POST | body | none | superseded': async shop => {
    const { wfs } = await superseded(shop)
    return shop.send({ wfs, input: { name: 'Ada' } })
  },
  'POST | body | none | claimed by another request right now': async shop => {
    const wfs = await started(shop)
    let answer: Answer | undefined
    shop.onName = async () => {
      shop.onName = () => undefined
      answer = await shop.send({ wfs, input: { name: 'Ada' } })
    }
    await shop.send({ wfs, input: { name: 'Ada' } })
    return answer as Answer
  },
  'POST | body | none | paused on a shape that this build lacks': async shop => {
    const wfs = await started(shop)
    await outdate(shop, wfs)
    return shop.send({ wfs, input: { name: 'Ada' } })
  },
  'POST | none | allowed | one more than `startLimit` allows': async shop => {
    const startLimit = { limit: 2, windowMs: 60_000 }
    shop.config = { ...withLedger(shop).config, startLimit }
    for (let n = 0; n < 2; n++) expect((await shop.send({ wfid: 'shop/order' })).status).toBe(200)
    return shop.send({ wfid: 'shop/order' })
  },
  'POST | none | any | broken body': shop => shop.send(null, { rawBody: '{"wfid":' }),
  'POST | none | any | NUL or half a surrogate pair in the body': shop =>
    shop.send({ wfid: 'shop/order', input: { name: 'a\0' } }),
  'POST | none | any | oversized body': shop =>
    shop.send({ wfid: 'shop/order', input: 'x'.repeat(1024 * 1024) }),
  'POST | none | any | body of another type': shop =>
    shop.send(null, { rawBody: '<a/>', headers: { 'content-type': 'text/xml' } }),
  'POST | body | none | the step throws an `HttpError` 4xx': failing('http'),
  'POST | body | none | the step throws anything else': failing('crash'),
  "POST | body | none | the step throws, `onError: 'discard'`": async shop => {
    const state = new HandleStateStrategy({ store: shop.store, onError: 'discard' })
    shop.config = { ...shop.config, state }
    const wfs = await atAddress(shop)
    return [await shop.send({ wfs, input: { fail: 'crash' } }), wfs]
  },
  'POST | body | none | the step throws, its strategy will try it again': async shop => {
    const state = new WholeStrategy(shop.clock, { retryAfterMs: 5000 })
    shop.config = { ...shop.config, state }
    const wfs = await atAddress(shop)
    const answer = await shop.send({ wfs, input: { fail: 'crash' } })
    expect(answer.body).toEqual({ retrying: true, retryAt: shop.clock.now() + 5000 })
    return answer
  },
  'POST | body | none | the same, by a durable run and with a ledger': async shop => {
    const { answer } = await retrying(shop)
    const retryAt = shop.clock.now() + 1000
    expect(answer.body).toEqual({ retrying: true, retryAt, watch: expect.any(String) })
    return answer
  },
  'POST | none | allowed | the first step throws, the same': async shop => {
    durably(shop).onName = () => {
      throw new Error('A test.')
    }
    const answer = await shop.send({ wfid: 'shop/order', input: { name: 'Ada' } })
    const retryAt = shop.clock.now() + 1000
    expect(answer.body).toEqual({ retrying: true, retryAt, watch: expect.any(String) })
    return answer
  },
  'POST | body | none | sent again before that, with another answer': async shop => {
    const { wfs, answer } = await retrying(shop)
    shop.ran.length = 0
    shop.clock.advance(999)
    const again = await shop.send({ wfs, input: { address: 'Vienna' } })
    expect([again.body, shop.ran]).toEqual([answer.body, []])
    return again
  },
  'GET | query | none | looked at before that': async shop => {
    const { wfs, answer } = await retrying(shop)
    const { retryAt } = answer.body
    const look = await shop.send(null, { method: 'GET', query: query(wfs) })
    expect(look.body).toEqual({ retrying: true, retryAt })
    return look
  },
  'GET | none | none | `watch` of a step that is tried again': async shop => {
    const { answer } = await retrying(shop)
    const asking = { method: 'GET', query: `?watch=${answer.body.watch}` }
    const seen = await shop.send(null, asking)
    expect(seen.body).toEqual({ watching: true, state: 'waiting' })
    return seen
  },
  'POST | body | none | a durable run, the step throws a `NonRetryableError`': async shop => {
    const wfs = await started(durably(shop))
    shop.onName = () => {
      throw new NonRetryableError('A test.')
    }
    return [await shop.send({ wfs, input: { name: 'Ada' } }), wfs]
  },
  'POST | body | none | the step asks again with `keepToken`': async shop => {
    const wfs = await started(shop)
    shop.onName = input =>
      input?.name ? undefined : outletHttp({ ask: 'name' }, {}, { keepToken: true })
    const answer = await shop.send({ wfs, input: {} })
    expect(answer.body.wfs).toBe(wfs)
    return [answer, wfs]
  },
  'POST | body | none | what was sent cannot be stored': async shop => {
    const wfs = await started(shop)
    shop.onName = (input, ctx) => void (input && Object.assign(ctx, { huge: 1n }))
    return [await shop.send({ wfs, input: { name: 'Ada' } }), wfs]
  },
  'POST | body | none | the outlet cannot deliver': async shop => {
    const { outlets } = shop.config
    shop.config = {
      ...shop.config,
      outlets: [
        { name: 'email', tokenDelivery: 'out-of-band', deliver: () => Promise.reject(new Error()) },
      ],
    }
    const wfs = await shop.start('shop/invite')
    const answer = await shop.send({ wfs, input: { name: 'Ada' } })
    shop.config = { ...shop.config, outlets }
    return [answer, wfs]
  },
  'POST | body | none | the same, the message waits in an outbox': async shop => {
    const runs = new WfRunStoreMemory({ clock: shop.clock, outbox: true })
    const deliver = () => Promise.reject(new Error())
    shop.config = {
      ...shop.config,
      state: new DurableStateStrategy({ runs, secret: randomBytes(32) }),
      outlets: [{ name: 'email', tokenDelivery: 'out-of-band', deliver }],
    }
    const wfs = await shop.start('shop/invite')
    const answer = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(answer.body).toEqual({ sent: true, outlet: 'email', queued: true })
    return [answer, wfs]
  },
}

/** Whatever asks for the key last is answered. Only the first start sends its mail. */
async function startTwice(
  shop: Shop,
  actors: readonly [string, string | undefined],
  onConflict?: 'join' | 'supersede',
): Promise<Answer> {
  const mails: unknown[] = []
  shop.onName = () => outletEmail('ada@example.com', 'invite')
  const outlets = [createEmailOutlet(async mail => void mails.push(mail))]
  const state = new DurableStateStrategy({ runs: new WfRunStoreMemory({ clock: shop.clock }) })
  const left = [...actors]
  const actor = () => left.shift()
  const keyed = { state, outlets, actor, onConflict, runKey: () => 'ada' }
  shop.config = { ...withLedger(shop).config, ...keyed }
  await shop.send({ wfid: 'shop/order' })
  shop.ran.length = 0
  return shop.send({ wfid: 'shop/order' })
}

async function peeked(shop: Shop, method: string): Promise<readonly [Answer, string]> {
  const wfs = await started(shop)
  return [await shop.send(null, { method, query: query(wfs) }), wfs]
}

/** `fetch` does not let a caller set the headers that only browsers set. */
function rawPost(shop: Shop, body: unknown, headers: Record<string, string>): Promise<Answer> {
  if (shop.door === 'fetch') return shop.send(body, { headers })
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const outgoing = request(`${shop.url}/wf`, options, async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      const status = response.statusCode ?? 0
      resolve({ status, headers: new Headers(), text, body: JSON.parse(text) })
    })
    outgoing.on('error', reject).end(JSON.stringify(body))
  })
}

describe('the outcomes table', () => {
  it('has a scenario for every row, and no other', () => {
    expect(rows.map(row => row.title).toSorted()).toEqual(Object.keys(scenarios).toSorted())
  })

  const entered = DOORS.flatMap(door => rows.map(row => ({ ...row, door })))

  it.each(entered)(
    '$title by $door → $answer',
    async ({ title, method, answer: expected, door }) => {
      const shop = await openShop({}, door)
      const outcome = await scenarios[title]!(shop, method)
      const [answer, token] = Array.isArray(outcome) ? outcome : [outcome as Answer, undefined]

      const [, status = '', code] = /^(\d{3})(?: `(WF_\w+)`)?/u.exec(expected) ?? []
      expect(answer.status).toBe(Number(status))
      if (code) {
        const { message } = answer.body
        expect(message).toMatch(/^[A-Z].*\.$/u)
        const { restart, fresh, triesLeft, ...error } = answer.body.error
        expect(error).toEqual({ code, message, status: Number(status) })
        expect(fresh).toBe(expected.includes('`fresh`') ? true : undefined)
        expect(typeof triesLeft === 'number').toBe(expected.includes('`triesLeft`'))
        const isProven = expected.includes('with `restart`') || code === 'WF_SUPERSEDED'
        expect(restart?.wfid).toBe(isProven ? 'shop/order' : undefined)
        const isShown = expected.includes('with the form where it is now')
        expect(answer.body.inputRequired !== undefined).toBe(isShown)
        expect(answer.body.wfs !== undefined).toBe(isShown)
        await expect.poll(() => shop.rejections.length + Number(code === 'WF_INTERNAL')).toBe(1)
      }
      if (status === '202' && expected.includes('sends')) {
        expect(answer.body).toEqual({ accepted: true })
        await resolveOutletConfig(shop.config, asEnvelope).fresh!.queue.idle()
        const sent = shop.mails.length - (shop.mails.length > 0 ? 1 : 0)
        expect(sent).toBe(expected.includes('sends nothing') ? 0 : 1)
      }
      if (expected.includes('starts')) expect(shop.ran).toContain('name')
      if (expected.includes('peeks')) {
        const expiresAt = shop.clock.now() + 24 * 60 * 60_000
        expect(answer.body).toEqual({ resumable: true, wfid: 'shop/order', expiresAt })
      }
      if (expected.includes('runs')) expect(answer.body).toMatchObject({ wfs: expect.any(String) })
      if (expected.includes('`Allow: POST`')) expect(answer.headers.get('allow')).toBe('POST')
      const [, seconds] = /Retry-After: (\d+)/u.exec(expected) ?? []
      if (seconds) expect(answer.headers.get('retry-after')).toBe(seconds)
      if (expected.includes('clears the cookie')) {
        expect(answer.headers.get('set-cookie')).toMatch(/^wfs=; .*Max-Age=0/u)
      }
      if (expected.includes('leaves the cookie')) {
        expect(answer.headers.get('set-cookie')).toBeNull()
      }
      if (token !== undefined) {
        const again = await shop.send(null, { method: 'GET', query: query(token) })
        expect(again.status, 'the token afterwards').toBe(expected.includes('consumes') ? 410 : 200)
      }
    },
  )

  it('answers all that is wrong with a token with the same bytes, and tells onReject the truth', async () => {
    const shop = await openShop()
    const used = await started(shop)
    await shop.send({ wfs: used, input: { name: 'Ada' } })
    const tokens = [used, gone, 'x', '', '.', 'default.', 'nope.x', 7, true, [], {}]
    const answers = await Promise.all(tokens.map(wfs => shop.send({ wfs })))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    await expect
      .poll(() => shop.rejections.map(rejection => rejection.reason).toSorted())
      .toEqual([...Array(9).fill('garbled'), 'gone', 'gone'])
  })
})
