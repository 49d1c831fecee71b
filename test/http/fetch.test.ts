import { once } from 'node:events'
import { Readable } from 'node:stream'
import { useBody } from '@wooksjs/http-body'
import { useRequest, useResponse } from '@wooksjs/event-http'
import { All, Get, HttpError, Post, useClientAddress } from '@atscript/moost-wf/http'
import { Controller, Param } from 'moost'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeAfter } from '../../src/http'
import { startApp } from '../support/moost-app'

const closed: string[] = []

@Controller('door')
class Doors {
  @Post('echo')
  async echo() {
    const { method, url, headers } = useRequest()
    return { method, url, host: headers.host, got: await useBody().parseBody() }
  }

  @Get('who')
  who() {
    const socket = useRequest().raw.socket as { encrypted?: boolean }
    return { address: useClientAddress(), encrypted: socket.encrypted ?? false }
  }

  @All('cookies')
  cookies() {
    useResponse().setCookie('a', '1').setCookie('b', '2').setHeader('x-many', ['one', 'two'])
    return 'set'
  }

  @Get('status/:status')
  status(@Param('status') status: string) {
    useResponse().setStatus(Number(status))
    return 'said'
  }

  @Get('nothing')
  nothing() {
    useResponse().setStatus(204)
  }

  @Get('refused')
  refused() {
    throw new HttpError(422, 'Not today.')
  }

  @Get('crash')
  crash() {
    throw new Error('postgres://secret')
  }

  @Get('stream')
  stream() {
    const chunks = Array.from({ length: 200 }, (_, at) => `${at}\n`.repeat(500))
    return Readable.from(chunks)
  }

  @Get('broken')
  broken() {
    return Readable.from(
      (async function* () {
        yield 'begun'
        await new Promise(resolve => setImmediate(resolve))
        throw new Error('cut')
      })(),
    )
  }

  @Get('raw')
  raw() {
    const raw = useResponse().getRawRes()
    raw.on('close', () => void closed.push('raw'))
    raw.writeHead(200, { 'content-type': 'text/event-stream' })
    raw.write('data: 1\n\n')
  }

  @Get('never')
  never() {
    const raw = useResponse().getRawRes(true)
    return once(raw, 'close').then(() => void closed.push('never'))
  }

  @Get('behind')
  behind() {
    closeAfter(useRequest().raw.socket, Promise.resolve('done behind it'))
    return 'answered'
  }
}

const open = () => startApp([Doors], { http: { requestLimits: { maxInflated: 1000 } } })
const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describe('a request that no connection has brought', () => {
  it('is what a handler sees of any other', async () => {
    const { http } = await open()
    const answer = await http.request('/door/echo?x=%20y', json({ a: 1 }))
    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({
      method: 'POST',
      url: '/door/echo?x=%20y',
      host: 'localhost',
      got: { a: 1 },
    })
  })

  it('is answered as one over a socket is, byte for byte', async () => {
    const { http, url } = await open()
    const asked: readonly (readonly [string, RequestInit?])[] = [
      ['/door/cookies'],
      ['/door/cookies', { method: 'HEAD' }],
      ['/door/nothing'],
      ['/door/refused', { headers: { accept: 'application/json' } }],
      ['/door/refused', { headers: { accept: 'text/html' } }],
      ['/door/crash'],
      ['/door/unknown'],
      ['/door/stream'],
      ['/door/echo', json({ long: 'x'.repeat(2000) })],
      ['/door/echo', { ...json({}), body: '{"broken' }],
      ['/door/echo', { ...json({}), headers: { 'content-encoding': 'compress' } }],
    ]
    // Those are of a connection, and not of the answer.
    const ofConnection = ['connection', 'keep-alive', 'date', 'transfer-encoding']
    for (const [path, init] of asked) {
      const both = [await http.request(path, init), await fetch(`${url}${path}`, init)]
      const seen = both.map(async ({ status, headers, text }, at) => ({
        status,
        headers: [...headers].filter(([name]) => !ofConnection.includes(name)),
        text: await text.call(both[at]),
      }))
      const [here, there] = await Promise.all(seen)
      expect(here, path).toEqual(there)
    }
  })

  it('has the address that the runtime tells, and none that it does not', async () => {
    const { http } = await open()
    const ask = async (url: string, address?: string) =>
      (await http.fetch(new Request(url), { address })).json()
    expect(await ask('https://shop.example/door/who', '192.0.2.7')).toEqual({
      address: '192.0.2.7',
      encrypted: true,
    })
    expect(await ask('http://shop.example/door/who')).toEqual({ address: '', encrypted: false })
  })

  it('fails where an answer has a status that no Response can have', async () => {
    const { http } = await open()
    const statusOf = async (said: number) => (await http.request(`/door/status/${said}`)).status
    for (const said of [100, 101, 600, 999]) expect(await statusOf(said)).toBe(500)
    expect(await statusOf(599)).toBe(599)
  })

  it('waits for whoever reads its answer', async () => {
    const { http } = await open()
    const { body } = await http.request('/door/stream')
    const reader = body!.getReader()
    let size = 0
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length
    }
    expect(size).toBe(500 * Array.from({ length: 200 }, (_, at) => `${at}\n`).join('').length)
  })

  it('shows that an answer broke off', async () => {
    const { http } = await open()
    const answer = await http.request('/door/broken')
    await expect(answer.text()).rejects.toThrow()
  })

  it('ends with whoever reads its answer no more', async () => {
    const { http } = await open()
    closed.length = 0
    const { body } = await http.request('/door/raw')
    const reader = body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n')
    await reader.cancel()
    await expect.poll(() => closed).toEqual(['raw'])
  })

  it('ends with its signal', async () => {
    const { http } = await open()
    closed.length = 0
    const leaving = new AbortController()
    const answering = http.request('/door/never', { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await expect(answering).rejects.toThrow('gone')
    await expect.poll(() => closed).toEqual(['never'])
    await expect(http.request('/door/who', { signal: leaving.signal })).rejects.toThrow('gone')
  })

  it('lets the runtime wait for what goes on behind the answer', async () => {
    const { http } = await open()
    const works: Promise<unknown>[] = []
    const waitUntil = (work: Promise<unknown>) => void works.push(work)
    const answer = await http.fetch(new Request('http://localhost/door/behind'), { waitUntil })
    expect(await answer.text()).toBe('answered')
    expect(await Promise.all(works)).toEqual(['done behind it'])
  })
})

describe('where no code may be made of text any more, as in a Worker behind its start,', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('routes with parameters are found at the first request', async () => {
    const { http } = await open()
    const construct = () => {
      throw new EvalError('Code generation from strings disallowed for this context')
    }
    vi.stubGlobal('Function', new Proxy(Function, { construct, apply: construct }))
    expect((await http.request('/door/status/418')).status).toBe(418)
  })
})
