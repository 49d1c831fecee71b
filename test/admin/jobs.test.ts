import type { WfAdminJob } from '@atscript/moost-wf/admin'
import type { WfTable } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { publicTable } from '../support/public-table'
import { type OpenAdmin, openAdmin } from './admin-app'

const rowsOf = (app: OpenAdmin, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    handle: `h${n}`,
    schemaId: 'expenses/claim',
    state: { context: { applicant: `user${n}` }, indexes: [1] },
    version: 1,
    createdAt: app.clock.now(),
    updatedAt: app.clock.now(),
    ...more,
  }))

/** Asks until the job is over. */
async function jobDone(app: OpenAdmin, id: string): Promise<WfAdminJob> {
  for (;;) {
    const { body } = await app.get(`jobs/${id}`)
    if (body.state !== 'running') return body
  }
}

/** A table whose batches wait until they are let through, one at a time. */
function gatedTable() {
  const waiting: (() => void)[] = []
  const wrapTable = (table: WfTable): WfTable => ({
    ...publicTable(table),
    count: query => table.count!(query),
    findMany: async query => {
      await new Promise<void>(resolve => waiting.push(resolve))
      return table.findMany(query)
    },
  })
  const letThrough = async () => {
    while (waiting.length === 0) await new Promise(resolve => setImmediate(resolve))
    waiting.shift()!()
  }
  return { wrapTable, letThrough }
}

describe('a heal', () => {
  it('writes the shadow columns anew, and tells how far it is', async () => {
    const { wrapTable, letThrough } = gatedTable()
    const app = await openAdmin({ wrapTable })
    await app.table.insertMany(rowsOf(app, 250))
    const started = await app.post('heal')
    expect(started.status).toBe(202)
    const { job } = started.body as { job: string }
    const seen: number[] = []
    for (let batch = 0; batch < 2; batch++) {
      await letThrough()
      let now = (await app.get(`jobs/${job}`)).body
      while (now.scanned < (batch + 1) * 100) now = (await app.get(`jobs/${job}`)).body
      expect(now).toMatchObject({ kind: 'heal', state: 'running', total: 250, finishedAt: null })
      seen.push(now.scanned)
    }
    expect(seen).toEqual([100, 200])
    await letThrough()
    const now = app.clock.now()
    expect(await jobDone(app, job)).toEqual({
      id: job,
      kind: 'heal',
      state: 'done',
      scanned: 250,
      changed: 250,
      damaged: 0,
      skipped: 0,
      total: 250,
      startedAt: now,
      finishedAt: now,
      message: null,
    })
    expect(await app.table.count({ filter: { applicant: null } })).toBe(0)
  })

  it('runs once at a time, beside a cleanup', async () => {
    const { wrapTable, letThrough } = gatedTable()
    const app = await openAdmin({ wrapTable })
    const { job } = (await app.post('heal')).body
    const second = await app.post('heal')
    expect([second.status, second.body.error.code, second.body.job]).toEqual([409, 'WF_BUSY', job])
    expect((await app.post('cleanup')).status).toBe(202)
    await letThrough()
    await letThrough()
    expect((await jobDone(app, job)).state).toBe('done')
    const third = await app.post('heal')
    expect(third.status).toBe(202)
    await letThrough()
    await jobDone(app, third.body.job)
  })

  it('that fails says so, and the log says why', async () => {
    const app = await openAdmin({
      wrapTable: table => ({
        ...publicTable(table),
        findMany: () => Promise.reject(new Error('disk of db-7 is full')),
        count: async () => 3,
      }),
    })
    const { job } = (await app.post('heal')).body
    const done = await jobDone(app, job)
    expect(done).toMatchObject({ state: 'failed', total: 3 })
    expect(done.message).toMatch(/^[A-Z].*\.$/u)
    expect(JSON.stringify(done)).not.toContain('db-7')
    expect(app.log.some(({ text }) => text.includes('db-7'))).toBe(true)
  })
})

describe('a cleanup', () => {
  it('deletes what has expired for that long, and nothing else', async () => {
    const app = await openAdmin()
    const at = app.clock.now()
    await app.table.insertMany(
      [1000, 2000, 3000, null].map((ms, n) => ({
        ...rowsOf(app, 1)[0]!,
        handle: `h${n}`,
        expiresAt: ms === null ? null : at + ms,
      })),
    )
    app.clock.advance(2500)
    const kept = await jobDone(app, (await app.post('cleanup', { retentionMs: 1000 })).body.job)
    expect(kept).toMatchObject({ kind: 'cleanup', state: 'done', scanned: 1, changed: 1, total: 1 })
    const all = await jobDone(app, (await app.post('cleanup')).body.job)
    expect(all).toMatchObject({ changed: 1, total: 1 })
    expect(await app.table.count({ filter: {} })).toBe(2)
  })

  it.each([-1, 1.5, '1', null, [1], {}, true, 1e300])(
    'refuses a retention of %j',
    async retentionMs => {
      const app = await openAdmin()
      expect((await app.post('cleanup', { retentionMs })).status).toBe(400)
      expect((await app.get('jobs')).body).toEqual({ jobs: [] })
    },
  )
})

describe('jobs', () => {
  it('are kept, but not for ever', async () => {
    const app = await openAdmin()
    let last = ''
    for (let n = 0; n < 25; n++) {
      last = (await app.post(n % 2 ? 'heal' : 'cleanup')).body.job
      await jobDone(app, last)
    }
    const { jobs } = (await app.get('jobs')).body
    expect(jobs.length).toBe(20)
    expect(jobs[0].id).toBe(last)
  })

  it.each(['nope', '__proto__', '%00', 'x'.repeat(3000)])('are not found by %s', async id => {
    const app = await openAdmin()
    const { status, body } = await app.get(`jobs/${id}`)
    expect([status, body.error.code]).toEqual([404, 'WF_UNKNOWN'])
  })
})
