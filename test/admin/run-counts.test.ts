import { describe, expect, it, vi } from 'vitest'
import { openRuns } from './runs-app'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const found = (body: { runs: readonly { flowId: string }[] }) =>
  body.runs.map(({ flowId }) => flowId)

const filterOf = (filter: object) => encodeURIComponent(JSON.stringify(filter))

/** One run of each state: live, expired, with a failed step, cancelled and done. */
async function openStates() {
  const app = await openRuns()
  const [live, expired, cancelled, done] = [
    await app.paused({ order: 1, email: 'ada@example.com' }),
    await app.paused({ order: 2, email: 'grace@example.com' }),
    await app.paused({ order: 3 }),
    await app.paused({ order: 4, email: 'ada@example.org' }),
  ]
  await app.rows.updateMany({ flowId: expired }, { expiresAt: Date.now() - 1 })
  await app.api.cancel(cancelled)
  expect(await app.resume(app.tokens.at(-1)!)).toMatchObject({ kind: 'finished' })
  app.world.isBroken = true
  const { flowId: error } = await app.api.start('orders/ship', { actor: 'eve' })
  await vi.waitFor(async () => expect((await app.api.get(error))?.status).toBe('error'))
  app.world.isBroken = false
  return { ...app, live, expired, cancelled, done, error }
}

describe('the states of runs', () => {
  it('are five, and each run is in one of them', async () => {
    const app = await openStates()
    for (const state of ['live', 'expired', 'cancelled', 'done', 'error'] as const) {
      const { body } = await app.get(`runs?state=${state}`)
      expect(found(body), state).toEqual([app[state]])
      expect(body.runs[0].state).toBe(state)
    }
    const { status, body } = await app.get('run-counts')
    expect(status).toBe(200)
    expect(body).toEqual({
      now: expect.any(Number),
      total: 5,
      byState: { live: 1, error: 1, done: 1, cancelled: 1, expired: 1 },
      byWorkflow: [{ schemaId: 'orders/ship', count: 5, known: true }],
    })
  })

  it('follow the links: a run that is extended is live again', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    const { expiresAt } = (await app.api.get(flowId))!
    expect(expiresAt).toBeGreaterThan(Date.now())
    await app.api.extend(flowId, { ttlMs: DAY })
    expect((await app.api.get(flowId))!.expiresAt).toBeGreaterThan(expiresAt! + HOUR)
    await app.api.reissue(flowId, { deliver: () => {} })
    expect((await app.api.get(flowId))!.expiresAt).toBeGreaterThan(expiresAt! + HOUR)
    await app.api.cancel(flowId)
    expect((await app.api.get(flowId))!.expiresAt).toBeUndefined()
  })

  it('are counted of those that match', async () => {
    const app = await openStates()
    const { body } = await app.get(`run-counts?filter=${filterOf({ inviteEmail: { $ne: null } })}`)
    expect(body).toMatchObject({ total: 3, byState: { live: 1, done: 1, expired: 1, error: 0 } })
    expect((await app.get('run-counts?search=grace')).body.total).toBe(1)
    expect((await app.get('run-counts?workflow=orders%2Fnone')).body).toMatchObject({
      total: 0,
      byWorkflow: [],
    })
  })
})

describe('a search', () => {
  it('looks at the columns that it tells of', async () => {
    const app = await openStates()
    const { searched, canSearch } = (await app.get('run-columns')).body
    expect(canSearch).toBe(true)
    expect(searched).toEqual(['flowId', 'schemaId', 'correlationId', 'startedBy', 'inviteEmail'])
    expect(found((await app.get('runs?search=GRACE')).body)).toEqual([app.expired])
    expect(found((await app.get('runs?search=eve')).body)).toEqual([app.error])
    expect(found((await app.get(`runs?search=${app.live}`)).body)).toEqual([app.live])
    expect(found((await app.get('runs?search=nobody')).body)).toEqual([])
  })

  it('looks inside of contexts when it is asked to, and never at a secret', async () => {
    const app = await openRuns()
    const token = await app.paused({ note: 'plain' }).then(() => app.tokens[0]!)
    const nested = await app.paused({ order: 77, lines: [{ Note: 'A Teapot' }], link: token })
    expect(found((await app.get('runs?search=teapot&inside=context')).body)).toEqual([nested])
    expect(found((await app.get('runs?search=77&inside=context')).body)).toEqual([nested])
    const handle = token.split('.')[1]!
    for (const secret of ['hunter2', 'hunter2-is-the-secret', token, handle, handle.slice(0, 9)]) {
      const { body } = await app.get(`runs?search=${secret}&inside=context`)
      expect(found(body), secret).toEqual([])
      expect(body).toMatchObject({ looked: 2, next: null })
    }
  })

  it('goes on inside of contexts where the page before has ended', async () => {
    const app = await openRuns()
    const ids = [
      await app.paused({ note: 'tea' }),
      await app.paused({ note: 'coffee' }),
      await app.paused({ note: 'tea' }),
      await app.paused({ note: 'tea' }),
    ]
    const seen: string[] = []
    let next = ''
    do {
      const path = `runs?search=tea&inside=context&size=1&after=${encodeURIComponent(next)}`
      const { body } = await app.get(path)
      expect(body.runs.length).toBeLessThanOrEqual(1)
      seen.push(...found(body))
      next = body.next ?? ''
    } while (next)
    expect(seen.toSorted()).toEqual([ids[0], ids[2], ids[3]].toSorted())
  })
})

describe('the funnel of a workflow', () => {
  it('tells how many runs stand at each step, and since when', async () => {
    const app = await openStates()
    const since = Date.now() - 9 * DAY
    await app.rows.updateMany({ flowId: app.live }, { updatedAt: since })
    await app.rows.updateMany({ flowId: app.error }, { stepId: 'orders/gone' })
    const { status, body } = await app.get('run-funnel?workflow=orders%2Fship')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      schemaId: 'orders/ship',
      steps: [
        { id: 'orders/pack', live: 0, error: 0, expired: 0, oldestAt: null },
        { id: 'orders/sign', live: 1, error: 0, expired: 1, oldestAt: since },
        { id: 'orders/done', live: 0 },
      ],
      groups: [],
      elsewhere: [{ stepId: 'orders/gone', live: 0, error: 1, expired: 0 }],
    })
    expect(found((await app.get('runs?step=orders%2Fsign&state=live')).body)).toEqual([app.live])
  })

  it('of a workflow that is not there has no steps', async () => {
    const app = await openRuns()
    const { body } = await app.get('run-funnel?workflow=orders%2Fnone')
    expect(body).toMatchObject({ steps: [], elsewhere: [] })
  })
})

describe('the trends', () => {
  it('tell what has begun and ended, what was open, and how old the oldest was', async () => {
    const app = await openRuns()
    const ids = []
    for (let count = 0; count < 3; count++) ids.push(await app.paused())
    const now = Date.now()
    const hour = now - (now % HOUR)
    const [early, late, open] = ids
    await app.api.cancel(early!)
    await app.api.cancel(late!)
    const write = (flowId: string | undefined, row: object) => app.rows.updateMany({ flowId }, row)
    await write(early, { startedAt: hour - 5.5 * HOUR, completedAt: hour - 1.5 * HOUR })
    await write(late, { startedAt: hour - 0.5 * HOUR, completedAt: hour - 0.25 * HOUR })
    await write(open, { startedAt: hour - 3.5 * HOUR })
    const { status, body } = await app.get('run-trends?span=day')
    expect(status).toBe(200)
    expect(body).toMatchObject({ span: 'day', bucketMs: HOUR })
    expect(body.buckets).toHaveLength(24)
    const shown = body.buckets
      .slice(-8)
      .map((bucket: Record<string, number>) => [
        (bucket.from! - hour) / HOUR,
        bucket.started,
        bucket.cancelled,
        bucket.open,
        bucket.oldestMs === null ? null : (bucket.to! - bucket.oldestMs! - hour) / HOUR,
      ])
    expect(shown).toEqual([
      [-7, 0, 0, 0, null],
      [-6, 1, 0, 1, -5.5],
      [-5, 0, 0, 1, -5.5],
      [-4, 1, 0, 2, -5.5],
      [-3, 0, 0, 2, -5.5],
      [-2, 0, 1, 1, -3.5],
      [-1, 1, 1, 1, -3.5],
      [0, 0, 0, 1, -3.5],
    ])
    for (const [span, buckets] of [
      ['week', 28],
      ['month', 30],
    ]) {
      const other = (await app.get(`run-trends?span=${span}&workflow=orders%2Fship`)).body
      expect(other.buckets).toHaveLength(Number(buckets))
      expect(other.buckets.at(-1).open).toBe(1)
    }
  })
})

describe('a query of the console', () => {
  it.each([
    ['runs?state=none', 400],
    ['runs?state=live&state=done', 400],
    ['runs?inside=context', 400],
    ['runs?inside=state&search=x', 400],
    [`runs?search=${'x'.repeat(201)}`, 400],
    ['runs?search=%00', 400],
    ['runs?search=%ED%A0%80', 200],
    [`runs?step=${encodeURIComponent(`' or 1=1 --`)}`, 200],
    [`runs?search=${encodeURIComponent(`%' or 1=1 --`)}`, 200],
    ['run-counts?filter={"state":1}', 400],
    ['run-counts?filter=[]', 400],
    ['run-counts?search=x&inside=context', 400],
    ['run-counts?size=1', 400],
    ['run-funnel', 400],
    ['run-funnel?workflow=', 400],
    ['run-funnel?workflow=a&workflow=b', 400],
    ['run-trends?span=year', 400],
    ['run-trends?span=__proto__', 400],
    ['run-trends?bucketMs=1', 400],
  ])('%s is answered %i', async (path, status) => {
    const app = await openRuns()
    await app.paused()
    const answer = await app.get(path)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body.runs).toEqual([])
  })

  it('is for those whom the guard lets in', async () => {
    const app = await openRuns()
    for (const path of ['run-counts', 'run-funnel?workflow=orders%2Fship', 'run-trends']) {
      expect((await app.ask('GET', path, {}, 'Bearer eve')).status, path).toBe(403)
    }
  })

  it('finds nothing by a column that is a secret', async () => {
    const app = await openRuns({ isSecret: (key, byDefault) => byDefault || key === 'inviteEmail' })
    await app.paused({ email: 'ada@example.com' })
    expect((await app.get('runs?search=ada')).body.runs).toEqual([])
    expect((await app.get('run-columns')).body.searched).not.toContain('inviteEmail')
    expect((await app.get('runs')).body.runs[0].values).toEqual({})
  })
})
