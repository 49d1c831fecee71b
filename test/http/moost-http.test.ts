import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import {
  All,
  Authorization,
  Body,
  BodySizeLimit,
  Cookie,
  Delete,
  Get,
  Head,
  Header,
  HttpError,
  Ip,
  Method,
  MoostHttp,
  Patch,
  Post,
  Put,
  Query,
  RawBody,
  Req,
  ReqId,
  Res,
  SetCookie,
  SetHeader,
  SetStatus,
  Url,
} from '@atscript/moost-wf/http'
import {
  Controller,
  defineBeforeInterceptor,
  defineErrorInterceptor,
  Injectable,
  Param,
} from 'moost'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/moost-app'

let release: (() => void) | undefined

/** Has no `catch`. Some libraries have such. */
const rejecting = {
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is about
  then(_onValue: unknown, onError: (error: Error) => void) {
    onError(new Error('refused'))
    return rejecting
  },
}

const raise = (message: string) => {
  throw new Error(message)
}

@Controller('api')
class Api {
  @Get('echo')
  echo(
    @Query('q') q: string,
    @Query() query: object,
    @Header('X-Name') name: string,
    @Cookie('who') who: string,
    @Cookie('absent') absent: string,
    @Authorization('bearer') bearer: string,
    @Url() url: string,
    @Method() method: string,
    @Ip() ip: string,
    @ReqId() id: string,
    @Req() req: { url: string },
  ) {
    const defined = absent === undefined && id.length === 36 && req.url === url
    return { q, query, name, who, bearer, url, method, ip, defined }
  }

  @Get('basic')
  basic(@Authorization('username') user: string, @Authorization('password') password: string) {
    return { user, password }
  }

  @Post('body')
  post(@Body() body: unknown) {
    return { body }
  }

  @Post('raw')
  raw(@RawBody() body: Buffer) {
    return body.toString('hex')
  }

  @Post('small')
  @BodySizeLimit(10)
  small(@Body() body: unknown) {
    return { body }
  }

  @Put('verb')
  @Patch('verb')
  @Delete('verb')
  @Head('verb')
  verb(@Method() method: string) {
    return method
  }

  @All('any')
  any(@Method() method: string) {
    return method
  }

  @Get('set')
  @SetStatus(203)
  @SetHeader('x-a', 'a')
  @SetCookie('c', 'v', { httpOnly: true })
  set() {
    return 'ok'
  }

  @Get('item/:id/part')
  part(@Param('id') id: string, @Res({ passthrough: true }) res: { setHeader: Function }) {
    res.setHeader('x-raw', '1')
    return { id }
  }

  @Get('crash')
  async crash() {
    throw new Error('password=hunter2')
  }

  @Get('crash-sync')
  crashSync() {
    throw new Error('password=hunter2')
  }

  @Get('crash-returned')
  crashReturned() {
    return new Error('password=hunter2')
  }

  @Get('crash-json')
  async crashJson() {
    return { big: 1n }
  }

  @Get('throws-null')
  throwsNull() {
    // oxlint-disable-next-line no-throw-literal -- some code does
    throw null
  }

  @Get('throws-text')
  async throwsText() {
    // oxlint-disable-next-line no-throw-literal -- some code does
    throw 'password=hunter2'
  }

  @Get('file-sync')
  fileSync() {
    return createReadStream('/nowhere/at/all')
  }

  @Get('response-error')
  responseError() {
    return Response.error()
  }

  @Get('response-error-async')
  async responseErrorAsync() {
    return Response.error()
  }

  @Get('half-a-stream')
  halfAStream() {
    return Readable.from(
      (async function* () {
        yield 'half'
        throw new Error('broke off')
      })(),
    )
  }

  @Get('teapot')
  teapot() {
    throw new HttpError(418, 'short and stout')
  }

  @Get('slow')
  async slow() {
    await new Promise<void>(resolve => {
      release = resolve
    })
    return 'done'
  }
}

@Injectable('FOR_EVENT')
@Controller('scoped')
class Scoped {
  @Post('late')
  async late(@Body() body: unknown) {
    await new Promise(resolve => setTimeout(resolve, 5))
    return { body }
  }
}

const json = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

describe('MoostHttp', () => {
  it('injects what the request carries', async () => {
    const { url } = await startApp([Api])
    const response = await fetch(`${url}/api/echo?q=1&tags[]=a`, {
      headers: { 'x-name': 'Ada', cookie: 'who=me', authorization: 'Bearer t0ken' },
    })
    expect(await response.json()).toEqual({
      q: '1',
      query: { q: '1', 'tags[]': ['a'] },
      name: 'Ada',
      who: 'me',
      bearer: 't0ken',
      url: '/api/echo?q=1&tags[]=a',
      method: 'GET',
      ip: '127.0.0.1',
      defined: true,
    })
    const basic = await fetch(`${url}/api/basic`, {
      headers: { authorization: `Basic ${btoa('ada:secret')}` },
    })
    expect(await basic.json()).toEqual({ user: 'ada', password: 'secret' })
  })

  it('parses bodies, and refuses broken and oversized ones', async () => {
    const { url } = await startApp([Api])
    expect(await (await fetch(`${url}/api/body`, json({ a: 1 }))).json()).toEqual({
      body: { a: 1 },
    })
    const raw = await fetch(`${url}/api/raw`, { method: 'POST', body: 'hi' })
    expect(await raw.text()).toBe('6869')
    const broken = { ...json(0), body: '{' }
    expect((await fetch(`${url}/api/body`, broken)).status).toBe(400)
    expect((await fetch(`${url}/api/small`, json('x'.repeat(50)))).status).toBe(413)
  })

  it('routes every method', async () => {
    const { url } = await startApp([Api])
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await (await fetch(`${url}/api/any`, { method })).text()).toBe(method)
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'HEAD']) {
      expect((await fetch(`${url}/api/verb`, { method })).ok).toBe(true)
    }
    expect((await fetch(`${url}/api/verb`)).status).toBe(404)
  })

  it('sets status, header and cookie by decorator, and hands out the raw response', async () => {
    const { url } = await startApp([Api])
    const response = await fetch(`${url}/api/set`)
    expect(response.status).toBe(203)
    expect(response.headers.get('x-a')).toBe('a')
    expect(response.headers.get('set-cookie')).toBe('c=v; HttpOnly')
    const part = await fetch(`${url}/api/item/7/part`)
    expect(part.headers.get('x-raw')).toBe('1')
    expect(await part.json()).toEqual({ id: '7' })
  })

  it.each([
    'crash',
    'crash-sync',
    'crash-returned',
    'crash-json',
    'throws-null',
    'throws-text',
    'response-error',
    'response-error-async',
  ])('answers %s with a 500 that says nothing of the error', async path => {
    const { url } = await startApp([Api])
    const response = await fetch(`${url}/api/${path}`)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ message: 'Internal Server Error' })
  })

  it.each(['crash', 'crash-sync', 'crash-returned'])('logs the error of %s once', async path => {
    const { url, log } = await startApp([Api])
    await fetch(`${url}/api/${path}`)
    expect(log.filter(entry => entry.text.includes('hunter2'))).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['throws', () => raise('at once')],
    ['rejects', async () => raise('later')],
    ['is not quite a promise, and rejects', () => rejecting],
  ])('says nothing of a route of the app underneath that %s', async (_how, route) => {
    const { url, http, log } = await startApp([Api])
    http.getHttpApp().get('/raw', route)
    const response = await fetch(`${url}/raw?wfs=secret`)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ message: 'Internal Server Error' })
    const errors = log.filter(({ level }) => level === 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.text).not.toContain('secret')
  })

  it('lets the next route try where the first one fails', async () => {
    const { url, http } = await startApp([Api])
    http.getHttpApp().get('/raw', async () => raise('first'))
    http.getHttpApp().get('/raw', () => 'second')
    expect(await (await fetch(`${url}/raw`)).text()).toBe('second')
  })

  it('survives a file that is not there, and shows that a stream broke off', async () => {
    const { url } = await startApp([Api])
    const text = async (path: string) => (await fetch(`${url}/api/${path}`)).text()
    await expect(text('file-sync')).rejects.toThrow()
    await expect(text('half-a-stream')).rejects.toThrow()
    expect((await fetch(`${url}/api/set`)).status).toBe(203)
  })

  it('does not wait for a stream that has ended before it was sent', async () => {
    const { url, http } = await startApp([Api])
    http.getHttpApp().get('/raw', () => Readable.from(['late']).destroy())
    expect((await fetch(`${url}/raw`)).status).toBe(500)
  })

  it('reads no body in an encoding that it cannot limit', async () => {
    const { url } = await startApp([Api])
    const headers = { 'content-type': 'application/json', 'content-encoding': 'toString, gzip' }
    const response = await fetch(`${url}/api/body`, { method: 'POST', headers, body: 'x' })
    expect(response.status).toBe(415)
  })

  it('says nothing of an error in a guard of an unknown route', async () => {
    const guard = defineBeforeInterceptor(() => {
      throw new Error('password=hunter2')
    })
    const { url } = await startApp([Api], { interceptors: [guard] })
    const response = await fetch(`${url}/nowhere`)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('hunter2')
  })

  it('lets an error interceptor answer', async () => {
    const rescue = defineErrorInterceptor((_error, reply) => reply({ rescued: true }))
    const { url } = await startApp([Api], { interceptors: [rescue] })
    expect(await (await fetch(`${url}/api/crash`)).json()).toEqual({ rescued: true })
  })

  it('sends the message of an HttpError', async () => {
    const { url } = await startApp([Api])
    const response = await fetch(`${url}/api/teapot`)
    expect(response.status).toBe(418)
    expect(await response.json()).toMatchObject({ message: 'short and stout' })
  })

  it('keeps the scope of a FOR_EVENT controller until the response is sent', async () => {
    const { url } = await startApp([Scoped])
    const response = await fetch(`${url}/scoped/late`, json({ a: 1 }))
    expect(await response.json()).toEqual({ body: { a: 1 } })
  })

  it('can be handed to a server of one’s own', async () => {
    const { http } = await startApp([Api])
    const server = createServer(http.getServerCb()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect((await fetch(`http://127.0.0.1:${port}/api/set`)).status).toBe(203)
    server.close()
  })
})

function connectionsOf(http: MoostHttp): Promise<number> {
  return new Promise(resolve => {
    http
      .getHttpApp()
      .getServer()
      ?.getConnections((_error, count) => resolve(count))
  })
}

describe('close', () => {
  it('lets a running request finish, on a connection that would be kept alive', async () => {
    const { url, http } = await startApp([Api])
    const answer = fetch(`${url}/api/slow`)
    await expect.poll(() => release).toBeDefined()
    const closed = http.close()
    release?.()
    expect(await (await answer).text()).toBe('done')
    await closed
    await expect(fetch(`${url}/api/set`)).rejects.toThrow()
  })

  it('cuts off what is still running after the grace period', async () => {
    const { url, http } = await startApp([Api])
    const answer = new Promise(resolve => {
      request(`${url}/api/slow`).on('error', resolve).end()
    })
    await expect.poll(() => connectionsOf(http)).toBe(1)
    await http.close(20)
    expect(await answer).toMatchObject({ code: 'ECONNRESET' })
  })

  it('does not wait for a connection that has sent nothing', async () => {
    const { http } = await startApp([Api])
    const address = http.getHttpApp().getServer()?.address() as AddressInfo
    const socket = connect(address.port, '127.0.0.1')
    await once(socket, 'connect')
    await expect.poll(() => connectionsOf(http)).toBe(1)
    const closed = once(socket, 'close')
    await Promise.all([http.close(60_000), http.close(60_000)])
    await closed
  })

  it('is harmless when nothing listens', async () => {
    await expect(new MoostHttp().close()).resolves.toBeUndefined()
  })
})
