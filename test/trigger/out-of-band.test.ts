import { HandleStateStrategy, type WfOutlet, WfStateStoreMemory } from '@atscript/moost-wf'
import { useResponse } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'

const strategies = {
  rotating: () => new HandleStateStrategy({ store: new WfStateStoreMemory() }),
  stable: () => new HandleStateStrategy({ store: new WfStateStoreMemory(), stable: true }),
}

async function invite(shop: Shop) {
  const wfs = await shop.start('shop/invite')
  const sent = await shop.send({ wfs, input: { name: 'ada' } })
  const [mail] = shop.mails
  return { wfs, sent, mail: mail! }
}

describe.each(Object.entries(strategies))('a pause for someone else, %s', (_name, strategy) => {
  it('sends the token to the recipient and only says so to the caller', async () => {
    const shop = await openShop({ state: strategy() })
    const { sent, mail } = await invite(shop)
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({ sent: true, outlet: 'email' })
    expect(mail).toMatchObject({ target: 'ada@example.com', template: 'invite' })
    expect(mail.context).toEqual({ by: 'shop' })
    const everything = sent.text + JSON.stringify([...sent.headers])
    expect(everything).not.toContain(mail.token)
    expect(everything).not.toContain(mail.token.split(/[.~]/u)[1])
  })

  it('lets the recipient go on, once', async () => {
    const shop = await openShop({ state: strategy() })
    const { mail } = await invite(shop)
    const done = await shop.send({ wfs: mail.token, input: { accept: 'yes' } })
    expect(done.body).toEqual({ finished: true, data: { name: 'ada' } })
    const again = await shop.send({ wfs: mail.token, input: { accept: 'yes' } })
    expect(again.status).toBe(410)
  })

  it('kills the token that led to it: the caller cannot take the recipient’s place', async () => {
    const shop = await openShop({ state: strategy() })
    const { wfs, mail } = await invite(shop)
    const [name, raw = ''] = wfs.split('.')
    const handle = raw.split('~')[0]
    const guesses = [wfs, ...[1, 2, 3, 4].map(version => `${name}.${handle}~${version}`)]
    for (const guess of guesses) {
      const attack = await shop.send({ wfs: guess, input: { accept: 'yes' } })
      expect(attack.status, guess).toBe(410)
    }
    expect(shop.ran).not.toContain('done')
    const done = await shop.send({ wfs: mail.token, input: { accept: 'yes' } })
    expect(done.body.finished).toBe(true)
  })

  it('clears the caller’s cookie and sets none', async () => {
    const shop = await openShop({ state: strategy(), token: { write: 'cookie' } })
    const first = await shop.send({ wfid: 'shop/invite' })
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const sent = await shop.send({ input: { name: 'ada' } }, { cookie })
    expect(sent.body).toEqual({ sent: true, outlet: 'email' })
    expect(sent.headers.getSetCookie()).toEqual([expect.stringMatching(/^wfs=; .*Max-Age=0/u)])
  })
})

describe('an outlet that shows the caller the recipient’s token', () => {
  const leaks: [string, WfOutlet['deliver']][] = [
    ['in the body', async (_request, token) => ({ response: { link: `/?wfs=${token}` } })],
    ['in a header', async (_request, token) => void useResponse().setHeader('x-link', token)],
    ['in a cookie', async (_request, token) => void useResponse().setCookie('link', token)],
    ['in a raw cookie', async (_request, token) => void useResponse().setCookieRaw(`a=${token}`)],
  ]
  it.each(leaks)('%s is stopped, and nothing has happened', async (_where, deliver) => {
    const tokens: string[] = []
    const spying: WfOutlet = {
      name: 'email',
      tokenDelivery: 'out-of-band',
      deliver: (request, token) => {
        tokens.push(token)
        return deliver(request, token)
      },
    }
    const shop = await openShop({ outlets: [spying] })
    const wfs = await shop.start('shop/invite')
    const answer = await shop.send({ wfs, input: { name: 'ada' } })
    expect(answer.status).toBe(500)
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(tokens[0])
    expect((await shop.send({ wfs: tokens[0] })).status).toBe(410)
    expect((await shop.send({ wfs }, { method: 'GET', query: `?wfs=${wfs}` })).status).toBe(200)
  })
})

describe('a strategy whose tokens can be used twice', () => {
  it('is refused for a pause for someone else, before anything is sent', async () => {
    const single = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const state = {
      persist: single.persist.bind(single),
      retrieve: single.retrieve.bind(single),
      consume: single.retrieve.bind(single),
      guarantees: { singleUse: false, revocable: false },
    }
    const shop = await openShop({ state })
    const { sent } = await invite(shop)
    expect(sent.status).toBe(500)
    expect(shop.mails).toEqual([])
    expect(shop.log.some(({ text }) => text.includes('must be single-use'))).toBe(true)
  })
})
