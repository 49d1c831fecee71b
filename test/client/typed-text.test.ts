import { outletHttp, StepRetriableError, WfLedgerMemory } from '@atscript/moost-wf'
import { createWfClient, withoutSecrets, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it, vi } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { duplicate, openTab, showTab, type Tab, TabStorage } from './browser'

type Input = Record<string, unknown>

/** A form with these fields, as it comes over the wire; `password` is one that nobody may keep. */
const formOf = (...fields: string[]) => ({
  type: {
    kind: 'object',
    props: Object.fromEntries(
      fields.map(name => [
        name,
        {
          type: { kind: '', designType: 'string' },
          metadata: name === 'password' ? { 'ui.form.type': name } : {},
        },
      ]),
    ),
  },
  metadata: { 'meta.label': fields.join() },
})

const NAME = formOf('name', 'email', 'password')

/** A shop that asks for a name by a form. */
async function openFormShop(): Promise<Shop> {
  const shop = await openShop({ ledger: new WfLedgerMemory() })
  shop.onName = input => (input?.name ? undefined : outletHttp(NAME, { email: 'ada@example.com' }))
  return shop
}

const orderAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  createWfClient<{ form: unknown; input: Input }>({
    path: `${shop.url}/wf`,
    name: 'shop/order',
    remember: withoutSecrets,
    ...options,
  })

const keyOf = (shop: Shop) => `moost-wf-typed:${shop.url}/wf:shop/order`
const storedIn = (tab: Tab) => JSON.stringify([...tab.sessionStorage.items])

describe('what was typed and not sent', () => {
  it('is there again after a reload, and after another one', async () => {
    const shop = await openFormShop()
    openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ad', email: '' })
    before.update({ name: 'Ada', email: '' })
    expect((await orderAt(shop).start()).data).toEqual({ name: 'Ada', email: '' })
    const after = orderAt(shop)
    expect((await after.start()).data).toEqual({ name: 'Ada', email: '' })
    expect((await after.submit()).form).toEqual({ ask: 'address' })
  })

  it('stands in front of what the form starts with, field by field', async () => {
    const shop = await openFormShop()
    openTab()
    const before = orderAt(shop)
    expect((await before.start()).data).toEqual({ email: 'ada@example.com' })
    before.update({ name: 'Ada' })
    const { data } = await orderAt(shop).start()
    expect(data).toEqual({ name: 'Ada', email: 'ada@example.com' })
  })

  it('never holds a secret', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada', password: 'hush' })
    expect(before.state.data).toEqual({ name: 'Ada', password: 'hush' })
    expect(storedIn(tab)).not.toContain('hush')
    const { data } = await orderAt(shop).start()
    expect(data).toEqual({ name: 'Ada', email: 'ada@example.com' })
  })

  it('is not kept unless the page lets it', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop, { remember: undefined })
    await before.start()
    before.update({ name: 'Ada' })
    expect(storedIn(tab)).not.toContain('Ada')
    expect(tab.tokens).toHaveLength(1)
  })

  it('is not kept where tokens are cookies: nothing would tell whose form it is', async () => {
    const shop = await openFormShop()
    shop.config = { ...shop.config, token: { write: 'cookie' } }
    const tab = openTab()
    const before = orderAt(shop, { tokenTransport: 'cookie' })
    await before.start()
    before.update({ name: 'Ada' })
    expect(tab.tokens).toEqual([])
  })

  it('is what was sent, too, as long as nobody knows what came of it', async () => {
    const shop = await openFormShop()
    openTab()
    let isUp = true
    const before = orderAt(shop, {
      fetch: (url, init) => (isUp ? fetch(url, init) : Promise.reject(new TypeError('down'))),
    })
    await before.start()
    isUp = false
    await before.submit({ name: '', email: 'typed', password: 'hush' })
    const { data } = await orderAt(shop).start()
    expect(data).toEqual({ name: '', email: 'typed' })
  })

  it('stays with its form when the token changes', async () => {
    const shop = await openFormShop()
    openTab()
    const before = orderAt(shop)
    await before.start()
    const { onName } = shop
    shop.onName = () => {
      const again = outletHttp(NAME, { errors: { name: 'Too short.' } })
      throw new StepRetriableError(new Error('again'), undefined, again.inputRequired)
    }
    await before.submit({ name: 'A' })
    before.update({ name: 'Ad' })
    await before.action('resend')
    shop.onName = onName
    expect((await orderAt(shop).start()).data).toMatchObject({ name: 'Ad' })
  })

  it('stays when an error brings another token, as those of other servers do', async () => {
    const tokens: unknown[] = []
    const open = () =>
      createWfClient({
        path: '/wf',
        name: 'x',
        remember: withoutSecrets,
        fetch: async (_url, { body = '' }) => {
          const { wfs, input } = JSON.parse(body)
          tokens.push(wfs)
          const error = { code: 'WF_REJECTED', message: 'No.', status: 422 }
          return input
            ? Response.json({ error, wfs: 'a.2' }, { status: 422 })
            : Response.json({ inputRequired: { payload: NAME }, wfs: wfs ?? 'a.1' })
        },
      })
    openTab()
    const before = open()
    await before.start()
    await before.submit({ name: 'Ada' })
    expect((await open().start()).data).toEqual({ name: 'Ada' })
    expect(tokens).toEqual([undefined, 'a.1', 'a.2'])
  })
})

describe('what was typed into one form is never put into another', () => {
  it('when the next one comes', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    client.update({ name: 'Ada' })
    expect((await client.submit()).form).toEqual({ ask: 'address' })
    expect(storedIn(tab)).not.toContain('Ada')
    expect((await orderAt(shop).start()).data).toEqual({})
  })

  it('when a deploy has changed the form', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada' })
    shop.onName = () => outletHttp(formOf('name', 'password', 'email'))
    expect((await orderAt(shop).start()).data).toEqual({})
    expect(storedIn(tab)).not.toContain('Ada')
  })

  it('when the same form belongs to another flow', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada' })
    const other = await shop.start('shop/order')
    const after = orderAt(shop, { initialToken: other })
    expect((await after.start()).data).toEqual({ email: 'ada@example.com' })
    expect(storedIn(tab)).not.toContain('Ada')
  })

  it('when the flow is gone and a new one begins', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada' })
    const token = tab.sessionStorage.getItem(`moost-wf:${shop.url}/wf:shop/order`)
    await shop.send({ wfs: token, input: { name: 'Eve' } })
    expect((await orderAt(shop).start()).data).toEqual({ email: 'ada@example.com' })
    expect(storedIn(tab)).not.toContain('Ada')
  })

  it('when the workflow has ended or is restarted', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    client.update({ name: 'Ada' })
    await client.restart()
    expect(storedIn(tab)).not.toContain('Ada')
    client.update({ name: 'Ada' })
    await client.submit()
    await client.submit({ address: 'Here' })
    expect(tab.tokens).toEqual([])
  })

  it('when the tab was duplicated, and the other one has gone on', async () => {
    const shop = await openFormShop()
    const one = openTab()
    const first = orderAt(shop)
    await first.start()
    first.update({ name: 'Ada' })
    const other = duplicate(one)
    await first.submit()
    showTab(other)
    expect((await orderAt(shop).start()).data).toEqual({ email: 'ada@example.com' })
    expect(storedIn(other)).not.toContain('Ada')
  })

  it('when it is restarted, whether the server is reached or not', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    let isUp = true
    const client = orderAt(shop, {
      fetch: (url, init) => (isUp ? fetch(url, init) : Promise.reject(new TypeError('down'))),
    })
    await client.start()
    client.update({ name: 'Ada' })
    isUp = false
    expect((await client.restart()).error?.code).toBe('WF_NETWORK')
    expect(storedIn(tab)).not.toContain('Ada')
  })

  it('when another link is opened in the tab', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada' })
    const other = await shop.start('shop/order')
    tab.location.href = `https://shop.example/?wfs=${other}`
    const after = orderAt(shop)
    await after.start()
    expect((await after.resume()).data).toEqual({ email: 'ada@example.com' })
  })
})

describe('a link that cannot be used', () => {
  it('leaves what was typed in the workflow of this tab', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada' })
    tab.location.href = 'https://shop.example/?wfs=default.gone'
    const after = orderAt(shop)
    expect((await after.start()).error?.code).toBe('WF_STATE_GONE')
    expect((await after.start()).data).toMatchObject({ name: 'Ada' })
  })
})

describe('a page that records something before there is a form', () => {
  it('does not lose what was typed before the reload', async () => {
    const shop = await openFormShop()
    openTab()
    const before = orderAt(shop)
    await before.start()
    before.update({ name: 'Ada' })
    const after = orderAt(shop)
    after.update({})
    expect((await after.start()).data).toMatchObject({ name: 'Ada' })
  })
})

describe('a storage', () => {
  it.each([
    '{',
    'null',
    '[]',
    '7',
    '"text"',
    '[null,null,null]',
    '["TOKEN"]',
    '["TOKEN","0.0",{"name":"Eve"}]',
    '{"0":"TOKEN"}',
  ])('that somebody has written into does no harm: %s', async text => {
    const shop = await openFormShop()
    const tab = openTab()
    await orderAt(shop).start()
    const [token = ''] = tab.tokens
    tab.sessionStorage.setItem(keyOf(shop), text.replace('TOKEN', token))
    expect((await orderAt(shop).start()).data).toEqual({ email: 'ada@example.com' })
  })

  it.each([['a text'], [null], [['a', 'list']]])(
    'that holds no fields for the form gives none: %j',
    async data => {
      const shop = await openFormShop()
      const tab = openTab()
      const before = orderAt(shop)
      await before.start()
      before.update({ name: 'Ada' })
      const [token, digest] = JSON.parse(tab.sessionStorage.getItem(keyOf(shop)) ?? '')
      tab.sessionStorage.setItem(keyOf(shop), JSON.stringify([token, digest, data]))
      const state = await orderAt(shop).start()
      expect(state.form).toEqual(NAME)
      expect(state.data).not.toHaveProperty('name')
    },
  )

  it('that is full keeps what it has, and the page goes on', async () => {
    const shop = await openFormShop()
    const storage = new TabStorage()
    const before = orderAt(shop, { storage })
    await before.start()
    before.update({ name: 'Ad' })
    vi.spyOn(storage, 'setItem').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    })
    before.update({ name: 'Ada' })
    expect(before.state.data).toEqual({ name: 'Ada' })
    vi.restoreAllMocks()
    expect((await orderAt(shop, { storage }).start()).data).toMatchObject({ name: 'Ad' })
  })

  it('gets nothing that cannot be written down', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const client = orderAt(shop)
    await client.start()
    client.update({ name: 7n })
    expect(client.state.data).toEqual({ name: 7n })
    expect(tab.tokens).toHaveLength(1)
  })
})

describe('a remember() that throws', () => {
  it('keeps nothing, and neither update nor submit fails', async () => {
    const shop = await openFormShop()
    const tab = openTab()
    const client = orderAt(shop, {
      remember: () => {
        throw new Error('a mistake of the page')
      },
    })
    await client.start()
    client.update({ name: 'Ada' })
    expect((await client.submit()).form).toEqual({ ask: 'address' })
    expect(storedIn(tab)).not.toContain('Ada')
  })
})
