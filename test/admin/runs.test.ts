import type { WfResend } from '@atscript/moost-wf/admin'
import { describe, expect, it, vi } from 'vitest'
import { openRuns } from './runs-app'

describe('the admin API of runs', () => {
  it('lists runs with their status, step, attempts and last error, page by page', async () => {
    const app = await openRuns()
    const waiting = await app.paused()
    app.world.isBroken = true
    const { flowId } = await app.api.start('orders/ship')
    await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('error'))
    const { status, body } = await app.get('runs')
    expect(status).toBe(200)
    expect(body).toMatchObject({ next: null, now: expect.any(Number) })
    expect(new Set(body.runs.map((run: { flowId: string }) => run.flowId))).toEqual(
      new Set([waiting, flowId]),
    )
    const [broken] = (await app.get('runs?status=error')).body.runs
    expect(broken).toMatchObject({
      flowId,
      schemaId: 'orders/ship',
      status: 'error',
      attempts: 1,
      lastError: { code: 'WF_INTERNAL' },
      isHeld: false,
    })
    expect((await app.get('runs?correlation=o-7')).body.runs).toHaveLength(1)
    expect((await app.get('runs?workflow=orders%2Fnothing')).body.runs).toEqual([])
    const first = (await app.get('runs?size=1')).body
    const second = (await app.get(`runs?size=1&after=${first.next}`)).body
    expect(second.runs).toHaveLength(1)
    expect(second.next).toBeNull()
    expect(second.runs[0].flowId).not.toBe(first.runs[0].flowId)
  })

  it('shows one with its history, and neither secrets nor links', async () => {
    const app = await openRuns()
    await app.paused()
    const token = app.tokens[0]!
    const flowId = await app.paused({ order: 9, note: `see ${token}`, link: token })
    const { body, text } = await app.get(`runs/${flowId}`)
    expect(body).toMatchObject({
      flowId,
      status: 'paused',
      stepId: 'orders/sign',
      context: { order: 9, password: '•••' },
      steps: [
        { id: 'orders/pack', status: 'done', visits: 1, failures: 0 },
        { id: 'orders/sign', status: 'waiting', visits: 0 },
        { id: 'orders/done', status: 'to-come', visits: 0 },
      ],
    })
    expect(body.history.map(({ type }: { type: string }) => type)).toEqual([
      'workflow_created',
      'started',
      'step_started',
      'step_completed',
      'paused',
    ])
    expect(body.history[0]).toMatchObject({ seq: 1, detail: { to: 'created' } })
    for (const hidden of ['hunter2', ...app.tokens, token.split('.')[1]!]) {
      expect(text).not.toContain(hidden)
    }
  })

  it('filters by the columns that it tells of, and by no others', async () => {
    const app = await openRuns({ isSecret: (key, byDefault) => byDefault || key === 'startedBy' })
    await app.paused({ email: 'ada@example.com' })
    const grace = await app.paused({ email: 'grace@example.com' })
    const { columns, canResend } = (await app.get('run-columns')).body
    expect(canResend).toBe(false)
    const names = columns.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['flowId', 'status', 'attempts', 'inviteEmail']))
    for (const hidden of ['state', 'input', 'answer', 'result', 'lastError', 'startedBy']) {
      expect(names).not.toContain(hidden)
    }
    expect(columns.at(-1)).toMatchObject({ name: 'inviteEmail', shadow: true, type: 'string' })
    const find = async (filter: object) =>
      (await app.get(`runs?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body
    expect((await find({ inviteEmail: { $contains: 'grace' } })).runs).toMatchObject([
      { flowId: grace, values: { inviteEmail: 'grace@example.com' } },
    ])
    expect((await find({ attempts: { $gt: 0 } })).runs).toEqual([])
    expect((await find({ startedBy: 'ada' })).error.code).toBe('WF_DB_FILTER')
  })

  it('sends a new link to whoever has the old one, which is dead then', async () => {
    const sent: WfResend[] = []
    const app = await openRuns({ resend: async flow => void sent.push(flow) })
    const flowId = await app.paused()
    const seen = (await app.get(`runs/${flowId}`)).body
    expect(seen).toMatchObject({ recipient: 'ada@example.com', expiresAt: expect.any(Number) })
    const { version } = seen
    const { body } = await app.post(`runs/${flowId}/resend`, { version })
    expect(body).toEqual({ version: version + 1, sent: true })
    expect(sent).toMatchObject([
      {
        schemaId: 'orders/ship',
        stepId: 'orders/sign',
        flowId,
        outlet: 'email',
        recipient: { target: 'ada@example.com', template: 'sign' },
        context: { order: 7, password: 'hunter2-is-the-secret' },
      },
    ])
    expect((await app.api.history(flowId)).at(-1)).toMatchObject({
      type: 'reissued',
      actor: 'admin@example.com',
    })
    const stale = await app.post(`runs/${flowId}/resend`, { version })
    expect([stale.status, stale.body.error.code]).toEqual([409, 'WF_CONFLICT'])
    expect(sent).toHaveLength(1)
    expect(await app.resume(app.tokens[0]!)).toMatchObject({ code: 'WF_SUPERSEDED' })
    expect(await app.resume(sent[0]!.token)).toMatchObject({ kind: 'finished' })
    const ended = (await app.get(`runs/${flowId}`)).body
    const late = await app.post(`runs/${flowId}/resend`, { version: ended.version })
    expect(late.status).toBe(400)
  })

  it('tells nothing of a link that could not be sent, and the old one works', async () => {
    const app = await openRuns({
      resend: async ({ token }) => {
        throw new Error(`no more stamps for ${token}`)
      },
    })
    const flowId = await app.paused()
    const { version } = (await app.get(`runs/${flowId}`)).body
    const { status, body, text } = await app.post(`runs/${flowId}/resend`, { version })
    expect([status, body.error.code]).toEqual([502, 'WF_OUTLET_FAILED'])
    expect(text).not.toContain('durable.')
    expect(await app.resume(app.tokens[0]!)).toMatchObject({ kind: 'finished' })
    const none = await openRuns()
    const other = await none.paused()
    const seen = (await none.get(`runs/${other}`)).body
    const refused = await none.post(`runs/${other}/resend`, { version: seen.version })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'WF_NOT_ALLOWED'])
  })

  it('cancels, retries and extends what was seen, and says in the history who it was', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    const { version } = (await app.get(`runs/${flowId}`)).body
    expect((await app.post(`runs/${flowId}/extend`, { version, ttlMs: 3_600_000 })).body).toEqual({
      extended: true,
    })
    const stale = await app.post(`runs/${flowId}/cancel`, { version })
    expect([stale.status, stale.body.error.code]).toEqual([409, 'WF_CONFLICT'])
    const cancel = { version: version + 1, reason: 'a mistake' }
    expect((await app.post(`runs/${flowId}/cancel`, cancel)).body).toEqual({ cancelled: true })
    expect((await app.api.history(flowId)).at(-1)).toMatchObject({
      type: 'cancelled',
      actor: 'admin@example.com',
      detail: { reason: 'a mistake' },
    })
    const again = await app.post(`runs/${flowId}/retry`, { version: version + 2 })
    expect([again.status, again.body.error.code]).toEqual([409, 'WF_TRANSITION'])

    app.world.isBroken = true
    const { flowId: other } = await app.api.start('orders/ship')
    await vi.waitFor(async () => expect((await app.api.get(other))?.status).toBe('error'))
    const broken = (await app.get(`runs/${other}`)).body
    expect(broken).toMatchObject({ attempts: 1, lastError: { code: 'WF_INTERNAL' } })
    expect(broken.history.at(-1)).toMatchObject({
      type: 'step_failed',
      detail: { code: 'WF_INTERNAL', to: 'error' },
    })
    app.world.isBroken = false
    const seen = (await app.get(`runs/${other}`)).body
    const retried = await app.post(`runs/${other}/retry`, { version: seen.version })
    expect(retried.body).toEqual({ retried: true })
    await vi.waitFor(async () => expect((await app.api.get(other))?.status).toBe('paused'))
  })

  it.each([
    ['runs?status=none', 400],
    ['runs?size=0', 400],
    ['runs?filter={', 400],
    ['runs?filter={"state":1}', 400],
    ['runs?filter={"answer":{"$gt":"a"}}', 400],
    ['runs?filter={"nothing":1}', 400],
    ['runs?after=x', 400],
    ['runs?after=W251bGwsMV0', 400],
    ['runs/nobody', 404],
    ['runs/%00', 404],
    [`runs/${'x'.repeat(700)}`, 404],
  ])('refuses %s', async (path, status) => {
    const app = await openRuns()
    expect((await app.get(path)).status).toBe(status)
  })

  it.each([
    ['cancel', {}],
    ['cancel', { version: 1, reason: 7 }],
    ['cancel', { version: 1, reason: 'x'.repeat(201) }],
    ['extend', { version: 1 }],
    ['extend', { version: 1, ttlMs: 0 }],
    ['extend', { version: 1, ttlMs: 1e15 }],
  ])('refuses to %s by %j, and changes nothing', async (action, body) => {
    const app = await openRuns()
    const flowId = await app.paused()
    const { version } = (await app.api.get(flowId))!
    const sent = 'version' in body ? { ...body, version } : body
    expect((await app.post(`runs/${flowId}/${action}`, sent)).status).toBe(400)
    expect((await app.api.get(flowId))?.version).toBe(version)
  })

  it('is closed to everyone else', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    for (const path of ['runs', 'run-columns', `runs/${flowId}`]) {
      expect((await app.ask('GET', path, {}, 'Bearer eve')).status).toBe(403)
    }
    for (const action of ['cancel', 'retry', 'extend', 'resend', 'reassign', 'messages/m/resend']) {
      const answer = await app.ask('POST', `runs/${flowId}/${action}`, { version: 1 }, '')
      expect(answer.status).toBe(403)
    }
  })

  it('is not there where there are no runs', async () => {
    const app = await openRuns({ runs: undefined })
    expect((await app.get('runs')).status).toBe(404)
  })
})
