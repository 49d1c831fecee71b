import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { build } from '../../example-app/worker/local/build'
import { DEMO_SECRET } from '../../example-app/worker/src/settings/demo-secret'
import { type LocalWorker, startLocal } from '../../example-app/worker/local/start-local'
import { newFolder, Visitor } from './example-app'
import { onFileFinished } from './file-end'
import { root } from './project'

let built: Promise<string> | undefined

/** What `npm run start:worker` builds, once for as long as this process runs. */
export function builtWorker(): Promise<string> {
  built ??= buildAside()
  return built
}

async function buildAside(): Promise<string> {
  const outDir = join(root, `node_modules/.cache/moost-wf/worker.${process.pid}`)
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
  await build(outDir)
  return outDir
}

type OnEnd = (end: () => void | Promise<void>) => void

interface StartOptions {
  readonly dataDir?: string
  readonly onEnd?: OnEnd
  /** What is set beside the secret of the demo; `''` takes a setting away. */
  readonly bindings?: Readonly<Record<string, string>>
}

export type WorkerApp = Awaited<ReturnType<typeof startWorkerApp>>

/** The Worker of the sample in workerd, as `npm run start:worker` starts it, with a database of its own. */
export async function startWorkerApp({
  onEnd = onTestFinished,
  dataDir = newFolder(onEnd),
  bindings = {},
}: StartOptions = {}) {
  const outDir = await builtWorker()
  const settings = { host: '127.0.0.1', port: 0, dataDir, outDir }
  const worker = await startLocal({
    ...settings,
    bindings: { WF_SECRET: DEMO_SECRET, ...bindings },
  })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await worker.close()
    isClosed = true
  }
  onEnd(close)
  const url = `http://localhost:${worker.port}`
  const visitor = () => new WorkerVisitor(url)
  return {
    url,
    dataDir,
    visitor,
    tick: worker.tick,
    /** Ends workerd at once, whatever it is doing. */
    close,
    sql: (text: string, ...values: unknown[]) => runSql(worker, text, values),
    /** Hands a batch to the consumer of the queue, and tells what it says about it. */
    deliver: (...bodies: unknown[]) => deliver(worker, bodies),
    signIn: async (name: 'admin' | 'manager' | 'member') => {
      const who = visitor()
      await who.signIn(`${name}@example.com`, `${name}-password`)
      return who
    },
  }
}

/** The same for all tests of a file; to be called in `beforeAll`. */
export const startSharedWorker = (options: StartOptions = {}) =>
  startWorkerApp({ onEnd: onFileFinished, ...options })

async function runSql({ miniflare }: LocalWorker, text: string, values: unknown[]) {
  const database = await miniflare.getD1Database('DB')
  const { results } = await database
    .prepare(text)
    .bind(...values)
    .all()
  return results as Record<string, unknown>[]
}

/** What the runtime gives back of a batch. */
interface BatchOutcome {
  readonly outcome: string
  readonly ackAll: boolean
  readonly explicitAcks: readonly string[]
  readonly retryMessages: readonly { readonly msgId: string }[]
}

async function deliver({ miniflare }: LocalWorker, bodies: unknown[]): Promise<BatchOutcome> {
  const worker = (await miniflare.getWorker()) as unknown as {
    queue(name: string, messages: unknown[]): Promise<BatchOutcome>
  }
  const messages = bodies.map((body, at) => ({
    id: `message-${at}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }))
  return worker.queue('moost-wf-runs', messages)
}

/** Somebody with a browser, who signs in as the sample has it. */
export class WorkerVisitor extends Visitor {
  /** On a connection of its own: workerd ends one whose request it has refused before it was read. */
  override request(path: string, init: RequestInit = {}) {
    const headers = { ...(init.headers as Record<string, string>), connection: 'close' }
    return super.request(path, { ...init, headers })
  }

  override async signIn(email: string, password: string) {
    const { body } = await this.wf({ wfid: 'auth/sign-in', input: { email } })
    return this.wf({ wfs: body.wfs, input: { password } })
  }

  async mails(): Promise<{ to: string; subject: string; text: string }[]> {
    return (await this.get('/api/inbox')).body
  }
}
