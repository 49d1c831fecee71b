import { AsWfRunStore, AsWfStore } from '@atscript/moost-wf/store'
import { openD1 } from '@atscript/moost-wf/db/d1'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOf, LEASE, runThatIs, stateOf } from '../../src/testing/runs/opened-run-store'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { d1Database } from '../support/d1-database'
import { RunDatabase } from '../support/run-stores'

describe('on D1, which keeps no transaction open,', () => {
  let d1: Awaited<ReturnType<typeof d1Database>>
  let database: RunDatabase
  let store: AsWfRunStore

  beforeAll(async () => {
    d1 = await d1Database()
    database = await RunDatabase.create({ name: 'D1', create: async () => d1 })
    store = database.store({ outbox: database.outbox })
  })
  afterAll(() => database.drop())
  beforeEach(() => database.clear())

  const opened = () => ({ store, clock: database.clock })
  const runKey = 'order 1'
  const end = { events: [{ type: 'cancelled', to: 'cancelled' }] } as const
  const begin = {
    events: [{ type: 'workflow_created', to: 'active' }],
    state: stateOf(),
    lease: LEASE,
    links: [{ hash: 'taken', pause: 1, audience: 'caller' }],
  } as const
  const fresh = { flowId: 'fresh', schemaId: 'suite/flow', startedAt: 1, runKey }

  it('a step gets no transaction of its own, and is told so', async () => {
    await expect(store.openTransaction()).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: expect.stringMatching(/keeps no transaction open/u),
    })
  })

  it('a run that is superseded and the new one are one commit', async () => {
    const former = await runThatIs(opened(), 'paused', {}, { runKey })
    const holder = await runThatIs(opened(), 'paused', {
      links: [{ hash: 'taken', pause: 1, audience: 'caller' }],
    })
    const before = await allOf(opened(), former)
    expect(await store.supersede(former, end, fresh, begin)).toBeNull()
    expect(await allOf(opened(), former)).toEqual(before)
    expect(await store.history('fresh')).toEqual([])
    await store.commit(holder, end)
    await store.removeEnded({ endedUntil: database.clock.now() })
    const begun = await store.supersede(former, end, fresh, begin)
    expect(begun?.run).toMatchObject({ flowId: 'fresh', status: 'active' })
    expect((await store.findByKey(runKey))?.flowId).toBe('fresh')
    expect(await store.find(former.run.flowId)).toMatchObject({ status: 'cancelled' })
    expect(await store.history('fresh')).toHaveLength(1)
    expect(await store.links('fresh')).toHaveLength(1)
  })

  it('a removal that is stopped in the middle is finished by the next one', async () => {
    const removed = await runThatIs(opened(), 'failed')
    const stopped = (sql: string) => {
      if (sql.startsWith('delete from "wf_runs"'))
        throw new Error('D1_ERROR: Network connection lost.')
      return d1.binding.prepare(sql)
    }
    const { runs, events, links } = database
    const space = openD1({ prepare: stopped, batch: all => d1.binding.batch(all) })
    const half = new AsWfRunStore({
      space,
      runs: space.table(runs.type),
      events: space.table(events.type),
      links: space.table(links.type),
      clock: database.clock,
    })
    const endedUntil = database.clock.now()
    await expect(half.removeEnded({ endedUntil })).rejects.toMatchObject({
      code: 'WF_DB_UNAVAILABLE',
    })
    // Nobody can go on with what has lost its history.
    const late = store.commit(removed, { events: [{ type: 'resumed', to: 'active' }] })
    expect(await late).toBeNull()
    expect(await store.find(removed.run.flowId)).toMatchObject({ status: 'cancelled' })
    expect(await store.removeEnded({ endedUntil })).toBe(1)
    expect(await store.find(removed.run.flowId)).toBeNull()
    expect(await events.count({})).toBe(0)
  })

  it('shadow columns are healed, each row by itself', async () => {
    const table = database.space.table(ExpenseStateRow)
    await database.space.sync()
    const clock = new FakeClock()
    await table.insertMany(
      Array.from({ length: 25 }, (_, n) => ({
        handle: `h${n}`,
        schemaId: 'approvals/expense',
        state: { context: { applicant: `user${n}`, expense: { amount: n } }, indexes: [1] },
        version: 3,
        createdAt: 1,
        updatedAt: 1,
      })),
    )
    const states = new AsWfStore({ table, clock })
    expect(await states.heal()).toBe(25)
    expect(await states.drift()).toBe(0)
    expect(await table.findOne({ filter: { handle: 'h7' } })).toMatchObject({ applicant: 'user7' })
  })
})
