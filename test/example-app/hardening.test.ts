import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleApp, startSharedApp, tokenIn, totpCode, Visitor } from '../support/example-app'

const ADMIN = 'admin@example.com'
const MEMBER = 'member@example.com'

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp()
})

/** The status of a request with headers that only a browser or a proxy sends. */
function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = withResolvers<number>()
  request(`${app.url}${path}`, { headers }, response => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
    .on('error', reject)
    .end()
  return promise
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe('what only the demo shows', () => {
  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: 'app.example.com', 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
    { 'x-real-ip': '203.0.113.7' },
    { 'x-forwarded-host': 'app.example.com' },
    { 'X-Forwarded-Proto': 'https' },
    { via: '1.1 proxy' },
    { 'cf-connecting-ip': '203.0.113.7' },
    { host: 'evil.example@localhost' },
    { host: 'a b' },
    { host: '[::1' },
  ])('is not shown to %j', async headers => {
    expect(await statusOf('/api/inbox', headers)).toBe(404)
  })

  it('is shown on this machine', async () => {
    expect(await statusOf('/api/inbox', {})).toBe(200)
    expect(await statusOf('/api/inbox', { host: 'localhost:3000' })).toBe(200)
  })
})

describe('a path', () => {
  it('of many words takes no longer than another', async () => {
    expect(await statusOf(`/${'a'.repeat(200)}.`, {})).toBe(404)
    // The server knows which pages there are, so this is none, however much it looks like one.
    expect(await statusOf(`/${'a/'.repeat(100)}`, {})).toBe(404)
  })
})

describe('a sign-in that waits for its code', () => {
  it('ends when the password is changed meanwhile', async () => {
    const thief = app.visitor()
    const { body } = await thief.signIn(ADMIN, 'admin-password')
    const owner = app.visitor()
    await owner.wf({ wfid: 'auth/recover', input: { email: ADMIN } })
    const wfs = tokenIn(await app.mailTo(ADMIN, 'password'))
    const input = { password: 'another long password' }
    expect((await owner.wf({ wfs, input })).body.finished).toBe(true)
    const end = await thief.wf({ wfs: body.wfs, input: { code: totpCode() } })
    expect(end.body).toMatchObject({ finished: true, aborted: true, reason: 'password-changed' })
    expect(await thief.user()).toBeNull()
  })
})

describe('tries at passwords', () => {
  it('from one address do not lock an account out for others', async () => {
    const guesses = []
    for (let guess = 0; guess < 60; guess++) {
      guesses.push((await new Visitor(app.url).signIn(MEMBER, 'wrong')).status)
    }
    expect(guesses.filter(status => status === 200)).toHaveLength(10)
    // The names of the counters do not run into each other either.
    const { status } = await new Visitor(app.url).signIn(`127.0.0.1:${MEMBER}`, 'wrong')
    expect(status).toBe(200)
  })
})
