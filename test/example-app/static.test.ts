import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { chooseEncoding } from '../../example-app/src/pages/encodings'
import { type ExampleApp, startSharedApp } from '../support/example-app'

let app: ExampleApp
let script: string
let styles: string
beforeAll(async () => {
  app = await startSharedApp()
  const { text } = await app.visitor().get('/')
  script = /src="(\/assets\/[^"]+\.js)"/u.exec(text)?.[1] ?? ''
  styles = /href="(\/assets\/[^"]+\.css)"/u.exec(text)?.[1] ?? ''
})

type Headers = Record<string, string>
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** An answer as it comes, without decoding. */
function get(path: string, headers: Headers = {}, method = 'GET') {
  return new Promise<{ status?: number; headers: Headers; bytes: Buffer }>((resolve, reject) => {
    request(`${app.url}${path}`, { headers, method }, response => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers as Headers,
            bytes: Buffer.concat(chunks),
          }),
        )
    })
      .on('error', reject)
      .end()
  })
}

describe('scripts and styles', () => {
  it('are sent as small as the client takes them', async () => {
    for (const path of [script, styles]) {
      const plain = await get(path)
      expect(plain.headers['content-encoding']).toBeUndefined()
      for (const [name, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const small = await get(path, { 'accept-encoding': name })
        expect(small.headers['content-encoding']).toBe(name)
        expect(small.headers.vary).toBe('accept-encoding')
        expect(small.headers['content-length']).toBe(String(small.bytes.length))
        expect(small.bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(decode(small.bytes)).toEqual(plain.bytes)
        expect(small.headers.etag).not.toBe(plain.headers.etag)
      }
      expect(plain.headers.vary).toBe('accept-encoding')
    }
  })

  it('are not sent again to whoever has them', async () => {
    const br = { 'accept-encoding': 'br' }
    const { headers } = await get(script, br)
    const etag = headers.etag ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get(script, { ...br, 'if-none-match': known })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
    }
    // Another encoding is another file.
    expect((await get(script, { 'if-none-match': etag })).status).toBe(200)
  })

  it('have the same headers for HEAD, and no body', async () => {
    const br = { 'accept-encoding': 'br' }
    const [full, head] = [await get(script, br), await get(script, br, 'HEAD')]
    expect(head.bytes).toHaveLength(0)
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type']) {
      expect(head.headers[name], name).toBe(full.headers[name])
    }
  })
})

describe('an encoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['br;q=nonsense', undefined],
    ['zstd,,;;q', undefined],
  ])('of %j is %j', (accepted, chosen) => {
    expect(chooseEncoding(accepted, () => true)).toBe(chosen)
  })
})

describe('an answer of the API', () => {
  it('is never compressed: what it holds could be told from its length', async () => {
    const many = { 'accept-encoding': 'br, gzip, deflate' }
    for (const path of ['/api/me', '/api/inbox', '/api/nothing', '/api/wf?wfs=x']) {
      const { headers } = await get(path, many)
      expect(headers['content-encoding'], path).toBeUndefined()
    }
  })

  it('is JSON, also for a browser that somebody has sent there', async () => {
    for (const path of ['/api/nothing', '/api', '/api/approvals', '/api/favicon.ico']) {
      const { status, headers, bytes } = await get(path, HTML)
      expect(headers['content-type'], path).toContain('application/json')
      expect(JSON.parse(bytes.toString()), path).toMatchObject({ statusCode: status })
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('what is not there', () => {
  it.each(['/nowhere', '/no/such.file', '/assets/gone.js', '/sign-in.php', '/admin/flows/%25'])(
    'is said to people on a page of the site: %s',
    async path => {
      const { status, headers, bytes } = await get(path, HTML)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(bytes.toString()).toContain('<div id="app">')
      expect(headers['cache-control']).toBe('no-store')
    },
  )

  it('is said to programs in JSON', async () => {
    const { status, headers } = await get('/assets/gone.js', { accept: '*/*' })
    expect([status, headers['content-type']]).toEqual([404, 'application/json'])
  })
})

it('has an icon where browsers look for one', async () => {
  const { status, headers, bytes } = await get('/favicon.ico')
  expect([status, headers['content-type']]).toEqual([200, 'image/x-icon'])
  expect(bytes.readUInt32LE(0)).toBe(0x1_00_00)
})
