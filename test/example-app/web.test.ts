import { request } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PageFiles } from '../../example-app/src/pages/page-files'
import { type ExampleApp, newFolder, startSharedApp } from '../support/example-app'

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp()
})

/** A request whose path is sent as it is written. */
function rawGet(path: string, method = 'GET'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...hostAndPort(), path, method }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject).end()
  })
}

function hostAndPort() {
  const { hostname, port } = new URL(app.url)
  return { hostname, port }
}

const SCRIPT_POLICY = "script-src 'self'"

describe('every answer', () => {
  it.each([
    '/',
    '/sign-in',
    '/accept?wfs=handle.x',
    '/api/me',
    '/api/inbox',
    '/api/nothing',
    '/no/such.file',
    '/api/wf?wfs=handle.x',
  ])('of %s has the headers', async path => {
    const { headers } = await app.visitor().get(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toContain(SCRIPT_POLICY)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('permissions-policy')).toBeTruthy()
  })

  it('has them even if no handler has seen the request', async () => {
    const headers = { 'content-encoding': 'toString' }
    const answer = await app.visitor().post('/api/wf', {}, headers)
    expect(answer.status).toBe(415)
    expect(answer.headers.get('content-security-policy')).toContain(SCRIPT_POLICY)
  })
})

describe('a path that leads out of the pages', () => {
  it.each([
    '/../package.json',
    '/../../package.json',
    '/..%2fpackage.json',
    '/..%2F..%2f..%2f..%2fetc/passwd',
    '/%2e%2e/package.json',
    '/%2e%2e%2fpackage.json',
    '/..\\package.json',
    '/..%5cpackage.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '//etc/passwd',
    '/etc/passwd%00.html',
    '/index.html%00',
    '/%00',
    '/.%2e/data/wf-secret',
    '/....//package.json',
    '/%c0%ae%c0%ae/package.json',
    '/%',
    '/data/app.db',
  ])('leads nowhere: %s', async path => {
    const { status, text } = await rawGet(path)
    expect([400, 404]).toContain(status)
    expect(await rawGet(path, 'HEAD')).toEqual({ status, text: '' })
    expect(text).not.toContain('root:')
    expect(text).not.toContain('"name"')
  })
})

describe('the built pages', () => {
  function files() {
    const folder = newFolder()
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    writeFileSync(join(folder, 'assets/app-1a2b.js'), 'run()')
    writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
    return new PageFiles(folder)
  }

  it('are sent with their type, and kept only where the name has a hash', () => {
    const pages = files()
    expect(pages.find('/assets/app-1a2b.js')).toMatchObject({
      type: 'text/javascript; charset=utf-8',
      caching: 'public, max-age=31536000, immutable',
    })
    expect(pages.find('/favicon.svg')).toMatchObject({
      type: 'image/svg+xml',
      caching: 'no-cache',
    })
    expect(pages.find('/index.html')).toMatchObject({ caching: 'no-store' })
  })

  it('answer for every page with the application, and for nothing that there is not', () => {
    const pages = files()
    for (const path of ['/', '/sign-in', '/accept', '/admin/flows/1a-2b', '/approvals/']) {
      expect(pages.find(path)?.content.toString(), path).toBe('<!doctype html>')
    }
    const none = ['/x.js', '/assets/app.js', '/..', '/a/../b', '//', '/a%2fb', '/a\\b', '']
    for (const path of [...none, '/sign', '/admin/flows', '/admin/flows/%', '/sign-in/x']) {
      expect(pages.find(path), path).toBeUndefined()
    }
  })

  it('may be missing', () => {
    expect(new PageFiles(join(newFolder(), 'dist')).find('/')).toBeUndefined()
  })
})

describe('a page of another site', () => {
  const EVIL = { origin: 'https://evil.example' }

  it('can neither go on with a workflow nor start one nor sign out', async () => {
    const visitor = app.visitor()
    await visitor.signIn('member@example.com', 'member-password')
    const { body } = await visitor.wf({ wfid: 'auth/login' })
    visitor.cookies.set('wfs', body.wfs)
    for (const message of [{}, { wfid: 'auth/login' }, { wfs: body.wfs }]) {
      const answer = await visitor.wf(message, EVIL)
      expect([answer.status, answer.body.error.code]).toEqual([403, 'WF_FOREIGN_ORIGIN'])
    }
    expect((await visitor.post('/api/logout', {}, EVIL)).status).toBe(403)
    const site = { 'sec-fetch-site': 'cross-site' }
    expect((await visitor.post('/api/logout', {}, site)).status).toBe(403)
    expect(await visitor.user()).not.toBeNull()
  })

  it('is not our own page, whose host or public address it has', async () => {
    const port = new URL(app.url).port
    for (const origin of [app.url, `http://localhost:${port}`]) {
      expect((await app.visitor().post('/api/logout', {}, { origin })).status, origin).toBeLessThan(
        300,
      )
    }
  })

  it('does not read the inbox by a name that it lets lead here', async () => {
    const { status } = await new Promise<{ status?: number }>((resolve, reject) => {
      const options = { ...hostAndPort(), path: '/api/inbox', headers: { host: 'evil.example' } }
      request(options, ({ statusCode: status }) => resolve({ status }))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })
})

describe('the inbox', () => {
  it('has mails decoded, the newest first', async () => {
    const recover = (email: string) => app.visitor().wf({ wfid: 'auth/recover', input: { email } })
    await recover('member@example.com')
    await app.mailTo('member@example.com')
    await recover('manager@example.com')
    await app.mailTo('manager@example.com')
    const mails = await app.mails()
    expect(mails.map(({ to }) => to)).toEqual(['manager@example.com', 'member@example.com'])
    expect(Object.keys(mails[0]!)).toEqual([
      'to',
      'subject',
      'text',
      'html',
      'date',
      'messageId',
      'id',
    ])
    expect(mails[0]?.text).toContain('Someone, hopefully you,')
    expect(Date.parse(mails[0]!.date)).toBeGreaterThan(Date.now() - 60_000)
  })
})

describe('the demo', () => {
  it('shows its accounts', async () => {
    const { body } = await app.visitor().get('/api/me')
    expect(body.user).toBeNull()
    expect(body.demo.accounts).toMatchObject([
      { email: 'admin@example.com', password: 'admin-password', totpSecret: 'JBSWY3DPEHPK3PXP' },
      { email: 'manager@example.com', password: 'manager-password' },
      { email: 'second-manager@example.com', password: 'second-manager-password' },
      { email: 'member@example.com', password: 'member-password' },
    ])
    for (const { email, password } of body.demo.accounts) {
      expect(app.output()).toContain(`${email} / ${password}`)
    }
  })
})
