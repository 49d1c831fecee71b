import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Miniflare } from 'miniflare'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { miniflareOptions } from '../../example-app/worker/local/miniflare-options'
import { readWranglerConfig } from '../../example-app/worker/local/wrangler-config'
import { DEMO_SECRET } from '../../example-app/worker/src/settings/demo-secret'
import { newFolder } from '../support/example-app'
import { root } from '../support/project'
import { builtWorker, startWorkerApp, WorkerVisitor } from '../support/worker-app'

const OWN_SECRET = 'k7JmZ0w4l1y8P3tS6vXbA9cQeRfUhNgDiOjMzLxW2Yo'
const MAIL_URL = 'http://127.0.0.1:9/send'

/** The Worker as it would be deployed: nothing is set but what is said here. */
async function deployed(bindings: Record<string, string>) {
  const config = readWranglerConfig()
  const where = { host: '127.0.0.1', port: 0, dataDir: newFolder(), outDir: await builtWorker() }
  const miniflare = new Miniflare(miniflareOptions(config, { ...where, bindings }))
  onTestFinished(() => miniflare.dispose())
  await miniflare.ready
  return miniflare
}

describe('a Worker that is set up wrongly', () => {
  it.each([
    ['nothing is set', {}, 'PUBLIC_URL is missing'],
    [
      'there is no secret',
      { PUBLIC_URL: 'https://wf.example.org', MAIL_URL },
      'WF_SECRET is missing',
    ],
    [
      'the secret is that of the demo',
      { PUBLIC_URL: 'https://wf.example.org', MAIL_URL, WF_SECRET: DEMO_SECRET },
      'WF_SECRET is that of the demo',
    ],
    [
      'an older secret is that of the demo',
      {
        PUBLIC_URL: 'https://wf.example.org',
        MAIL_URL,
        WF_SECRET: `${OWN_SECRET}, ${DEMO_SECRET}`,
      },
      'WF_SECRET is that of the demo',
    ],
    [
      'the secret is short',
      { PUBLIC_URL: 'https://wf.example.org', MAIL_URL, WF_SECRET: 'short' },
      'WF_SECRET: A secret is 32 or more bytes',
    ],
    [
      'mails go nowhere',
      { PUBLIC_URL: 'https://wf.example.org', WF_SECRET: OWN_SECRET },
      'MAIL_URL is missing',
    ],
    [
      'passwords would travel in the open',
      { PUBLIC_URL: 'http://wf.example.org', MAIL_URL, WF_SECRET: OWN_SECRET },
      'PUBLIC_URL is not https',
    ],
    ['the address is none', { PUBLIC_URL: 'workflows' }, 'PUBLIC_URL is not an address'],
  ])('says so in a sentence where %s', async (_, bindings, sentence) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const miniflare = await deployed(bindings)
    const answer = await miniflare.dispatchFetch('https://wf.example.org/api/me')
    const said = await answer.text()
    expect(answer.status).toBe(503)
    expect(said).toContain(sentence)
    expect(said, 'no stack').not.toMatch(/\bat |worker\.js/u)
    for (const secret of [DEMO_SECRET, OWN_SECRET]) expect(said).not.toContain(secret)
    logged.mockRestore()
  })

  it('keeps what the queue brings until it is mended', async () => {
    const miniflare = await deployed({})
    const worker = (await miniflare.getWorker()) as unknown as {
      queue(name: string, messages: unknown[]): Promise<{ retryMessages: unknown[] }>
    }
    const message = { id: '1', timestamp: new Date(), attempts: 1, body: { flowId: 'a run' } }
    const { retryMessages } = await worker.queue('moost-wf-runs', [message])
    expect(retryMessages).toHaveLength(1)
  })
})

describe('a Worker that is out in the world', () => {
  it('knows no account of the demo, and shows no inbox', async () => {
    const dataDir = newFolder()
    const demo = await startWorkerApp({ dataDir })
    await demo.signIn('admin')
    await demo.close()
    const bindings = { PUBLIC_URL: 'https://wf.example.org', MAIL_URL, WF_SECRET: OWN_SECRET }
    const app = await startWorkerApp({ dataDir, bindings })
    const visitor = app.visitor()
    const { body } = await visitor.signIn('admin@example.com', 'admin-password')
    expect(body.finished).toBeUndefined()
    expect((await visitor.get('/api/inbox')).status).toBe(404)
    expect((await visitor.get('/api/me')).body).toEqual({ user: null, hasInbox: false })
  })

  it('has a first admin by SQL, whose cookie is for TLS alone', async () => {
    const [sql, said] = await firstAdmin('Boss@Example.org')
    const bindings = { PUBLIC_URL: 'https://wf.example.org', MAIL_URL, WF_SECRET: OWN_SECRET }
    const app = await startWorkerApp({ bindings })
    await app.sql(sql)
    const [, password = ''] = /is (\S+)$/mu.exec(said)!
    const visitor = app.visitor()
    const { body, headers } = await visitor.signIn('boss@example.org', password)
    expect(body).toMatchObject({ finished: true })
    expect(headers.get('set-cookie')).toMatch(/; Secure/u)
    expect(await visitor.user()).toMatchObject({ role: 'admin' })
  })

  it.each(["a@b.c'); drop table users; --", 'nobody', ''])('makes no SQL for %j', async email => {
    expect(await firstAdmin(email)).toEqual(['', expect.stringContaining('Whose account?')])
  })
})

describe('the demo', () => {
  it('answers nobody who asks for another name than this machine', async () => {
    const app = await startWorkerApp()
    const named = new WorkerVisitor(app.url.replace('localhost', '127.0.0.1'))
    expect((await named.get('/api/me')).status).toBe(200)
    const miniflare = await deployed({ PUBLIC_URL: 'http://localhost', WF_SECRET: DEMO_SECRET })
    for (const host of [
      'wf.example.org',
      'localhost.example.org',
      '192.168.0.7',
      '127.0.0.1.nip.io',
    ]) {
      const answer = await miniflare.dispatchFetch(`https://${host}/api/me`)
      expect(answer.status, host).toBe(421)
    }
  })
})

function spawnScript(args: string[], env: Record<string, string> = {}) {
  const vite = join(root, 'node_modules/vite-node/dist/cli.mjs')
  const { PATH = '', HOME = '' } = process.env
  const cwd = join(root, 'example-app/worker')
  return spawn(process.execPath, [vite, ...args], { cwd, env: { PATH, HOME, ...env } })
}

/** The SQL that `npm run first-admin` prints, and what it says beside that. */
async function firstAdmin(email: string): Promise<[sql: string, said: string]> {
  const child = spawnScript(['local/first-admin.ts', email])
  const printed = [text(child.stdout), text(child.stderr)] as const
  return [(await printed[0]).trim(), await printed[1]]
}

/** What `npm run start:worker` runs behind its build. */
function start(env: Record<string, string>) {
  const child = spawnScript(['local/main.ts'], { OUT_DIR: newFolder(), ...env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  }
  const exit = once(child, 'exit')
  onTestFinished(async () => {
    if (child.kill('SIGKILL')) await exit
  })
  return { child, exit, output: () => output }
}

describe('the one command', () => {
  it('says where it is and who may sign in, and keeps its data over a restart', async () => {
    const DATA_DIR = newFolder()
    for (const round of ['first', 'second']) {
      const { child, exit, output } = start({ PORT: '0', DATA_DIR })
      await vi.waitFor(() => expect(output()).toContain('Stop with Ctrl-C'), { timeout: 40_000 })
      expect(output()).toContain('member@example.com / member-password')
      const [, url = ''] = /Ready at (\S+),/u.exec(output()) ?? []
      const visitor = new WorkerVisitor(url)
      if (round === 'first') {
        await visitor.signIn('member@example.com', 'member-password')
        await visitor.wf({ wfid: 'approvals/expense', input: { amount: 1, reason: 'A pen' } })
      }
      await vi.waitFor(async () => expect(await visitor.mails()).toHaveLength(1), { timeout: 5000 })
      child.kill('SIGTERM')
      expect(await exit).toEqual([0, null])
      expect(output()).toContain('Stopping.')
    }
  })

  it('says in one sentence why it does not start', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const wrong: [Record<string, string>, string][] = [
      [{ PORT: 'http' }, 'PORT is "http"'],
      [{ PORT: String(port) }, 'That port is in use'],
      [{ HOST: '0.0.0.0' }, 'HOST is not this machine: set PUBLIC_URL'],
      [{ PUBLIC_URL: 'https://wf.example.org', MAIL_URL }, 'WF_SECRET is that of the demo'],
    ]
    for (const [env, sentence] of wrong) {
      const { exit, output } = start({ DATA_DIR: newFolder(), ...env })
      expect(await exit).toEqual([1, null])
      expect(output().trim()).toMatch(/^[^\n]+$/u)
      expect(output()).toContain(sentence)
    }
  })
})
