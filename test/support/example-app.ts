import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { onTestFinished, vi } from 'vitest'
import { compiledExample } from './compiled-example'
import { onFileFinished } from './file-end'
import { root } from './project'

type Env = Record<string, string>
type OnEnd = (end: () => void | Promise<void>) => void

const VITE_NODE = join(root, 'node_modules/vite-node/dist/cli.mjs')

/** The server from its sources. */
export const SOURCES = [VITE_NODE, 'src/main.ts']

/** What `npm start` runs: the server, with somebody who starts it again where it may be killed. */
export const STARTER = [VITE_NODE, 'src/start.ts']

/** The example, from its sources or compiled. */
export function spawnExampleApp(env: Env, program: readonly string[] = SOURCES) {
  const child = spawn(process.execPath, program, {
    cwd: join(root, 'example-app'),
    env: { ...plainEnv(), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return { child, output: () => output, exit: once(child, 'exit') }
}

/** What this process was told about itself must not reach the application. */
function plainEnv(): Env {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME }
}

export type ExampleApp = Awaited<ReturnType<typeof startExampleApp>>

interface StartOptions {
  readonly onEnd?: OnEnd
  /** @default the compiled one, which starts in half of the time */
  readonly program?: readonly string[]
}

/** Starts the example on a free port, with a data folder of its own, for as long as the test runs. */
export async function startExampleApp(
  env: Env = {},
  { onEnd = onTestFinished, program }: StartOptions = {},
) {
  const dataDir = env.DATA_DIR ?? newFolder(onEnd)
  const { child, output, exit } = spawnExampleApp(
    { PORT: '0', DATA_DIR: dataDir, ...env },
    program ?? [await compiledExample()],
  )
  onEnd(async () => {
    if (child.kill('SIGKILL')) await exit
  })
  const ended = exit.then(() => Promise.reject(new Error(`The example has ended:\n${output()}`)))
  ended.catch(() => {})
  await Promise.race([
    ended,
    until(() => output().includes('Stop with Ctrl-C') || undefined, 40_000),
  ])
  const [, port] = /Ready at .*:(\d+)$/mu.exec(output()) ?? []
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    dataDir,
    output,
    child,
    visitor: () => new Visitor(url),
    /** Ends it as Ctrl-C does, and tells how. */
    stop: async () => {
      child.kill('SIGTERM')
      return (await exit) as [number | null, string | null]
    },
    mails: () => mailsOf(url),
    /** The newest mail for somebody, once it is there. */
    mailTo: (to: string, subject = '') => mailTo(url, to, subject),
  }
}

/** The same for all tests of a file; to be called in `beforeAll`. */
export const startSharedApp = (env: Env = {}) => startExampleApp(env, { onEnd: onFileFinished })

/** Makes a first admin as the greeting says: on this machine alone, invited by the demo's. */
export async function makeAdmin(app: ExampleApp) {
  const account = { email: 'root@example.org', password: 'a-password-of-my-own' }
  const demo = app.visitor()
  await demo.signInAdmin()
  await demo.wf({ wfid: 'users/invite', input: { email: account.email, role: 'admin' } })
  const wfs = tokenIn(await app.mailTo(account.email))
  await app.visitor().wf({ wfs, input: { name: 'Root', password: account.password } })
  return account
}

export function newFolder(onEnd: OnEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'moost-wf-example-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly date: string
  readonly id: string
}

async function mailsOf(url: string): Promise<Mail[]> {
  return (await (await fetch(`${url}/api/inbox`)).json()) as Mail[]
}

async function mailTo(url: string, to: string, subject: string): Promise<Mail> {
  return until(async () =>
    (await mailsOf(url)).find(mail => mail.to === to && mail.subject.includes(subject)),
  )
}

/** What a function gives once it gives something. */
function until<T>(find: () => T | undefined | Promise<T | undefined>, timeout = 5000): Promise<T> {
  return vi.waitFor(
    async () => {
      const found = await find()
      if (found === undefined) throw new Error('It has not come.')
      return found
    },
    { timeout, interval: 50 },
  )
}

/** The token in the link of a mail. */
export const tokenIn = ({ text }: Pick<Mail, 'text'>): string =>
  decodeURIComponent(/\?wfs=(\S+)/u.exec(text)?.[1] ?? '')

// oxlint-disable-next-line typescript/no-explicit-any -- the JSON of an answer
type Json = any

/** Somebody with a browser: keeps cookies. */
export class Visitor {
  readonly cookies = new Map<string, string>()

  constructor(readonly url: string) {}

  async request(path: string, init: RequestInit = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie && { cookie }), ...(init.headers as Env) }
    const response = await fetch(`${this.url}${path}`, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      if (value) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Json,
    }
  }

  get(path: string) {
    return this.request(path)
  }

  post(path: string, body: unknown = {}, headers: Env = {}) {
    return this.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  /** One exchange with the endpoint of all workflows. */
  wf(body: unknown, headers: Env = {}) {
    return this.post('/api/wf', body, headers)
  }

  signIn(email: string, password: string) {
    return this.wf({ wfid: 'auth/login', input: { email, password } })
  }

  /** The password of the demo's admin, and the code of the given time step. */
  async signInAdmin(step = 0) {
    const { body } = await this.signIn('admin@example.com', 'admin-password')
    return this.wf({ wfs: body.wfs, input: { code: totpCode(step) } })
  }

  /** Adds a second factor to the account that is signed in. */
  async addSecondFactor(password: string) {
    const begun = await this.wf({ wfid: 'auth/second-factor', input: { password } })
    const { secret, uri } = begun.body.inputRequired.context
    const input = { code: totpCode(0, secret) }
    const { body } = await this.wf({ wfs: begun.body.wfs, input })
    return { secret, uri, body, recoveryCodes: body.data.recoveryCodes as string[] }
  }

  async user() {
    return (await this.get('/api/me')).body.user
  }
}

/** A code of the demo's admin, or of another secret, some steps of 30 seconds from now. */
export function totpCode(step = 0, secret = 'JBSWY3DPEHPK3PXP'): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + step * 30_000 })
}

/** A code that is none of those that are right now. */
export function wrongCode(): string {
  const right = new Set([-2, -1, 0, 1, 2].map(step => totpCode(step)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    code => !right.has(code),
  )!
}
