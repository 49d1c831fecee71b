import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './project'

/** What the servers of a test share, and what one of them has for itself. */
export interface DurableServerOptions {
  readonly engine: string
  readonly url: string
  /** The file that their steps write to. */
  readonly notes: string
  readonly leaseMs: number
  readonly worker?: false | { readonly everyMs?: number; readonly concurrency?: number }
  /** How many workers it has, each of which does so much at once. @default 1 */
  readonly workers?: number
  /** How long a step takes at most. */
  readonly workMs?: number
  /** Among how many rows the count of all orders is spread: one lets one step commit at a time. @default 1 */
  readonly totals?: number
  /** It stops for ever in the middle of a transaction of a step. */
  readonly hangsAtCounting?: true
  /** How far its clock is from that of the machine. */
  readonly skewMs?: number
}

export interface ServerAnswer {
  readonly status: number
  readonly body: {
    readonly flowId?: string
    readonly flowIds?: readonly string[]
    readonly wfs?: string
    readonly finished?: boolean
    readonly data?: { readonly order: string; readonly answer?: number }
    readonly error?: { readonly code: string }
  }
}

/** A server in a process of its own. */
export interface DurableServer {
  readonly node: string
  readonly pid: number
  /** `null` if no answer came: the server is dead, or the database. */
  send(path: 'wf' | 'start' | 'start-all', body: object): Promise<ServerAnswer | null>
  /** As a power failure would. */
  kill(): Promise<void>
}

/** One secret for all servers of all tests. */
const SECRET = randomBytes(32).toString('base64url')
let count = 0

export async function startDurableServer(options: DurableServerOptions): Promise<DurableServer> {
  const node = `node ${++count}`
  const given = JSON.stringify({ ...options, secret: SECRET, node })
  const child = fork(join(root, 'test/support/durable-server.mjs'), [given], { silent: true })
  // What dies and what cannot be reached is loud about it.
  child.stdout?.resume()
  child.stderr?.resume()
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = once(child, 'exit')
  const port = await Promise.race([
    once(child, 'message').then(([told]) => told as number),
    gone.then(() => Promise.reject(new Error('The server did not start.'))),
  ])
  return {
    node,
    pid: child.pid!,
    send: async (path, body) => {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/shop/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const told = (await response.json()) as ServerAnswer['body']
        return { status: response.status, body: told }
      } catch {
        return null
      }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
