import { WfError } from '@atscript/moost-wf'
import { createWfAdminController } from '@atscript/moost-wf/admin'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfStore } from '@atscript/moost-wf/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import { looksSecret } from '../../src/state/looks-secret'
import { redactContext } from '../../src/admin/redact-context'
import { SuiteType } from '../../src/testing/table/suite-type'
import { openAdmin, SECRET } from './admin-app'

describe('a flow', () => {
  it('is shown with all that may be known of it', async () => {
    const app = await openAdmin()
    await app.pause('expenses/short', { applicant: 'ann', amount: 7 })
    const { id, flowId } = await app.onlyRow()
    const { status, body } = await app.get(`flows/${id}`)
    const now = app.clock.now()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      version: 1,
      status: 'live',
      now,
      schemaId: 'expenses/short',
      flowId,
      stepId: 'expenses/brief',
      outlet: 'http',
      pauses: 2,
      expiresAt: now + 60_000,
      startedAt: now,
      startedBy: 'ada',
      updatedAt: now,
      resumable: true,
      obstacle: null,
      context: {
        applicant: 'ann',
        expense: { amount: 7, urgent: false },
        login: { password: '•••', recoveryCodes: '•••' },
      },
    })
    expect(body.shape.flow).toBe(body.shape.build)
    expect(body.values).toMatchObject({ applicant: 'ann', amount: 7 })
  })

  it('tells why it could not go on, until it does', async () => {
    const app = await openAdmin()
    const wfs = await app.pause('expenses/claim')
    const problem = async () => {
      const { body } = await app.get(`flows/${(await app.onlyRow()).id}`)
      return body.problem
    }
    expect(await problem()).toBeNull()
    app.fail = new WfError('WF_DB_ROW', 'The secret is 42.')
    expect((await app.send({ wfs, input: { ok: true } })).body.error.code).toBe(
      'WF_CONTENT_REFUSED',
    )
    expect(await problem()).toEqual({ code: 'WF_DB_ROW', at: app.clock.now(), times: 1 })
    app.fail = undefined
    expect((await app.send({ wfs, input: { ok: true } })).status).toBe(200)
    expect(await problem()).toBeNull()
  })

  it('has its steps drawn from where it waits, with loops and conditions', async () => {
    const app = await openAdmin()
    let token = await app.pause('expenses/claim', { applicant: 'ann', amount: 700 })
    const steps = async () => {
      const { body } = await app.get(`flows/${(await app.onlyRow()).id}`)
      return body
    }
    const claim = (statuses: string[]) =>
      [
        { id: 'expenses/form', path: [0], conditional: false, loop: false },
        { id: 'expenses/review', path: [1, 1], conditional: false, loop: true },
        { id: 'expenses/pay', path: [2, 0], conditional: true, loop: false },
        { id: 'expenses/done', path: [3], conditional: false, loop: false },
      ].map((step, at) => ({ ...step, status: statuses[at] }))
    expect((await steps()).steps).toEqual(claim(['done', 'waiting', 'to-come', 'to-come']))
    for (let round = 0; round < 2; round++) {
      token = (await app.send({ wfs: token, input: { ok: true } })).body.wfs
    }
    const later = await steps()
    expect(later.steps).toEqual(claim(['done', 'done', 'waiting', 'to-come']))
    expect(later.groups).toEqual([
      { path: [1], kind: 'loop', conditional: false },
      { path: [2], kind: 'group', conditional: true },
    ])
  })

  it('tells why it cannot be resumed', async () => {
    const app = await openAdmin()
    await app.pause('expenses/short')
    const { id, state } = await app.onlyRow()
    const obstacle = async () => {
      const { body } = await app.get(`flows/${id}`)
      expect(body.resumable).toBe(body.obstacle === null)
      return body.obstacle
    }
    expect(await obstacle()).toBe(null)
    app.clock.advance(60_000)
    expect(await obstacle()).toBe('expired')
    app.clock.advance(-60_000)
    await app.table.updateMany({ id }, { state: { ...state, indexes: [7] } })
    expect(await obstacle()).toBe('definition-changed')
    await app.table.updateMany({ id }, { schemaId: 'expenses/gone', state })
    expect(await obstacle()).toBe('unknown-workflow')
    expect((await app.get(`flows/${id}`)).body.steps).toEqual([])
    await app.table.updateMany({ id }, { state: { nothing: true } as never })
    expect(await obstacle()).toBe('damaged')
    expect((await app.get(`flows/${id}`)).body.context).toBe(null)
  })

  it('is shown without a build that knows its workflow', async () => {
    const app = await openAdmin({ admin: { wf: undefined } })
    await app.pause('expenses/claim')
    const { body } = await app.get(`flows/${(await app.onlyRow()).id}`)
    expect(body).toMatchObject({ steps: [], groups: [], resumable: true })
    expect(body.shape.build).toBe(null)
  })

  it.each([
    'nope',
    '00000000-0000-4000-8000-000000000000',
    '%E0%A4%A',
    '%ED%A0%80',
    "'%20or%201=1",
    '..%2F..%2Fetc',
    '{"$ne":null}',
    '%7B%22%24gt%22%3A%22%22%7D',
    'x'.repeat(5000),
    '1',
    'null',
    '__proto__',
    'constructor',
  ])('is not found by %s', async id => {
    const app = await openAdmin()
    await app.pause('expenses/claim')
    for (const answer of [
      await app.get(`flows/${id}`),
      await app.post(`flows/${id}/revoke`, { version: 1 }),
      await app.post(`flows/${id}/extend`, { version: 1, expiresAt: app.clock.now() + 1000 }),
      await app.post(`flows/${id}/resend`, { version: 1 }),
    ]) {
      expect(answer.status, answer.text).toBe(404)
    }
    expect(await app.table.count({ filter: {} })).toBe(1)
  })

  it('is refused by 400 for an id that cannot be kept', async () => {
    const app = await openAdmin()
    const version = 1
    for (const answer of [
      await app.get('flows/a%00b'),
      await app.post('flows/a%00b/revoke', { version }),
      await app.post('flows/a%00b/extend', { version, expiresAt: app.clock.now() + 1000 }),
      await app.post('flows/a%00b/resend', { version }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'WF_BAD_REQUEST'])
      expect(answer.body.message).toMatch(/^The id holds a character that cannot be kept/u)
    }
  })

  it.each(['\0', '\ud800'])('is refused by 400 for a body with %j', async text => {
    const app = await openAdmin()
    await app.pause('expenses/claim')
    const { id } = await app.onlyRow()
    for (const path of [`flows/${id}/revoke`, `flows/${id}/extend`, 'heal', 'cleanup']) {
      const answer = await app.post(path, { version: 1, note: [{ [text]: text }] })
      expect([answer.status, answer.body.error.code], path).toEqual([400, 'WF_BAD_REQUEST'])
      expect(answer.body.message).toMatch(/^The body holds a character/u)
    }
    expect(await app.table.count({ filter: {} })).toBe(1)
  })

  it('is not found by its handle', async () => {
    const app = await openAdmin()
    await app.pause('expenses/claim')
    const { handle } = await app.onlyRow()
    expect((await app.get(`flows/${handle}`)).status).toBe(404)
  })

  it('needs an id of its own', async () => {
    const space = openSqlite(':memory:')
    onTestFinished(() => space.close())
    const { type, ...rest } = space.table(SuiteType as never)
    const props = new Map(
      ['handle', 'schemaId', 'state', 'version'].map(name => [
        name,
        { type: { kind: '', designType: 'string' }, metadata: new Map(), optional: true },
      ]),
    )
    const methods = ['findOne', 'findMany', 'insertOne', 'updateMany', 'deleteMany']
    const table = {
      ...rest,
      ...Object.fromEntries(methods.map(method => [method, async () => null])),
      type: { ...type, type: { kind: 'object', props } },
    }
    const store = new AsWfStore({ table: table as never })
    const make = () => createWfAdminController({ store, guard: () => true })
    expect(make).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })
})

describe('a key', () => {
  it.each(
    `password userPassword PASSWORD pass_word2x:no passwd secret clientSecret token accessToken access_token
    accesstoken2 code smsCode recoveryCodes otp totp pin hash hashes passwordHash key keys apiKey apikey api-key
    privateKey authorization Authorization cookie cookies set-cookie jwt cvv salt credentials handle auth`
      .split(/\s+/u)
      .filter(key => !key.endsWith(':no')),
  )('%s looks secret', key => {
    expect(looksSecret(key)).toBe(true)
  })

  it.each(
    'email name amount monkey keyboard encoder pinned opinion author authorName coded hashtagName status zip spin'.split(
      ' ',
    ),
  )('%s does not', key => {
    expect(looksSecret(key)).toBe(false)
  })
})

describe('a context', () => {
  const isSecret = looksSecret
  const redact = (context: unknown, hide: string[] = []) =>
    redactContext(context, { isSecret, hide })

  it('is shown without its secrets, at any depth and in lists', () => {
    const context = {
      user: { email: 'a@b.c', password: SECRET, sessions: [{ token: SECRET, at: 1 }] },
      codes: [SECRET],
      otp: 123_456,
      apiKey: { id: SECRET, value: [SECRET] },
      pin: null,
    }
    expect(redact(context)).toEqual({
      user: { email: 'a@b.c', password: '•••', sessions: [{ token: '•••', at: 1 }] },
      codes: '•••',
      otp: '•••',
      apiKey: '•••',
      pin: null,
    })
  })

  it('is shown without the link to it, wherever that stands', () => {
    const handle = 'f3a1-handle'
    const context = { link: `https://x/?wfs=default.${handle}`, [`k${handle}`]: 1 }
    expect(JSON.stringify(redact(context, [handle]))).not.toContain(handle)
  })

  it('is not shown without end', () => {
    const deep = Array.from({ length: 500 }).reduce(inner => ({ inner }), 'end' as unknown)
    expect(JSON.stringify(redact(deep)).length).toBeLessThan(500)
    const wide = { list: Array.from({ length: 100_000 }, () => 'x'.repeat(100)) }
    expect(JSON.stringify(redact(wide)).length).toBeLessThan(50_000)
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, { n }]))
    expect(JSON.stringify(redact(many)).length).toBeLessThan(200_000)
    expect(redact({ text: 'x'.repeat(100_000) })).toEqual({ text: `${'x'.repeat(2000)}…` })
  })

  it.each([null, 1, 'text', true, [], {}, [1, null]])('stays %j', context => {
    expect(redact(context)).toEqual(context)
  })

  it('keeps keys that are named like a prototype', () => {
    const context: unknown = JSON.parse('{"__proto__":{"x":1}}')
    expect(JSON.stringify(redact(context))).toBe('{"__proto__":{"x":1}}')
  })

  it('hides what isSecret says, and no more', async () => {
    const isSecretToo = (key: string, byDefault: boolean) =>
      key === 'applicant' || (byDefault && key !== 'recoveryCodes')
    const app = await openAdmin({ admin: { isSecret: isSecretToo } })
    await app.pause('expenses/claim')
    const { body } = await app.get(`flows/${(await app.onlyRow()).id}`)
    expect(body.context.applicant).toBe('•••')
    expect(body.context.login).toEqual({ password: '•••', recoveryCodes: [SECRET] })
    expect(body.values).not.toHaveProperty('applicant')
  })
})
