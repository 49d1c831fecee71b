import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** What is known of the connection that a `Request` has come by. */
export interface FetchConnection {
  /** The address of whoever has connected, for `useClientAddress`. @default unknown */
  readonly address?: string | undefined
}

/** A `Request` as the request of a server. Its body is read when somebody wants it. */
export class FetchRequest extends IncomingMessage {
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor({ url, method, headers: given, body }: Request, { address }: FetchConnection) {
    const { protocol, host, pathname, search } = new URL(url)
    const socket = connectionOf({ remoteAddress: address, encrypted: protocol === 'https:' })
    super(socket)
    // That of workerd takes none, and makes none of its own here.
    if (this.socket !== socket) define(this, { socket, connection: socket })
    this.method = method
    this.url = pathname + search
    this.httpVersion = '1.1'
    this.httpVersionMajor = 1
    this.httpVersionMinor = 1
    const headers = new Map(given)
    if (!headers.has('host')) headers.set('host', host)
    this.headers = Object.fromEntries(headers)
    this.rawHeaders = [...headers].flat()
    this.#body = body?.getReader()
    // Nobody reads on. What has failed already fails again here.
    this.once('close', () => void this.#body?.cancel().catch(() => undefined))
  }

  /** That of the class would turn to a connection which has no peer, and on workerd end at once. */
  override _read(): void {
    noteReading(this as unknown as Reading)
    void this.#pull()
  }

  async #pull(): Promise<void> {
    try {
      const { done, value } = (await this.#body?.read()) ?? { done: true }
      this.complete = done
      this.push(done ? null : value)
    } catch (error) {
      this.destroy(error as Error)
    }
  }
}

function connectionOf(facts: object): Socket {
  return define(new Socket(), facts)
}

function define<T extends object>(target: T, facts: object): T {
  for (const [name, value] of Object.entries(facts)) Object.defineProperty(target, name, { value })
  return target
}

/** What a request of a server notes of itself, on Node as on workerd. */
interface Reading {
  _consuming: boolean
  readonly _readableState: { readingMore: boolean }
}

function noteReading(request: Reading): void {
  if (request._consuming) return
  request._consuming = true
  request._readableState.readingMore = false
}
