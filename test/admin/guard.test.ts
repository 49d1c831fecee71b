import { createWfAdminController, type WfAdminOptions } from '@atscript/moost-wf/admin'
import { HttpError } from '@atscript/moost-wf/http'
import { getInstanceOwnMethods, getMoostMate } from 'moost'
import { describe, expect, it } from 'vitest'
import { openExpenses } from '../support/expense-store'
import { request } from '../support/shop'
import { openAdmin } from './admin-app'

interface Route {
  readonly method: string
  readonly path: string
}

/** The routes as Moost sees them, so that one that is added later is tested too. */
async function routesOf(options: Partial<WfAdminOptions> = {}): Promise<Route[]> {
  const { store } = await openExpenses()
  const Admin = createWfAdminController({ store, guard: () => true, ...options })
  const mate = getMoostMate<object, Route>()
  return getInstanceOwnMethods(new Admin() as never).flatMap(
    name => (mate.read(Admin, name as string)?.handlers ?? []) as unknown as Route[],
  )
}

async function askAll(app: Awaited<ReturnType<typeof openAdmin>>) {
  const { id } = await app.onlyRow()
  const answers = []
  for (const { method, path } of await routesOf()) {
    const sent = { method, path: `/api/admin/${path.replace(':id', id)}` }
    answers.push({ method, path, ...(await request(app.url, { version: 1 }, sent)) })
  }
  return answers
}

describe('the controller', () => {
  it.each([undefined, null, true, 'admin', {}])('is not made with %j for a guard', async guard => {
    const { store } = await openExpenses()
    const make = () => createWfAdminController({ store, guard } as never)
    expect(make).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })

  it.each([
    ['no store', { store: undefined }],
    ['something else for a store', { store: {} }],
    ['a path for an origin', { origins: ['https://a.example/path'] }],
    ['no list of origins', { origins: 'https://a.example' }],
    ['something else for resend', { resend: 'mail' }],
    ['something else for isSecret', { isSecret: /password/u }],
    ['nothing for wf', { wf: null }],
  ])('is not made with %s', async (_what, wrong) => {
    const { store } = await openExpenses()
    const make = () => createWfAdminController({ store, guard: () => true, ...wrong } as never)
    expect(make).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })

  it('has the routes that the docs describe', async () => {
    const routes = (await routesOf()).map(({ method, path }) => `${method} ${path}`)
    expect(routes.toSorted()).toEqual([
      'GET columns',
      'GET counts',
      'GET flows',
      'GET flows/:id',
      'GET jobs',
      'GET jobs/:id',
      'POST cleanup',
      'POST flows/:id/extend',
      'POST flows/:id/resend',
      'POST flows/:id/revoke',
      'POST heal',
    ])
  })
})

const DENIALS: [string, () => unknown, number, string][] = [
  ['returns false', () => false, 403, 'WF_NOT_ALLOWED'],
  ['returns nothing', () => undefined, 403, 'WF_NOT_ALLOWED'],
  ['returns what is only truthy', () => 'yes', 403, 'WF_NOT_ALLOWED'],
  ['promises false', async () => false, 403, 'WF_NOT_ALLOWED'],
  [
    'throws an HttpError',
    () => {
      throw new HttpError(401, 'Log in.')
    },
    401,
    'WF_REJECTED',
  ],
  ['returns an HttpError', () => new HttpError(401, 'Log in.'), 401, 'WF_REJECTED'],
  ['rejects with one', () => Promise.reject(new HttpError(418, 'Tea.')), 418, 'WF_REJECTED'],
  [
    'throws something else',
    () => {
      throw new Error('ldap://internal is down')
    },
    500,
    'WF_INTERNAL',
  ],
  ['rejects with something else', () => Promise.reject(new Error('internal')), 500, 'WF_INTERNAL'],
  ['throws an HttpError of its own', () => new HttpError(503, 'internal'), 500, 'WF_INTERNAL'],
]

describe.each(DENIALS)('a guard that %s', (_what, guard, status, code) => {
  it('denies every route before anything happens', async () => {
    const app = await openAdmin({ admin: { guard: guard as never } })
    await app.pause('expenses/claim')
    const before = await app.onlyRow()
    const answers = await askAll(app)
    expect(answers.length).toBeGreaterThan(10)
    for (const answer of answers) {
      expect([answer.path, answer.status], answer.text).toEqual([answer.path, status])
      expect(answer.body.error).toMatchObject({ code, status })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.text).not.toContain('internal')
    }
    expect(await app.onlyRow()).toEqual(before)
    expect(app.resent).toEqual([])
  })
})

describe('a guard', () => {
  it('that promises true lets every route through', async () => {
    const app = await openAdmin({ admin: { guard: async () => true } })
    await app.pause('expenses/claim')
    for (const { path, status } of await askAll(app)) {
      expect([path, [401, 403, 500].includes(status)]).toEqual([path, false])
    }
  })

  it('logs what failed in it', async () => {
    const guard = () => Promise.reject(new Error('ldap is down'))
    const app = await openAdmin({ admin: { guard } })
    await app.get('columns')
    expect(app.log.some(({ text }) => text.includes('ldap is down'))).toBe(true)
  })
})

describe('a page of another site', () => {
  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('with %j cannot post to any route, whoever is logged in', async headers => {
    const app = await openAdmin()
    await app.pause('expenses/claim')
    const { id } = await app.onlyRow()
    for (const { method, path } of await routesOf()) {
      if (method === 'GET') continue
      const answer = await app.post(path.replace(':id', id), { version: 1 }, { headers })
      expect([path, answer.status, answer.body.error.code]).toEqual([
        path,
        403,
        'WF_FOREIGN_ORIGIN',
      ])
    }
    expect(await app.table.count({ filter: {} })).toBe(1)
  })

  it('that is named in origins can', async () => {
    const app = await openAdmin({ admin: { origins: ['https://ops.example'] } })
    const headers = { origin: 'https://ops.example' }
    expect((await app.post('heal', {}, { headers })).status).toBe(202)
  })

  it('of the same host can', async () => {
    const app = await openAdmin()
    expect((await app.post('heal', {}, { headers: { origin: app.url } })).status).toBe(202)
  })
})
