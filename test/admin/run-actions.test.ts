import type { WfResend } from '@atscript/moost-wf/admin'
import { describe, expect, it, vi } from 'vitest'
import { openRuns } from './runs-app'

const WEEK = 7 * 24 * 60 * 60_000

type App = Awaited<ReturnType<typeof openRuns>>

const preview = async (app: App, body: object) => app.post('run-actions/preview', body)

/** Does it, and waits until it is done. */
async function act(app: App, body: object) {
  const answer = await app.post('run-actions', body)
  expect([answer.status, answer.body.message]).toEqual([202, undefined])
  let job = { state: 'running' } as Record<string, unknown>
  await vi.waitFor(async () => {
    job = (await app.get(`jobs/${answer.body.job}`)).body
    expect(job.state).not.toBe('running')
  })
  return job
}

const seen = async (app: App, ...ids: readonly string[]) =>
  Promise.all(
    ids.map(async flowId => ({ flowId, version: (await app.api.get(flowId))?.version ?? 1 })),
  )

const lastOf = async (app: App, flowId: string) => (await app.api.history(flowId)).at(-1)

describe('an action on many runs', () => {
  it('says before what it would do, and does nothing yet', async () => {
    const app = await openRuns()
    const [one, two, ended] = [await app.paused(), await app.paused(), await app.paused()]
    await app.api.cancel(ended)
    const { status, body } = await preview(app, { action: 'cancel', select: {} })
    expect(status).toBe(200)
    expect(body).toEqual({
      now: expect.any(Number),
      action: 'cancel',
      matched: 3,
      count: 2,
      left: [{ reason: 'ended', count: 1 }],
      byWorkflow: [{ schemaId: 'orders/ship', count: 2 }],
    })
    for (const flowId of [one, two]) expect((await app.api.get(flowId))?.status).toBe('paused')
    expect((await app.get('jobs')).body.jobs).toEqual([])
  })

  it('cancels all that match, each with the actor and the reason in its history', async () => {
    const app = await openRuns()
    const ada = await app.paused({ email: 'ada@example.com' })
    const grace = await app.paused({ email: 'grace@example.com' })
    const select = { state: 'live', filter: JSON.stringify({ inviteEmail: 'ada@example.com' }) }
    const job = await act(app, { action: 'cancel', select, count: 1, reason: 'a mistake' })
    expect(job).toMatchObject({ kind: 'cancel', state: 'done', changed: 1, skipped: 0, total: 1 })
    expect(await lastOf(app, ada)).toMatchObject({
      type: 'cancelled',
      actor: 'admin@example.com',
      detail: { reason: 'a mistake' },
    })
    expect((await app.api.get(grace))?.status).toBe('paused')
  })

  it('is refused when it would be another number of runs by now', async () => {
    const app = await openRuns()
    const ids = [await app.paused(), await app.paused()]
    await app.api.cancel(ids[0]!)
    const { status, body } = await app.post('run-actions', {
      action: 'cancel',
      select: { state: 'live' },
      count: 2,
    })
    expect([status, body.error.code, body.count]).toEqual([409, 'WF_CONFLICT', 1])
    expect((await app.api.get(ids[1]!))?.status).toBe('paused')
    const none = await app.post('run-actions', { action: 'cancel', select: {} })
    expect(none.status).toBe(400)
  })

  it('leaves those alone that have moved on since they were chosen', async () => {
    const app = await openRuns()
    const [one, two] = [await app.paused(), await app.paused()]
    const runs = [...(await seen(app, one, two)), { flowId: 'nobody', version: 1 }]
    await app.api.extend(two, { ttlMs: WEEK })
    const { body } = await preview(app, { action: 'cancel', runs })
    expect(body).toMatchObject({
      matched: 3,
      count: 1,
      left: [
        { reason: 'moved-on', count: 1 },
        { reason: 'gone', count: 1 },
      ],
    })
    await act(app, { action: 'cancel', runs, count: 1 })
    expect((await app.api.get(one))?.status).toBe('cancelled')
    expect((await app.api.get(two))?.status).toBe('paused')
  })

  it('extends, and brings back what has expired', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    await app.rows.updateMany({ flowId }, { expiresAt: Date.now() - 1 })
    const asked = { action: 'extend', select: { state: 'expired' }, ttlMs: WEEK }
    expect((await preview(app, asked)).body.count).toBe(1)
    await act(app, { ...asked, count: 1 })
    expect((await app.api.get(flowId))!.expiresAt).toBeGreaterThan(Date.now() + WEEK - 60_000)
    expect(await lastOf(app, flowId)).toMatchObject({
      type: 'extended',
      actor: 'admin@example.com',
    })
  })

  it('retries those that have failed, and no others', async () => {
    const app = await openRuns()
    await app.paused()
    app.world.isBroken = true
    const { flowId } = await app.api.start('orders/ship')
    await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('error'))
    app.world.isBroken = false
    const { body } = await preview(app, { action: 'retry', select: {} })
    expect(body).toMatchObject({ count: 1, left: [{ reason: 'not-failed', count: 1 }] })
    await act(app, { action: 'retry', select: {}, count: 1 })
    await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('paused'))
    const events = await app.api.history(flowId)
    expect(events.find(({ type }) => type === 'retried')).toMatchObject({
      actor: 'admin@example.com',
    })
  })

  it('sends new links, and goes on where one could not be sent', async () => {
    const sent: WfResend[] = []
    const app = await openRuns({
      resend: async flow => {
        if ((flow.context as { order?: number }).order === 1) throw new Error('no stamps')
        sent.push(flow)
      },
    })
    await app.paused({ order: 1 })
    const two = await app.paused({ order: 2 })
    const job = await act(app, { action: 'resend', select: {}, count: 2 })
    expect(job).toMatchObject({ state: 'done', changed: 1, skipped: 1 })
    expect(sent.map(({ flowId }) => flowId)).toEqual([two])
    expect(await lastOf(app, two)).toMatchObject({ type: 'reissued', actor: 'admin@example.com' })
    const none = await openRuns()
    await none.paused()
    for (const path of ['run-actions', 'run-actions/preview']) {
      const refused = await none.post(path, { action: 'resend', select: {}, count: 1 })
      expect([refused.status, refused.body.error.code]).toEqual([409, 'WF_NOT_ALLOWED'])
    }
  })

  it('reminds nobody where there are no messages, and says so', async () => {
    const app = await openRuns()
    await app.paused()
    const job = await act(app, { action: 'remind', select: {}, count: 1 })
    expect(job).toMatchObject({ state: 'done', changed: 0, skipped: 1 })
  })

  it('is done with what was found inside of contexts', async () => {
    const app = await openRuns()
    const tea = await app.paused({ note: 'tea' })
    const coffee = await app.paused({ note: 'coffee' })
    const select = { search: 'tea', inside: 'context' }
    await act(app, { action: 'cancel', select, count: 1 })
    expect((await app.api.get(tea))?.status).toBe('cancelled')
    expect((await app.api.get(coffee))?.status).toBe('paused')
    const secret = { search: 'hunter2', inside: 'context' }
    expect((await preview(app, { action: 'cancel', select: secret })).body.matched).toBe(0)
  })

  it.each([
    [{}],
    [{ action: 'delete', select: {} }],
    [{ action: '__proto__', select: {} }],
    [{ action: 'cancel' }],
    [{ action: 'cancel', select: {}, runs: [{ flowId: 'a', version: 1 }] }],
    [{ action: 'cancel', select: [] }],
    [{ action: 'cancel', select: 'all' }],
    [{ action: 'cancel', select: { state: 'none' } }],
    [{ action: 'cancel', select: { state: ['live'] } }],
    [{ action: 'cancel', select: { filter: { status: 'paused' } } }],
    [{ action: 'cancel', select: { filter: '{"state":1}' } }],
    [{ action: 'cancel', select: { flowId: 'a' } }],
    [{ action: 'cancel', select: { search: 'a\u0000' } }],
    [{ action: 'cancel', select: { inside: 'context' } }],
    [{ action: 'cancel', runs: [] }],
    [{ action: 'cancel', runs: {} }],
    [{ action: 'cancel', runs: ['a'] }],
    [{ action: 'cancel', runs: [null] }],
    [{ action: 'cancel', runs: [{ flowId: 'a' }] }],
    [{ action: 'cancel', runs: [{ flowId: 'a\u0000', version: 1 }] }],
    [{ action: 'cancel', runs: [{ flowId: 'x'.repeat(641), version: 1 }] }],
    [{ action: 'cancel', runs: Array.from({ length: 1001 }, () => ({ flowId: 'a', version: 1 })) }],
    [{ action: 'cancel', select: {}, count: -1 }],
    [{ action: 'cancel', select: {}, count: '1' }],
    [{ action: 'cancel', select: {}, count: 1.5 }],
    [{ action: 'cancel', select: {}, count: 1, reason: 7 }],
    [{ action: 'cancel', select: {}, count: 1, reason: 'x'.repeat(201) }],
    [{ action: 'cancel', select: {}, count: 1, force: true }],
    [{ action: 'extend', select: {}, count: 1 }],
    [{ action: 'extend', select: {}, count: 1, ttlMs: 1e15 }],
    [{ action: 'extend', select: {}, count: 1, ttlMs: -1 }],
  ])('is refused for %j, and changes nothing', async body => {
    const app = await openRuns()
    const flowId = await app.paused()
    const { version } = (await app.api.get(flowId))!
    for (const path of ['run-actions', 'run-actions/preview']) {
      expect((await app.post(path, body)).status, path).toBe(400)
    }
    expect((await app.api.get(flowId))?.version).toBe(version)
    expect((await app.get('jobs')).body.jobs).toEqual([])
  })

  it('is refused to everyone else, and to pages of other sites', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    const body = { action: 'cancel', select: {}, count: 1 }
    for (const path of ['run-actions', 'run-actions/preview']) {
      expect((await app.ask('POST', path, body, 'Bearer eve')).status).toBe(403)
      const answer = await fetch(`${app.url}/api/admin/${path}`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer admin',
          'content-type': 'application/json',
          origin: 'https://evil.example',
        },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(403)
    }
    expect((await app.api.get(flowId))?.status).toBe('paused')
  })
})
