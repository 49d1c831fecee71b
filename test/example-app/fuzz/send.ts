import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { has, head, type Message, write, type WrittenRequest } from './message'

/** What came back. */
export interface Answer {
  /** 0 if the connection was closed without a word. */
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly ms: number
}

/** Longer than anything that is right, so that a run ends. */
const PATIENCE_MS = 15_000

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

export async function send(url: URL, sent: Message): Promise<Answer> {
  const written = write(sent)
  const begin = performance.now()
  const answer = await (sent.isTorn ? sendTorn(url, written) : sendWhole(url, written))
  return { ...answer, ms: performance.now() - begin }
}

export const closeConnections = () => agent.destroy()

type Received = Omit<Answer, 'ms'>
const NOTHING: Received = { status: 0, headers: {}, text: '' }

/** When a connection was used last, and for what: an answer may leave it in a bad state. */
interface Use {
  readonly at: number
  readonly request: string
}

const lastUse = new WeakMap<Socket, Use>()
/** After this a server may close a connection just when it is used again. */
const IDLE_MS = 1000

function sendWhole(url: URL, written: WrittenRequest): Promise<Received> {
  const { method, target: path, headers, body } = written
  const { hostname, port } = url
  const host = has(headers, 'host') ? [] : ['host', `${hostname}:${port}`]
  const options = { hostname, port, method, path, agent, headers: [...host, ...headers.flat()] }
  return new Promise(resolve => {
    let earlier: Use | undefined
    let wasIdle = false
    let isTooLate = false
    const sent = request(options, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', () => resolve(NOTHING))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    sent.setTimeout(PATIENCE_MS, () => {
      isTooLate = true
      sent.destroy()
    })
    sent.on('socket', socket => {
      earlier = lastUse.get(socket)
      wasIdle = earlier !== undefined && performance.now() - earlier.at > IDLE_MS
      sent.on('close', () => lastUse.set(socket, { at: performance.now(), request: head(written) }))
    })
    sent.on('error', () => {
      if (wasIdle && !isTooLate) resolve(sendWhole(url, written))
      else resolve({ ...NOTHING, text: earlier ? `on the connection of ${earlier.request}` : '' })
    })
    sent.on('connect', (_, socket) => socket.destroy())
    sent.end(body)
  })
}

function sendTorn({ hostname, port }: URL, written: WrittenRequest): Promise<Received> {
  const [line, ...headers] = head(written).split('\n')
  const lines = [`${line} HTTP/1.1`, `host: ${hostname}:${port}`, ...headers, '', '']
  return new Promise(resolve => {
    let text = ''
    const socket = connect(Number(port), hostname, () => {
      socket.write(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), written.body]))
      socket.end()
    })
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('data', chunk => (text += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const [, status = 0] = /^HTTP\/1\.1 ([2-5]\d\d)/mu.exec(text) ?? []
      resolve({ ...NOTHING, status: Number(status), text })
    })
  })
}
