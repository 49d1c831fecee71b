import { HttpError } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { publicTable } from '../support/public-table'
import { openAdmin } from './admin-app'

const DAY = 24 * 60 * 60_000

describe('revoke', () => {
  it('ends the flow: its link is 410', async () => {
    const app = await openAdmin()
    const token = await app.pause('expenses/claim')
    const { id } = await app.onlyRow()
    const answer = await app.post(`flows/${id}/revoke`, { version: 1 })
    expect([answer.status, answer.body]).toEqual([200, { revoked: true }])
    expect((await app.send({ wfs: token, input: {} })).status).toBe(410)
    expect((await app.post(`flows/${id}/revoke`, { version: 1 })).status).toBe(404)
  })

  it('ends a flow whose state cannot be read', async () => {
    const app = await openAdmin()
    await app.pause('expenses/claim')
    const { id } = await app.onlyRow()
    await app.table.updateMany({ id }, { state: 'no state' as never })
    expect((await app.post(`flows/${id}/revoke`, { version: 1 })).status).toBe(200)
  })
})

describe('extend', () => {
  it('gives a flow more time, and it can be resumed in that', async () => {
    const app = await openAdmin()
    const token = await app.pause('expenses/short')
    const { id, expiresAt } = await app.onlyRow()
    const answer = await app.post(`flows/${id}/extend`, { version: 1, ttlMs: DAY })
    expect([answer.status, answer.body]).toEqual([200, { version: 2, expiresAt: expiresAt! + DAY }])
    app.clock.advance(DAY)
    expect((await app.send({ wfs: token, input: { ok: true } })).body).toEqual({ finished: true })
  })

  it('brings back a flow that has expired', async () => {
    const app = await openAdmin()
    const token = await app.pause('expenses/short')
    const { id } = await app.onlyRow()
    app.clock.advance(DAY)
    expect((await app.send({ wfs: token, input: { ok: true } })).status).toBe(410)
    const answer = await app.post(`flows/${id}/extend`, { version: 1, ttlMs: 5000 })
    expect(answer.body.expiresAt).toBe(app.clock.now() + 5000)
    app.clock.advance(4999)
    expect((await app.send({ wfs: token, input: { ok: true } })).body).toEqual({ finished: true })
  })

  it('sets a time, also of a flow that never expires', async () => {
    const app = await openAdmin()
    const token = await app.pause('expenses/claim')
    const { id } = await app.onlyRow()
    const expiresAt = app.clock.now() + 1000
    expect((await app.post(`flows/${id}/extend`, { version: 1, ttlMs: 1 })).status).toBe(400)
    // What was seen may have had an end.
    expect((await app.post(`flows/${id}/extend`, { version: 7, ttlMs: 1 })).status).toBe(409)
    expect((await app.post(`flows/${id}/extend`, { version: 1, expiresAt })).status).toBe(200)
    app.clock.advance(1000)
    expect((await app.send({ wfs: token, input: {} })).status).toBe(410)
  })

  it.each([
    {},
    { ttlMs: 0 },
    { ttlMs: -1 },
    { ttlMs: 1.5 },
    { ttlMs: '1000' },
    { ttlMs: null },
    { ttlMs: [1000] },
    { ttlMs: 1e300 },
    { ttlMs: 367 * DAY },
    { ttlMs: 1000, expiresAt: 2e12 },
    { expiresAt: 1 },
    { expiresAt: 9e15 },
    { expiresAt: 'tomorrow' },
    { expiresAt: true },
  ])('refuses %j', async body => {
    const app = await openAdmin()
    await app.pause('expenses/short')
    const before = await app.onlyRow()
    const answer = await app.post(`flows/${before.id}/extend`, { version: 1, ...body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'WF_BAD_REQUEST'])
    expect(await app.onlyRow()).toEqual(before)
  })
})

describe.each([
  ['by a handle', {}],
  ['by a stable handle', { strategy: { stable: true } }],
  ['by a hashed handle', { store: { hashHandles: true } }],
  ['in a public table', { wrapTable: publicTable }],
])('resend of a flow %s', (_how, options) => {
  it('sends a new link, and the old one is dead', async () => {
    const app = await openAdmin(options)
    const old = await app.pause('expenses/invite', { applicant: 'bob' })
    const { id, flowId } = await app.onlyRow()
    const answer = await app.post(`flows/${id}/resend`, { version: 1 })
    expect([answer.status, answer.body]).toEqual([200, { version: 2, sent: true }])
    const [flow] = app.resent
    expect(flow).toMatchObject({
      schemaId: 'expenses/invite',
      stepId: 'expenses/mail',
      outlet: 'email',
      startedBy: 'ada',
      flowId,
      context: { applicant: 'bob' },
    })
    expect(flow!.token).not.toBe(old)
    expect((await app.send({ wfs: old, input: { ok: true } })).status).toBe(410)
    const used = await app.send({ wfs: flow!.token, input: { ok: true } })
    expect(used.body).toEqual({ finished: true })
    expect((await app.send({ wfs: flow!.token, input: { ok: true } })).status).toBe(410)
  })

  it('leaves the old link alive when it cannot be sent', async () => {
    const tokens: string[] = []
    const resend = async ({ token }: { token: string }) => {
      tokens.push(token)
      throw new Error(`smtp refused ${token}`)
    }
    const app = await openAdmin({ ...options, admin: { resend } })
    const old = await app.pause('expenses/invite', { applicant: 'bob' })
    const { id } = await app.onlyRow()
    const answer = await app.post(`flows/${id}/resend`, { version: 1 })
    expect([answer.status, answer.body.error.code]).toEqual([502, 'WF_OUTLET_FAILED'])
    const log = app.log.map(({ text }) => text).join()
    expect(log).toContain('smtp refused')
    for (const token of tokens) expect(log + answer.text).not.toContain(token.split('.')[1])
    expect((await app.send({ wfs: tokens[0], input: { ok: true } })).status).toBe(410)
    expect((await app.send({ wfs: old, input: { ok: true } })).body).toEqual({ finished: true })
  })
})

describe('resend', () => {
  it('is refused by what the application throws', async () => {
    const resend = () => {
      throw new HttpError(422, 'This flow waits in a browser.')
    }
    const app = await openAdmin({ admin: { resend } })
    const token = await app.pause('expenses/claim')
    const { id } = await app.onlyRow()
    const answer = await app.post(`flows/${id}/resend`, { version: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toBe('This flow waits in a browser.')
    expect((await app.send({ wfs: token, input: {} })).status).toBe(200)
  })

  it('never quotes the token in what the application throws', async () => {
    const resend = ({ token }: { token: string }) => {
      throw new HttpError(422, `Not sent: ${token.slice(token.indexOf('.') + 1)}`)
    }
    const app = await openAdmin({ admin: { resend } })
    await app.pause('expenses/invite')
    const { id } = await app.onlyRow()
    const answer = await app.post(`flows/${id}/resend`, { version: 1 })
    expect(answer.text).not.toContain('Not sent')
    expect(answer.status).toBe(502)
  })

  it('does not take back a link that was used before the sending failed', async () => {
    const app = await openAdmin({
      admin: {
        resend: async ({ token }) => {
          await app.send({ wfs: token, input: { ok: true } })
          throw new Error('too late')
        },
      },
    })
    const old = await app.pause('expenses/invite')
    const { id } = await app.onlyRow()
    expect((await app.post(`flows/${id}/resend`, { version: 1 })).status).toBe(502)
    expect(await app.table.count({ filter: {} })).toBe(0)
    expect((await app.send({ wfs: old, input: { ok: true } })).status).toBe(410)
  })

  it('is 409 without a hook, and for what has expired', async () => {
    const bare = await openAdmin({ admin: { resend: undefined } })
    await bare.pause('expenses/invite')
    const answer = await bare.post(`flows/${(await bare.onlyRow()).id}/resend`, { version: 1 })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'WF_NOT_ALLOWED'])
    expect((await bare.get('columns')).body.canResend).toBe(false)
  })

  it('is 409 for what has expired', async () => {
    const app = await openAdmin()
    await app.pause('expenses/short')
    app.clock.advance(DAY)
    const answer = await app.post(`flows/${(await app.onlyRow()).id}/resend`, { version: 1 })
    expect(answer.status).toBe(409)
    expect(app.resent).toEqual([])
  })
})

it('a flow whose state cannot be read is neither extended nor sent again', async () => {
  const app = await openAdmin()
  await app.pause('expenses/short')
  const { id } = await app.onlyRow()
  await app.table.updateMany({ id }, { state: { nothing: true } as never })
  for (const [action, fields] of ACTIONS.slice(1)) {
    const answer = await app.post(`flows/${id}/${action}`, { version: 1, ...fields })
    expect([action, answer.status]).toEqual([action, 409])
  }
})

const ACTIONS: [string, object][] = [
  ['revoke', {}],
  ['extend', { expiresAt: 1_893_456_000_000 + DAY }],
  ['resend', {}],
]

describe.each(ACTIONS)('%s', (action, fields) => {
  it('is refused when the flow has moved on', async () => {
    const app = await openAdmin()
    await app.pause('expenses/short')
    const { id } = await app.onlyRow()
    await app.post(`flows/${id}/extend`, { version: 1, ttlMs: 1000 })
    const before = await app.onlyRow()
    for (const version of [1, 3, 0, -1]) {
      const answer = await app.post(`flows/${id}/${action}`, { version, ...fields })
      expect([version, answer.status, answer.body.error.code]).toEqual([
        version,
        409,
        'WF_CONFLICT',
      ])
    }
    expect(await app.onlyRow()).toEqual(before)
  })

  it('is done once by ten admins at once', async () => {
    const app = await openAdmin()
    await app.pause('expenses/short')
    const { id } = await app.onlyRow()
    const all = Array.from({ length: 10 }, () =>
      app.post(`flows/${id}/${action}`, { version: 1, ...fields }),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toEqual([200])
    expect(statuses.every(status => [200, 404, 409].includes(status))).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no version', '{}'],
    ['a text', '{"version":"1"}'],
    ['null', '{"version":null}'],
    ['an object', '{"version":{"$gt":0}}'],
    ['half a version', '{"version":1.5}'],
    ['a prototype', '{"__proto__":{"version":1}}'],
    ['too much', `{"version":1,"x":"${'x'.repeat(20_000)}"}`],
  ])('takes no body with %s', async (_what, rawBody) => {
    const app = await openAdmin()
    await app.pause('expenses/short')
    const before = await app.onlyRow()
    const answer = await app.post(`flows/${before.id}/${action}`, undefined, { rawBody })
    expect([400, 413]).toContain(answer.status)
    expect(await app.onlyRow()).toEqual(before)
  })
})
