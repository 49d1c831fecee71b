import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** How a server fails. `mid`: the connection breaks in the middle of the message; `late`: behind it. */
export type Trouble = 'down' | 'mid' | 'late' | 'slow' | 'refused' | 'none'

/** What has arrived. */
export interface Arrived {
  readonly id: string
  readonly text: string
}

/** A server that is in trouble, attempt by attempt, as a test says. */
export interface FlakyServer {
  readonly url: string
  readonly arrived: Arrived[]
  /** For each attempt; none for those behind. */
  readonly troubles: Trouble[]
}

const SLOW_MS = 600

/** An SMTP server, behind a relay that breaks connections. */
export async function openFlakySmtp(): Promise<FlakyServer> {
  const arrived: Arrived[] = []
  const troubles: Trouble[] = []
  let present: Trouble = 'none'
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', async () => {
        if (present === 'refused') return done(new Error('Greylisted, come again.'))
        const { messageId = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks))
        arrived.push({ id: messageId, text: text.trim() })
        // It has the mail, and the sender does not hear of it.
        if (present === 'late') return relayed.forEach(socket => socket.destroy())
        if (present === 'slow') await new Promise(resolve => setTimeout(resolve, SLOW_MS))
        done()
      })
    },
  })
  smtp.on('error', () => {})
  const inner = smtp.listen(0, '127.0.0.1')
  await once(inner, 'listening')
  const relayed = new Set<Socket>()
  const relay = createServer(socket => {
    present = troubles.shift() ?? 'none'
    relayed.add(socket.on('close', () => relayed.delete(socket)))
    socket.on('error', () => {})
    if (present === 'down') return void socket.destroy()
    const upstream = connect((inner.address() as AddressInfo).port, '127.0.0.1')
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
    upstream.pipe(socket)
    socket.on('data', (chunk: Buffer) => {
      // Behind the headers of the mail: the rest of it never comes.
      if (present === 'mid' && chunk.includes('Subject:')) return void socket.destroy()
      upstream.write(chunk)
    })
  })
  const url = `smtp://127.0.0.1:${await listen(relay)}`
  onTestFinished(async () => {
    relay.close()
    await new Promise<void>(resolve => smtp.close(() => resolve()))
  })
  return { url, arrived, troubles }
}

/** A server that takes webhooks. */
export async function openFlakyHook(): Promise<FlakyServer> {
  const arrived: Arrived[] = []
  const troubles: Trouble[] = []
  const server = createHttpServer(async (request, response) => {
    const trouble = troubles.shift() ?? 'none'
    if (trouble === 'down') return request.socket.destroy()
    let text = ''
    for await (const chunk of request) {
      text += chunk
      if (trouble === 'mid') return request.socket.destroy()
    }
    if (trouble === 'refused') return response.writeHead(503).end()
    arrived.push({ id: String(request.headers['webhook-id']), text })
    if (trouble === 'late') return request.socket.destroy()
    if (trouble === 'slow') await new Promise(resolve => setTimeout(resolve, SLOW_MS))
    response.end('thanks')
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  onTestFinished(() => void server.close())
  return { url, arrived, troubles }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
