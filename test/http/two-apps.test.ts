import type { AddressInfo } from 'node:net'
import { All, Get, MoostHttp, Post } from '@atscript/moost-wf/http'
import { MoostWf } from '@atscript/moost-wf/moost'
import { Controller, defineBeforeInterceptor, Injectable, Moost, Param } from 'moost'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startApp } from '../support/moost-app'

@Controller('public')
class Public {
  @Get('page')
  page() {
    return 'public'
  }

  @Get('user/:id')
  user(@Param('id') id: string) {
    return `public ${id}`
  }

  @Get('files/*')
  files(@Param('*') path: string) {
    return `public ${path}`
  }

  @Get('shared')
  shared() {
    return 'public'
  }
}

@Controller('private')
class Private {
  @Get('page')
  page() {
    return 'private'
  }

  @Get('user/:id')
  user(@Param('id') id: string) {
    return `private ${id}`
  }

  @Get('files/*')
  files(@Param('*') path: string) {
    return `private ${path}`
  }

  @All('any/:a/x/:b')
  any() {
    return 'private'
  }

  @Post('act')
  act() {
    return 'private'
  }
}

@Controller('public')
class Namesake {
  @Get('shared')
  shared() {
    return 'private'
  }
}

const text = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  const body = await response.text()
  return response.ok ? body : response.status
}

/** Any number of adapters in one Moost app, each with a server of its own. */
async function startTogether(controller: new () => object, ...adapters: MoostHttp[]) {
  const app = new Moost({ logger: silent })
  for (const adapter of adapters) app.adapter(adapter)
  await app.registerControllers(controller).init()
  const urls: string[] = []
  for (const http of adapters) {
    await http.listen(0, '127.0.0.1')
    onTestFinished(() => http.close(1000))
    const address = http.getHttpApp().getServer()?.address() as AddressInfo
    urls.push(`http://127.0.0.1:${address.port}`)
  }
  return urls
}

const nothing = () => {}
const silent = {
  fatal: nothing,
  error: nothing,
  warn: nothing,
  log: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
}

describe('two apps in one process', () => {
  it('answer their own routes and no others', async () => {
    const { url: open } = await startApp([Public])
    const { url: closed } = await startApp([Private])
    expect(await text(`${open}/public/page`)).toBe('public')
    expect(await text(`${open}/public/user/7`)).toBe('public 7')
    expect(await text(`${open}/public/files/a/b.txt`)).toBe('public a/b.txt')
    expect(await text(`${closed}/private/page`)).toBe('private')
    expect(await text(`${closed}/private/user/7`)).toBe('private 7')
    expect(await text(`${closed}/private/files/a/b.txt`)).toBe('private a/b.txt')
    expect(await text(`${closed}/private/any/1/x/2`, { method: 'PUT' })).toBe('private')

    expect(await text(`${open}/private/page`)).toBe(404)
    expect(await text(`${open}/private/user/7`)).toBe(404)
    expect(await text(`${open}/private/files/a/b.txt`)).toBe(404)
    expect(await text(`${open}/private/any/1/x/2`, { method: 'PUT' })).toBe(404)
    expect(await text(`${open}/private/act`, { method: 'POST' })).toBe(404)
    expect(await text(`${closed}/public/page`)).toBe(404)
    expect(await text(`${closed}/public/user/7`)).toBe(404)
    expect(await text(`${closed}/public/files/a/b.txt`)).toBe(404)
  })

  it('each answer a path that both have, without a warning', async () => {
    const info = vi.spyOn(console, 'info')
    onTestFinished(() => info.mockRestore())
    const { url: open } = await startApp([Public])
    const { url: closed } = await startApp([Namesake])
    expect(await text(`${open}/public/shared`)).toBe('public')
    expect(await text(`${closed}/public/shared`)).toBe('private')
    expect(info.mock.calls.flat().filter(line => String(line).includes('Duplicate'))).toEqual([])
  })

  it('each run their own interceptors for unknown routes, and log to their own log', async () => {
    const seen: string[] = []
    const note = (name: string) => defineBeforeInterceptor(() => void seen.push(name))
    const one = await startApp([Public], { interceptors: [note('one')] })
    const two = await startApp([Private], { interceptors: [note('two')] })
    await fetch(`${one.url}/nowhere`)
    await fetch(`${two.url}/nowhere`)
    expect(seen).toEqual(['one', 'two'])
    two.http.getHttpApp().getLogger('test').error('of the second')
    expect(one.log.some(entry => entry.text.includes('of the second'))).toBe(false)
    expect(two.log.some(entry => entry.text.includes('of the second'))).toBe(true)
  })

  it('inject their own workflows into a controller that both have, once per request', async () => {
    @Injectable('FOR_EVENT')
    @Controller('who')
    class Who {
      constructor(readonly wf: MoostWf) {}

      @Get()
      am() {
        return String(apps.findIndex(({ wf }) => wf === this.wf))
      }
    }
    const apps = [await startApp([Who]), await startApp([Who])]
    expect(await text(`${apps[0]!.url}/who/am`)).toBe('0')
    expect(await text(`${apps[1]!.url}/who/am`)).toBe('1')
  })
})

describe('two adapters in one app', () => {
  it('both have all its routes, and options of their own', async () => {
    const [strict, loose] = await startTogether(
      Public,
      new MoostHttp(),
      new MoostHttp({ router: { ignoreCase: true } }),
    )
    expect(await text(`${strict}/public/user/7`)).toBe('public 7')
    expect(await text(`${loose}/public/user/7`)).toBe('public 7')
    expect(await text(`${strict}/PUBLIC/page`)).toBe(404)
    expect(await text(`${loose}/PUBLIC/page`)).toBe('public')
  })
})
