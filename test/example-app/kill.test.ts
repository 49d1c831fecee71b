import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ExampleApp,
  newFolder,
  spawnExampleApp,
  startExampleApp,
  startSharedApp,
  tokenIn,
  type Visitor,
} from '../support/example-app'

const KILL = '/api/demo/kill'
const PROCESS = '/api/demo/process'

/** It is still the same process. */
async function expectAlive(app: ExampleApp): Promise<void> {
  expect((await app.visitor().get('/api/me')).status).toBe(200)
  expect(app.child.exitCode ?? app.child.signalCode).toBeNull()
}

describe('a server that may be killed', () => {
  let app: ExampleApp
  let admin: Visitor
  beforeAll(async () => {
    app = await startSharedApp({ DEMO_KILL: '1' })
    admin = app.visitor()
    await admin.signInAdmin()
  })

  it('says so, and which process it is', async () => {
    expect((await admin.get('/api/me')).body.demo.canKill).toBe(true)
    expect((await admin.get(PROCESS)).body.processId).toMatch(/^[\w-]{36}$/u)
  })

  it.each(['manager', 'member'])('is not killed by a %s', async name => {
    const visitor = app.visitor()
    await visitor.signIn(`${name}@example.com`, `${name}-password`)
    expect(await visitor.user()).toMatchObject({ role: name })
    expect((await visitor.post(KILL)).status).toBe(403)
    await expectAlive(app)
  })

  it('is not killed by somebody who is not signed in', async () => {
    expect((await app.visitor().post(KILL)).status).toBe(403)
    await expectAlive(app)
  })

  it.each(['GET', 'PUT', 'DELETE'])('is not killed by %s', async method => {
    expect([404, 405]).toContain((await admin.request(KILL, { method })).status)
    await expectAlive(app)
  })

  it.each([
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['origin', 'http://localhost:1'],
    ['sec-fetch-site', 'cross-site'],
  ])('is not killed by a page of another site: %s is %s', async (name, value) => {
    expect((await admin.post(KILL, {}, { [name]: value })).status).toBe(403)
    await expectAlive(app)
  })

  it('is not killed through a proxy that says that it is one', async () => {
    for (const path of [KILL, PROCESS]) {
      const headers = { 'x-forwarded-for': '10.0.0.1' }
      const method = path === KILL ? 'POST' : 'GET'
      expect((await admin.request(path, { method, headers })).status).toBe(404)
    }
    await expectAlive(app)
  })
})

describe('an admin', () => {
  it('kills the server, and what was waiting goes on in the next one', async () => {
    const app = await startExampleApp({ DEMO_KILL: '1' })
    const admin = app.visitor()
    await admin.signInAdmin()
    await admin.wf({ wfid: 'users/invite', input: { email: 'ida@example.com', role: 'member' } })
    const wfs = tokenIn(await app.mailTo('ida@example.com'))
    const ended = once(app.child, 'exit')
    const { status, body } = await admin.post(KILL, {}, { origin: app.url })
    expect([status, body.killed]).toEqual([202, true])
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(app.output()).not.toContain('Stopping')

    const later = await startExampleApp({ DATA_DIR: app.dataDir })
    const input = { name: 'Ida', password: 'a-long-enough-password' }
    expect((await later.visitor().wf({ wfs, input })).body.finished).toBe(true)
  })
})

describe('a server that was not told so', () => {
  it('has no such route', async () => {
    const app = await startExampleApp()
    const admin = app.visitor()
    await admin.signInAdmin()
    expect((await admin.post(KILL)).status).toBe(404)
    expect((await admin.get(KILL)).status).toBe(404)
    expect((await admin.get(PROCESS)).status).toBe(404)
    expect((await admin.get('/api/me')).body.demo.canKill).toBe(false)
    await expectAlive(app)
  })
})

describe('a server that others can reach', () => {
  it.each([
    ['HOST', '0.0.0.0'],
    ['PUBLIC_URL', 'https://app.example.com'],
  ])('does not start with DEMO_KILL=1 and %s=%s', async (name, value) => {
    const env = { DATA_DIR: newFolder(), PORT: '0', DEMO_KILL: '1', [name]: value }
    const { output, exit } = spawnExampleApp(env)
    expect(await exit).toEqual([1, null])
    expect(output()).toContain('set DEMO_KILL to 0, or leave HOST and PUBLIC_URL out')
    expect(output()).not.toMatch(/ {4}at |Ready/u)
  })
})
