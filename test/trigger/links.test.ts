import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  WfLedgerMemory,
  type WfOutletConfig,
} from '@atscript/moost-wf'
import type { WfConfirmInfo } from '@atscript/moost-wf/trigger'
import { mailScanner } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { scaled } from '../support/scale'
import { type Answer, openShop, type Shop } from '../support/shop'

const HTML = { accept: 'text/html,*/*;q=0.8' }
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' }

/** A shop whose invitations lead to `/accept`. */
async function openLinkShop(overrides: Partial<WfOutletConfig> = {}): Promise<Shop> {
  const shop = await openShop()
  const ledger = new WfLedgerMemory({ clock: shop.clock })
  const resumeUrl = (wfid: string) => (wfid === 'shop/gift' ? '/accept?from=mail' : '/')
  shop.config = { ...shop.config, ledger, resumeUrl, ...overrides }
  return shop
}

/** Mails a link, and gives its token. Whoever opens it is asked for a name. */
async function invited(shop: Shop): Promise<string> {
  shop.onName = (input, ctx) => {
    if (ctx.tries === undefined) {
      ctx.tries = 1
      return outletEmail('ada@example.com', 'invite')
    }
    return input?.name ? undefined : outletHttp({ ask: 'name' })
  }
  await shop.send({ wfid: 'shop/gift' })
  return shop.mails.at(-1)!.token
}

const open = (shop: Shop, wfs: string, headers: Record<string, string> = HTML) =>
  shop.send(null, { method: 'GET', query: `?wfs=${encodeURIComponent(wfs)}`, headers })

/** The fields of the form on a page. */
function fieldsOf({ text }: Answer): URLSearchParams {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/gu)
  return new URLSearchParams(
    Object.fromEntries([...inputs].map(([, name, value]) => [name, value])),
  )
}

/** `fetch` does not let a caller set the headers that only browsers set. */
async function post(shop: Shop, headers: Record<string, string>, body: string) {
  const outgoing = request(`${shop.url}/wf`, { method: 'POST', headers })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode }
}

const press = (shop: Shop, fields: URLSearchParams) =>
  shop.send(null, { headers: FORM, rawBody: fields.toString() })

describe('a link that a browser opens', () => {
  it('asks to confirm, by a page that needs nothing and can be framed by no one', async () => {
    const shop = await openLinkShop()
    const page = await open(shop, await invited(shop))
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const csp = page.headers.get('content-security-policy')
    expect(csp).toMatch(/default-src 'none'.*frame-ancestors 'none'/u)
    expect(csp).not.toContain('unsafe')
    expect(page.text).not.toMatch(/<script|<link|<img|style=|https?:/u)
    expect(page.text).toContain('<button>Continue</button>')
    expect(page.text).toContain('<form method="post" action="?">')
    expect(shop.ran).not.toContain('done')
  })

  it('goes on when the button is pressed, at the page of the application', async () => {
    const shop = await openLinkShop()
    const page = await open(shop, await invited(shop))
    const pressed = await press(shop, fieldsOf(page))
    expect(pressed.status).toBe(303)
    const location = pressed.headers.get('location') ?? ''
    expect(location).toMatch(/^\/accept\?from=mail#wfs=default\.[\w-]+$/u)
    expect(pressed.text).toBe('')
    const wfs = decodeURIComponent(location.split('#wfs=')[1] ?? '')
    const done = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(done.body.finished).toBe(true)
  })

  it('goes on by the cookie where tokens are in cookies', async () => {
    const shop = await openLinkShop({ token: { write: 'cookie' } })
    const page = await open(shop, await invited(shop))
    const pressed = await press(shop, fieldsOf(page))
    expect(pressed.headers.get('location')).toBe('/accept?from=mail')
    expect(pressed.headers.get('set-cookie')).toContain('wfs=default.')
  })

  it('takes a double click for one', async () => {
    const shop = await openLinkShop()
    const fields = fieldsOf(await open(shop, await invited(shop)))
    const [one, two] = await Promise.all([press(shop, fields), press(shop, fields)])
    expect(one.headers.get('location')).toContain('/accept')
    expect(two.headers.get('location')).toBe(one.headers.get('location'))
  })

  it('tells a person in a sentence what is wrong, never in JSON', async () => {
    const shop = await openLinkShop()
    const wfs = await invited(shop)
    const fields = fieldsOf(await open(shop, wfs))
    await press(shop, fields)
    fields.set('requestId', 'another')
    for (const answer of [
      await open(shop, wfs),
      await press(shop, fields),
      await open(shop, 'default.never-was'),
      await open(shop, '<script>'),
    ]) {
      expect(answer.status).toBe(410)
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.text).toMatch(/<h1>This link or form .*\.<\/h1>/u)
      expect(answer.text).not.toContain('<script')
    }
  })

  it('posts as no one, as browsers do from a page without a referrer', async () => {
    const shop = await openLinkShop()
    const fields = fieldsOf(await open(shop, await invited(shop)))
    const rawBody = fields.toString()
    const from = (site: string) => ({ ...FORM, origin: 'null', 'sec-fetch-site': site })
    for (const headers of [from('cross-site'), from('same-site'), { ...FORM, origin: 'null' }]) {
      expect((await post(shop, headers, rawBody)).status).toBe(403)
    }
    expect((await post(shop, from('same-origin'), rawBody)).status).toBe(303)
  })

  it('does not print a token that is in a cookie which scripts cannot see', async () => {
    const shop = await openLinkShop({ token: { write: 'cookie' } })
    const started = await shop.send({ wfid: 'shop/order' })
    const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await shop.send(null, { method: 'GET', cookie, headers: HTML })
    expect(page.status).toBe(200)
    expect(page.text).not.toContain(cookie.slice('wfs='.length))
    const headers = { ...FORM, cookie }
    const pressed = await shop.send(null, { headers, rawBody: fieldsOf(page).toString() })
    expect(pressed.status).toBe(303)
  })

  it('may lead to another origin, and its form too', async () => {
    const shop = await openLinkShop({ resumeUrl: 'https://app.example/accept' })
    const page = await open(shop, await invited(shop))
    const csp = page.headers.get('content-security-policy')
    expect(csp).toContain(`form-action 'self' https://app.example;`)
    const pressed = await press(shop, fieldsOf(page))
    expect(pressed.headers.get('location')).toMatch(/^https:\/\/app\.example\/accept#wfs=/u)
  })

  it('answers programs in JSON', async () => {
    const shop = await openLinkShop()
    const { body } = await open(shop, await invited(shop), { accept: '*/*' })
    expect(body).toEqual({ resumable: true, wfid: 'shop/gift' })
  })

  it('answers everyone in JSON where no page to go on at is named', async () => {
    const shop = await openLinkShop({ resumeUrl: undefined })
    const { body } = await open(shop, await invited(shop))
    expect(body.resumable).toBe(true)
  })

  it('has texts and a colour of yours, and nothing that you did not mean', async () => {
    const confirmPage = { lang: 'de', title: 'Weiter <hier>', button: '"Los"', accent: '#b00' }
    const shop = await openLinkShop({ confirmPage })
    const wfs = await invited(shop)
    const page = await open(shop, wfs)
    expect(page.text).toContain('<html lang="de">')
    expect(page.text).toContain('<h1>Weiter &lt;hier&gt;</h1>')
    expect(page.text).toContain('<button>&quot;Los&quot;</button>')
    expect(page.text).toContain('--accent:#b00')
    shop.config = { ...shop.config, confirmPage: { accent: 'red}</style><script>' } }
    expect((await open(shop, wfs)).text).not.toContain('<script>')
  })

  it('has texts of ours where yours are undefined', async () => {
    const shop = await openLinkShop({ confirmPage: { lang: undefined, title: undefined } })
    const page = await open(shop, await invited(shop))
    expect(page.text).toContain('<h1>Continue here</h1>')
    expect(page.text).not.toContain('undefined')
  })

  it('is a page of yours', async () => {
    const confirmPage = ({ wfid, fields }: WfConfirmInfo) =>
      `${wfid}: ${Object.keys(fields).join()}`
    const shop = await openLinkShop({ confirmPage })
    const page = await open(shop, await invited(shop))
    expect(page.text).toBe('shop/gift: wfs,confirm,requestId')
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`)
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  it.each([{ resumeUrl: 7 }, { resumeUrl: 'http://[' }, { confirmPage: 'x' }])(
    'refuses %j',
    async wrong => {
      const shop = await openLinkShop(wrong as Partial<WfOutletConfig>)
      expect((await shop.send({ wfid: 'shop/order' })).status).toBe(500)
    },
  )
})

describe('a mail scanner', () => {
  const strategies = (shop: Shop) => {
    const { clock, store } = shop
    const replay = new WfLedgerMemory({ clock })
    return {
      handle: new HandleStateStrategy({ store }),
      stable: new HandleStateStrategy({ store, stable: true }),
      encapsulated: new EncapsulatedStateStrategy({ secret: randomBytes(32), replay, clock }),
    }
  }

  it.each(['handle', 'stable', 'encapsulated'] as const)(
    'spends nothing, and the person succeeds every time: %s',
    async kind => {
      const shop = await openLinkShop()
      shop.config = { ...shop.config, state: strategies(shop)[kind] }
      const scan = mailScanner({ clock: shop.clock })
      const links = scaled(10, 100)
      let succeeded = 0
      for (let link = 0; link < links; link++) {
        const token = await invited(shop)
        await scan(`${shop.url}/wf?wfs=${encodeURIComponent(token)}`)
        const pressed = await press(shop, fieldsOf(await open(shop, token)))
        const wfs = decodeURIComponent(pressed.headers.get('location')?.split('#wfs=')[1] ?? '')
        const done = await shop.send({ wfs, input: { name: 'Ada' } })
        if (done.body.finished) succeeded++
      }
      expect(succeeded).toBe(links)
    },
  )
})

describe('a link for the same browser', () => {
  async function openBound(overrides: Partial<WfOutletConfig> = {}) {
    const shop = await openLinkShop()
    shop.config = { ...shop.config, ...overrides }
    shop.onName = input =>
      input?.name
        ? outletEmail('ada@example.com', 'sign-in', {}, { link: 'sameBrowser' })
        : undefined
    const wfs = await shop.start('shop/gift')
    const sent = await shop.send({ wfs, input: { name: 'Ada' } })
    shop.onName = () => undefined
    const [cookie = '', ...flags] = sent.headers.get('set-cookie')?.split('; ') ?? []
    return { shop, cookie, flags, token: shop.mails.at(-1)!.token, wfs, sent }
  }

  it('goes on there', async () => {
    const { shop, cookie, flags, token } = await openBound()
    expect(flags).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax']))
    const headers = { cookie, accept: '*/*' }
    expect((await open(shop, token, headers)).status).toBe(200)
    const done = await shop.send({ wfs: token, input: { name: 'Ada' } }, { cookie })
    expect(done.body.finished).toBe(true)
  })

  it.each([undefined, '', 'wfs-browser=', 'wfs-browser=guess'])(
    'says elsewhere what to do, and is left as it was: cookie %j',
    async cookie => {
      const { shop, token, cookie: right } = await openBound()
      const answers = [
        await shop.send({ wfs: token, input: { name: 'Ada' } }, { cookie }),
        await open(shop, token, { accept: '*/*', ...(cookie && { cookie }) }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.error.code]).toEqual([403, 'WF_WRONG_BROWSER'])
        expect(body.message).toContain('the browser in which you asked')
        expect(body.error.restart).toEqual({ wfid: 'shop/gift' })
      }
      const done = await shop.send({ wfs: token, input: { name: 'Ada' } }, { cookie: right })
      expect(done.body.finished).toBe(true)
    },
  )

  it('keeps the mark of a browser that has one', async () => {
    const { shop, cookie } = await openBound()
    shop.onName = input =>
      input?.name
        ? outletEmail('ada@example.com', 'sign-in', {}, { link: 'sameBrowser' })
        : undefined
    const wfs = await shop.start('shop/gift')
    const again = await shop.send({ wfs, input: { name: 'Ada' } }, { cookie })
    expect(again.headers.get('set-cookie')).toContain(cookie)
  })

  it.each<[string, Partial<WfOutletConfig>, string]>([
    ['https', { publicUrl: 'https://shop.example' }, '__Host-wfs-browser'],
    ['http', { publicUrl: 'http://shop.example' }, 'wfs-browser'],
    ['a path', { token: { cookie: { secure: true, path: '/wf' } } }, 'wfs-browser'],
    ['a domain', { token: { cookie: { secure: true, domain: 'a.example' } } }, 'wfs-browser'],
  ])('knows it by a cookie that no sibling host can set, if it can: %s', async (_, how, name) => {
    const { shop, cookie, flags, token } = await openBound(how)
    const [actual, mark = ''] = cookie.split('=')
    expect(actual).toBe(name)
    expect(flags.join('; ')).not.toMatch(/undefined|null|=(?:;|$)/u)
    if (name.startsWith('__Host-')) expect(flags.join('; ')).not.toContain('Domain')
    const inCapitals = `${name.toUpperCase()}=${mark}`
    expect((await shop.send({ wfs: token }, { cookie: inCapitals })).status).toBe(403)
    const other = name === 'wfs-browser' ? '__Host-wfs-browser' : 'wfs-browser'
    const planted = await shop.send({ wfs: token }, { cookie: `${other}=${mark}` })
    expect(planted.status).toBe(403)
    expect((await shop.send({ wfs: token }, { cookie })).status).toBe(200)
  })

  it('stores no more than a hash of the mark', async () => {
    const { shop, cookie, token } = await openBound()
    const stored = await shop.store.get(token.slice('default.'.length))
    expect(JSON.stringify(stored?.state)).not.toContain(cookie.split('=')[1])
  })

  it('refuses another policy', async () => {
    const shop = await openLinkShop()
    shop.onName = () => outletEmail('a@b.cd', 'x', {}, { link: 'anywhere' as never })
    expect((await shop.send({ wfid: 'shop/invite' })).status).toBe(500)
  })
})
