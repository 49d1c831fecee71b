import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

type Chunk = string | Uint8Array
type Callback = (error?: Error | null) => void

/** Answers that have no body, not even an empty one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * The response of a server that becomes a `Response`: at once where all of it is there, else as soon as its
 * head is, with what follows as a stream that waits for its reader.
 */
export class FetchResponse extends ServerResponse {
  /** Rejected if it breaks off before there is a head. */
  readonly answer: Promise<Response>
  #resolve!: (response: Response) => void
  #reject!: (error: Error) => void
  #hasHead = false
  #hasAnswered = false
  #isClosed = false
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #isHead: boolean

  constructor(request: IncomingMessage) {
    super(request)
    this.#isHead = request.method === 'HEAD'
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A server has it in what was written to the connection.
    Object.defineProperty(this, 'headersSent', { get: () => this.#hasAnswered || this.#hasHead })
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    if (this.#hasHead) throw new Error('The head was written already.')
    assertStatus(status)
    const [first, second] = rest
    const headers = (typeof first === 'string' ? second : first) as OutgoingHttpHeaders | undefined
    this.statusCode = status
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (value !== undefined) this.setHeader(name, value)
    }
    this.#hasHead = true
    return this
  }

  override flushHeaders(): void {
    this.#open()
  }

  override write(chunk: Chunk, ...rest: unknown[]): boolean {
    const done = rest.find(isCallback)
    if (this.writableEnded || this.destroyed) return this.#refuse(done)
    const body = this.#open()
    if (!this.#isHead) body?.enqueue(bytesOf(chunk, rest[0]))
    if (done) queueMicrotask(done)
    return (body?.desiredSize ?? 1) > 0
  }

  override end(...args: unknown[]): this {
    if (this.writableEnded || this.destroyed) return this
    assertStatus(this.statusCode)
    const done = args.find(isCallback)
    const [chunk] = args as [Chunk | undefined]
    const last = chunk && !isCallback(chunk) ? bytesOf(chunk, args[1]) : undefined
    this.finished = true
    if (this.#hasAnswered) {
      if (last && !this.#isHead) this.#body?.enqueue(last)
      this.#body?.close()
    } else {
      this.#answer(this.#mayHaveBody && last ? last : null)
    }
    if (done) this.once('finish', done)
    this.emit('prefinish')
    queueMicrotask(() => {
      this.emit('finish')
      this.#close()
    })
    return this
  }

  /** Breaks off: whoever reads sees that something is missing. */
  override destroy(error?: Error): this {
    if (this.destroyed) return this
    this.destroyed = true
    const reason = error ?? new Error('The answer has broken off.')
    if (!this.#hasAnswered) this.#reject(reason)
    else if (!this.writableEnded) this.#body?.error(reason)
    queueMicrotask(() => this.#close())
    return this
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.destroyed = true
    this.emit('close')
    this.req.socket.destroy()
    this.req.destroy()
  }

  /** Gives the head out, and takes what follows for a stream. */
  #open(): ReadableStreamDefaultController<Uint8Array> | undefined {
    if (this.#hasAnswered) return this.#body
    if (!this.#mayHaveBody) {
      this.#answer(null)
      return undefined
    }
    const stream = new ReadableStream<Uint8Array>({
      start: controller => void (this.#body = controller),
      pull: () => void this.emit('drain'),
      // Whoever read has gone.
      cancel: () => void this.destroy(),
    })
    this.#answer(stream)
    return this.#body
  }

  #answer(body: ReadableStream<Uint8Array> | Uint8Array | null): void {
    assertStatus(this.statusCode)
    this.#hasAnswered = true
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.getHeaders())) {
      for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one))
    }
    this.#resolve(
      new Response(body as ConstructorParameters<typeof Response>[0], {
        status: this.statusCode,
        headers,
      }),
    )
  }

  get #mayHaveBody(): boolean {
    return !this.#isHead && !BODILESS.has(this.statusCode)
  }

  #refuse(done: Callback | undefined): false {
    const error = new Error('The answer has ended already.')
    if (done) queueMicrotask(() => done(error))
    return false
  }
}

const isCallback = (value: unknown): value is Callback => typeof value === 'function'

/** A `Response` has no other. What is found wrong before anything is given out can still be answered. */
function assertStatus(status: number): void {
  if (status >= 200 && status <= 599) return
  throw new RangeError(`${status} is not the status of an answer.`)
}

function bytesOf(chunk: Chunk, encoding: unknown): Uint8Array {
  if (typeof chunk !== 'string') return chunk
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}
