import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { Body, BodySizeLimit, Post, RawBody, useBody, useRequest } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LingerBounds, lingerAfterAnswer } from '../../src/http/linger-after-answer'
import { startApp } from '../support/moost-app'
import { closed, headOf, open, readAnswer, SENDERS, write } from '../support/senders'
import { openShop } from '../support/shop'

const MIB = 2 ** 20

@Controller('api')
class Api {
  @Post('body')
  @BodySizeLimit(MIB)
  body(@Body() body: string) {
    return { length: body.length }
  }

  @Post('twice')
  async twice(@Body() body: string, @RawBody() raw: Buffer) {
    const again = await useBody().parseBody<string>()
    return { lengths: [body.length, raw.length, again.length] }
  }

  @Post('late')
  @BodySizeLimit(MIB)
  async late() {
    const { rawBody, raw } = useRequest()
    await rawBody().catch(() => {})
    const before = raw.socket.bytesRead
    await new Promise(resolve => setTimeout(resolve, 50))
    return { readMeanwhile: raw.socket.bytesRead - before }
  }

  @Post('unread')
  unread() {
    return { read: false }
  }
}

/** A JSON text of this many bytes. */
const textOf = (bytes: number) =>
  Buffer.alloc(bytes, 'x')
    .fill('"', 0, 1)
    .fill('"', bytes - 1)

const SIZES: [title: string, bytes: number][] = [
  ['one byte too much', MIB + 1],
  ['2 MiB', 2 * MIB],
  ['64 MiB', 64 * MIB],
]

const NOISE = JSON.stringify(randomBytes(100_000).toString('base64'))
/** Small enough to be sent, too large when it is read. */
const GROWN = gzipSync(JSON.stringify(randomBytes(0.6 * MIB).toString('hex')))
const BOMB = gzipSync(Buffer.alloc(100 * MIB))
/** Too large already when it is sent. */
const LARGE = gzipSync(randomBytes(8 * MIB))
const brotliOf = (data: string | Buffer) =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const TOO_LARGE = { statusCode: 413, message: 'Payload Too Large', error: 'Payload Too Large' }

describe.each(SENDERS)('a body by %s', (_name, send) => {
  it('of exactly the limit is read', async () => {
    const { url } = await startApp([Api])
    const { status, body } = await send(`${url}/api/body`, textOf(MIB))
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 201, body: { length: MIB - 2 } })
  })

  it.each(SIZES)('of %s is answered with 413', async (_title, bytes) => {
    const { url } = await startApp([Api])
    const { status, body } = await send(`${url}/api/body`, textOf(bytes))
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 413, body: TOO_LARGE })
  })

  it.each(SIZES)('of %s is answered by the endpoint', async (_title, bytes) => {
    const shop = await openShop()
    const { status, body } = await send(`${shop.url}/wf`, textOf(bytes))
    const message = 'The body is too large.'
    expect(status).toBe(413)
    expect(JSON.parse(body)).toMatchObject({ message, error: { code: 'WF_BAD_REQUEST' } })
  })

  it('that nobody reads does not keep the answer back', async () => {
    const { url } = await startApp([Api])
    expect((await send(`${url}/api/unread`, textOf(16 * MIB))).status).toBe(201)
    expect((await send(`${url}/nowhere`, textOf(16 * MIB))).status).toBe(404)
  })

  it('that is compressed is read, and refused when it grows too large', async () => {
    const { url } = await startApp([Api])
    const post = async (bytes: Buffer, encoding: string) => {
      const headers = { 'content-encoding': encoding }
      return (await send(`${url}/api/body`, bytes, headers)).status
    }
    expect(await post(gzipSync(NOISE), 'gzip')).toBe(201)
    expect(await post(deflateSync(NOISE), 'deflate')).toBe(201)
    expect(await post(brotliOf(NOISE), 'br')).toBe(201)
    expect(await post(gzipSync(brotliOf(NOISE)), 'br, gzip')).toBe(201)
    expect(await post(GROWN, 'gzip')).toBe(413)
    expect(await post(brotliOf(GROWN), 'gzip, br')).toBe(413)
    expect(await post(BOMB, 'gzip')).toBe(413)
    expect(await post(gzipSync(textOf(MIB / 2)), 'gzip'), 'a suspicious ratio').toBe(413)
    expect(await post(LARGE, 'gzip')).toBe(413)
    expect(await post(gzipSync(NOISE).subarray(0, 500), 'gzip'), 'cut off').toBe(400)
    expect(await post(Buffer.alloc(8 * MIB, 'x'), 'rot13')).toBe(415)
  })
})

describe('a body', () => {
  it('is read once, however often it is asked for', async () => {
    const { url } = await startApp([Api])
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${url}/api/twice`, { ...sent, body: '"four"' })
    expect(await response.json()).toEqual({ lengths: [4, 6, 4] })
  })

  it('that is too large leaves the connection as it was', async () => {
    const { url } = await startApp([Api])
    const { socket, host } = await open(url)
    const ask = async (bytes: number) => {
      const fields = { host, 'content-type': 'application/json', 'content-length': String(bytes) }
      await write(socket, headOf('POST /api/body HTTP/1.1', fields))
      await write(socket, textOf(bytes))
      return (await readAnswer(socket)).status
    }
    expect([await ask(3 * MIB), await ask(100), await ask(2 * MIB), await ask(9)]).toEqual([
      413, 201, 413, 201,
    ])
    socket.destroy()
  })

  it('that is too large is refused before all of it has come', async () => {
    const { url } = await startApp([Api])
    const { socket, host } = await open(url)
    const fields = { host, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    await write(socket, headOf('POST /api/body HTTP/1.1', fields))
    await write(socket, Buffer.from(`${(4 * MIB).toString(16)}\r\n`))
    await write(socket, textOf(MIB + 1))
    expect(JSON.parse((await readAnswer(socket)).body)).toEqual(TOO_LARGE)
    socket.destroy()
  })

  it('that is too large is not read while the answer is worked out', async () => {
    const { url } = await startApp([Api])
    const stream = new ReadableStream({ pull: to => to.enqueue(Buffer.alloc(MIB)) })
    const sent = { method: 'POST', body: stream, duplex: 'half' } as RequestInit
    const answer = (await (await fetch(`${url}/api/late`, sent)).json()) as {
      readMeanwhile: number
    }
    expect(answer.readMeanwhile).toBeLessThan(MIB)
  })

  it('that does not come is answered with 408', async () => {
    const { url } = await startApp([Api], { http: { requestLimits: { readTimeoutMs: 20 } } })
    const { socket, host } = await open(url)
    const fields = { host, 'content-type': 'application/json', 'content-length': '100' }
    await write(socket, headOf('POST /api/body HTTP/1.1', fields))
    await write(socket, Buffer.from('"half'))
    expect((await readAnswer(socket)).status).toBe(408)
    socket.destroy()
  })

  it('that is too large is refused over HTTP/2', async () => {
    const shop = await openShop()
    const server = createHttp2Server(shop.callback as never).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const headers = { ':method': 'POST', ':path': '/wf', 'content-type': 'application/json' }
    const stream = client.request(headers)
    stream.on('error', () => {})
    stream.end(textOf(2 * MIB))
    const [answer] = await once(stream, 'response')
    expect(answer[':status']).toBe(413)
    client.destroy()
    server.close()
  })
})

describe('a client that asks before it sends', () => {
  const ask = (url: string, bytes: number) =>
    new Promise<(string | number)[]>((resolve, reject) => {
      const seen: (string | number)[] = []
      const headers = {
        'content-type': 'application/json',
        'content-length': String(bytes),
        expect: '100-continue',
      }
      const outgoing = request(url, { method: 'POST', headers }, response => {
        seen.push(response.statusCode ?? 0)
        response.resume().on('end', () => resolve(seen))
        outgoing.destroy()
      })
      outgoing.on('error', reject)
      outgoing.on('continue', () => {
        seen.push('continue')
        outgoing.end(textOf(bytes))
      })
      outgoing.flushHeaders()
    })

  it('is told to go on when its body is read, and not if it is too large', async () => {
    const { url } = await startApp([Api])
    expect(await ask(`${url}/api/body`, 100)).toEqual(['continue', 201])
    expect(await ask(`${url}/api/body`, 2 * MIB)).toEqual([413])
    expect(await ask(`${url}/api/unread`, 100)).toEqual([201])
    expect(await ask(`${url}/nowhere`, 100)).toEqual([404])
    const shop = await openShop()
    expect(await ask(`${shop.url}/wf`, 2 * MIB)).toEqual([413])
  })

  it('keeps its connection only if its body was asked for', async () => {
    const { url } = await startApp([Api])
    const { socket, host } = await open(url)
    const fields = { host, 'content-type': 'application/json', expect: '100-continue' }
    const send = (path: string) =>
      write(socket, headOf(`POST ${path} HTTP/1.1`, { ...fields, 'content-length': '9' }))
    await send('/api/body')
    expect((await readAnswer(socket)).status).toBe(100)
    await write(socket, textOf(9))
    const asked = await readAnswer(socket)
    expect(asked.status).toBe(201)
    expect(asked.head).not.toMatch(/^connection: close/imu)
    await send('/api/unread')
    const unasked = await readAnswer(socket)
    expect(unasked.status).toBe(201)
    expect(unasked.head).toMatch(/^connection: close/imu)
    await once(socket.resume(), 'end')
    socket.destroy()
  })
})

/** A server that answers at once, and reads on within these bounds. */
async function lingering(bounds: LingerBounds, handle?: (req: IncomingMessage) => void) {
  const sockets: Socket[] = []
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    lingerAfterAnswer(req, res, bounds)
    sockets.push(req.socket)
    handle?.(req)
    // A body that came along with the head has been taken in by then.
    setImmediate(() => res.end('done'))
  })
  server.keepAliveTimeout = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = await open(url)
  const begin = async (fields: Record<string, string>, body = '') => {
    const head = { host: client.host, 'content-length': String(2 ** 40), ...fields }
    const arrived = once(server, 'request')
    const bytes = Buffer.concat([headOf('POST / HTTP/1.1', head), Buffer.from(body)])
    await write(client.socket, bytes)
    await arrived
    return sockets[0]!
  }
  return { ...client, begin }
}

/** Sends without end, until the server has cut the connection off. */
async function flooded(socket: Socket, serverSide: Socket): Promise<Socket> {
  socket.on('error', () => {})
  const piece = Buffer.alloc(MIB)
  const end = closed(serverSide)
  while (!serverSide.destroyed) await write(socket, piece).catch(() => socket.destroy())
  await end
  return serverSide
}

const WIDE: LingerBounds = { bytes: 2 ** 50, totalMs: 2 ** 30, silenceMs: 2 ** 30 }
const WAYS = [{}, { connection: 'close' }] as Record<string, string>[]

describe('a last answer', () => {
  it.each([
    ['has come', true],
    ['comes later', false],
  ])('ends the connection when the body %s', async (_when, isEarly) => {
    const { socket, begin } = await lingering(WIDE)
    const fields = { connection: 'close', 'content-length': '5' }
    const serverSide = await begin(fields, isEarly ? 'early' : '')
    const end = closed(serverSide)
    if (!isEarly) await write(socket, Buffer.from('later'))
    await end
  })
})

describe.each(WAYS)('an answer before the body (%o)', fields => {
  it('is followed by the end when too much has come', async () => {
    const { socket, begin } = await lingering({ ...WIDE, bytes: 8 * MIB })
    const { bytesRead } = await flooded(socket, await begin(fields))
    expect(bytesRead).toBeGreaterThan(8 * MIB)
    expect(bytesRead).toBeLessThan(1024 * MIB)
  })

  it('is followed by the end when it has taken too long', async () => {
    const { socket, begin } = await lingering({ ...WIDE, totalMs: 50 })
    const serverSide = await begin(fields)
    socket.on('error', () => {})
    const drip = setInterval(() => socket.write('x'), 5)
    await closed(serverSide)
    clearInterval(drip)
  })

  it('is followed by the end when the client has fallen silent', async () => {
    const { begin } = await lingering({ ...WIDE, silenceMs: 50 })
    await closed(await begin(fields))
  })

  it('leaves a body alone that the handler reads on', async () => {
    let read = 0
    const readOn = (req: IncomingMessage) => void req.on('data', chunk => (read += chunk.length))
    const { socket, begin } = await lingering({ ...WIDE, silenceMs: 0, totalMs: 0 }, readOn)
    await begin({ ...fields, connection: 'keep-alive' })
    await readAnswer(socket)
    for (let piece = 0; piece < 20; piece++) {
      await write(socket, Buffer.alloc(1000))
      await expect.poll(() => read, { interval: 5 }).toBe((piece + 1) * 1000)
    }
    socket.destroy()
  })
})
