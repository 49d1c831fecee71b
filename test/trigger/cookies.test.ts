import { once } from 'node:events'
import { createServer, request, type RequestOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { HandleStateStrategy, useWfFinished } from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { openShop } from '../support/shop'

const cookieOf = (headers: Headers) => headers.get('set-cookie') ?? ''
const pairOf = (headers: Headers) => cookieOf(headers).split(';')[0] ?? ''

describe('a token in a cookie', () => {
  it('is HttpOnly and SameSite, and is not in the body', async () => {
    const shop = await openShop({ token: { write: 'cookie' } })
    const answer = await shop.send({ wfid: 'shop/order' })
    expect(cookieOf(answer.headers)).toMatch(
      /^wfs=default\.[\w-]{36}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=86400$/u,
    )
    expect(answer.body).toEqual({
      inputRequired: { payload: { ask: 'name' }, transport: 'http', context: {} },
    })
  })

  it('carries a flow to its end, and is then cleared', async () => {
    const shop = await openShop({ token: { write: 'cookie' } })
    const first = await shop.send({ wfid: 'shop/order' })
    const second = await shop.send({ input: { name: 'Ada' } }, { cookie: pairOf(first.headers) })
    expect(pairOf(second.headers)).not.toBe(pairOf(first.headers))
    const done = await shop.send({ input: { address: 'Here' } }, { cookie: pairOf(second.headers) })
    expect(done.body).toEqual({ finished: true, data: { name: 'Ada', address: 'Here' } })
    expect(cookieOf(done.headers)).toMatch(/^wfs=; .*Max-Age=0/u)
    expect(cookieOf(done.headers)).toContain('Path=/')
  })

  it('lives as long as the state', async () => {
    const shop = await openShop({ token: { write: 'cookie' } })
    const state = new HandleStateStrategy({ store: shop.store, defaultTtl: 90_000 })
    shop.config = { ...shop.config, state }
    const answer = await shop.send({ wfid: 'shop/order' })
    expect(cookieOf(answer.headers)).toMatch(/; Max-Age=90\b/u)
  })

  it('takes its name, path, domain and strictness from the configuration', async () => {
    const cookie = { name: 'flow', path: '/wf', domain: 'example.com', sameSite: 'Strict' } as const
    const shop = await openShop({ token: { write: 'cookie', cookie } })
    const { headers } = await shop.send({ wfid: 'shop/order' })
    for (const part of ['flow=', 'Path=/wf', 'Domain=example.com', 'SameSite=Strict', 'HttpOnly']) {
      expect(cookieOf(headers)).toContain(part)
    }
  })

  it.each([
    ['asked', { token: { write: 'cookie', cookie: { secure: true } } }, true],
    [
      'the public URL is https',
      { publicUrl: 'https://a.example', token: { write: 'cookie' } },
      true,
    ],
    [
      'the public URL is http',
      { publicUrl: 'http://a.example', token: { write: 'cookie' } },
      false,
    ],
    [
      'asked not to',
      { publicUrl: 'https://a.example', token: { write: 'cookie', cookie: { secure: false } } },
      false,
    ],
    ['nothing is known', { token: { write: 'cookie' } }, false],
  ] as const)('is Secure or not when %s', async (_when, overrides, secure) => {
    const shop = await openShop(overrides)
    const { headers } = await shop.send({ wfid: 'shop/order' })
    expect(cookieOf(headers).includes('Secure')).toBe(secure)
  })

  it('is Secure when the request came over TLS', async () => {
    const shop = await openShop({ token: { write: 'cookie' } })
    const psk = Buffer.alloc(16, 7)
    const server = createServer({ ciphers: 'PSK', pskCallback: () => psk }, shop.callback)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const outgoing = request({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      path: '/wf',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ciphers: 'PSK',
      pskCallback: () => ({ psk, identity: 'test' }),
      checkServerIdentity: () => undefined,
    } as RequestOptions)
    outgoing.end('{"wfid":"shop/order"}')
    const [response] = await once(outgoing, 'response')
    expect(response.headers['set-cookie'][0]).toContain('; Secure')
    response.resume()
    server.close()
  })

  it('is replaced when a left-over one does not fit', async () => {
    const shop = await openShop({ token: { write: 'cookie' } })
    const answer = await shop.send({ wfid: 'shop/order' }, { cookie: 'wfs=default.old' })
    expect(pairOf(answer.headers)).toMatch(/^wfs=default\.[\w-]{36}$/u)
  })
})

describe('cookies of the application', () => {
  it('arrive when a step sets them for the end', async () => {
    const shop = await openShop()
    const wfs = await shop.start('shop/gift')
    shop.onDone = () =>
      useWfFinished().set({
        type: 'data',
        value: 'in',
        cookies: { session: { value: 's3', options: { httpOnly: true, sameSite: 'Strict' } } },
      })
    const done = await shop.send({ wfs, input: { name: 'Ada' } })
    expect(done.body).toEqual({ finished: true, data: 'in' })
    expect(cookieOf(done.headers)).toMatch(/^session=s3; .*HttpOnly/u)
  })
})
