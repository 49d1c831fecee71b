import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'

/** What a client has seen of an answer. */
export interface Seen {
  readonly status: number
  readonly body: string
  /** Of a socket: the headers as they came. */
  readonly head?: string
}

/** Sends a body of zeros, or the given one, and tells what it has seen. */
export type Sender = (url: string, body: Uint8Array, headers?: Headers) => Promise<Seen>

type Headers = Readonly<Record<string, string>>

const JSON_TYPE = { 'content-type': 'application/json' }
const PIECE = 64 * 1024

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE)
}

const byFetch: Sender = async (url, body, headers) => {
  const sent = {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: body as Uint8Array<ArrayBuffer>,
  }
  return seenByFetch(await fetch(url, sent))
}

const byStreamedFetch: Sender = async (url, body, headers) => {
  const pieces = piecesOf(body)
  const stream = new ReadableStream({
    pull(controller) {
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  const sent = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: stream }
  return seenByFetch(await fetch(url, { ...sent, duplex: 'half' } as RequestInit))
}

async function seenByFetch(response: Response): Promise<Seen> {
  return { status: response.status, body: await response.text() }
}

/** Reads while it sends, as Node's client does. */
const byNode =
  (isChunked: boolean): Sender =>
  (url, body, headers) =>
    new Promise((resolve, reject) => {
      const length = isChunked ? {} : { 'content-length': String(body.length) }
      const sent = { method: 'POST', headers: { ...JSON_TYPE, ...length, ...headers } }
      const outgoing = request(url, sent, async response => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        resolve({ status: response.statusCode ?? 0, body: text })
      })
      outgoing.on('error', reject)
      Readable.from(piecesOf(body)).pipe(outgoing)
    })

/** Sends all that it has before it reads, as many simple clients do. */
const byBlockingSocket =
  ({ version = '1.1', isChunked = false, keepAlive = false }): Sender =>
  async (url, body, headers) => {
    const { socket, path, host } = await open(url)
    const fields: Record<string, string> = { host, ...JSON_TYPE, ...headers }
    if (isChunked) fields['transfer-encoding'] = 'chunked'
    else fields['content-length'] = String(body.length)
    if (!keepAlive) fields.connection = 'close'
    await write(socket, headOf(`POST ${path} HTTP/${version}`, fields))
    for (const piece of piecesOf(body)) {
      await write(socket, isChunked ? chunkOf(piece) : piece)
    }
    if (isChunked) await write(socket, Buffer.from('0\r\n\r\n'))
    const seen = await readAnswer(socket)
    socket.destroy()
    return seen
  }

export async function open(url: string) {
  const { hostname, port, host, pathname } = new URL(url)
  // Node would begin to read by itself, and would close when the server does.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).pause()
  await once(socket, 'connect')
  return { socket, host, path: pathname }
}

export function headOf(start: string, fields: Headers): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([start, ...lines, '', ''].join('\r\n'))
}

const chunkOf = (piece: Uint8Array) =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])

/** Resolves when the kernel has taken it. */
export const write = (socket: Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, error => (error ? reject(error) : resolve()))
  })

/** Resolves when the connection has come to its end, in whatever way. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise(resolve => {
    socket.on('error', () => {})
    socket.once('close', () => resolve())
  })

/** One answer, as long as its `content-length` says. */
export async function readAnswer(socket: Socket): Promise<Seen> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    const [head = '', body] = text.split('\r\n\r\n', 2)
    if (statusOf(head) === 100) return { status: 100, body: '' }
    const length = Number(/content-length: (\d+)/iu.exec(head)?.[1] ?? Number.NaN)
    if (body !== undefined && body.length >= length) return { status: statusOf(head), body, head }
  }
  return { status: statusOf(text), body: '' }
}

const statusOf = (head: string) => Number(/^HTTP\/1\.\d (\d+)/u.exec(head)?.[1] ?? Number.NaN)

/** Every way to send a body that there is a client for. */
export const SENDERS: readonly [name: string, send: Sender][] = [
  ['fetch', byFetch],
  ['fetch with a stream', byStreamedFetch],
  ['node:http', byNode(false)],
  ['node:http, chunked', byNode(true)],
  ['a socket that sends before it reads', byBlockingSocket({ keepAlive: true })],
  ['a socket that wants to be closed', byBlockingSocket({})],
  ['a socket that sends chunks', byBlockingSocket({ isChunked: true })],
  ['a client of HTTP/1.0', byBlockingSocket({ version: '1.0' })],
]
