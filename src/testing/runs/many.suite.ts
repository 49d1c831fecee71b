import { expect, it } from 'vitest'
import { allOf, LEASE, type OpenRunStore, runThatIs, STATUSES } from './opened-run-store'

const ENDS = ['completed', 'failed', 'cancelled']

export function describeManyRuns(open: OpenRunStore): void {
  it('tells which runs are due, the latest last, and not before', async () => {
    const opened = await open()
    const { store, clock } = opened
    const first = await runThatIs(opened, 'error', { dueAt: clock.now() + 10 })
    const second = await runThatIs(opened, 'error', { dueAt: clock.now() + 20 })
    const waiting = await runThatIs(opened)
    const mine = new Set([first, second, waiting].map(({ run }) => run.flowId))
    const due = async (limit = 1000) =>
      (await store.due(limit)).filter(({ flowId }) => mine.has(flowId))
    clock.advance(9)
    expect(await due()).toEqual([])
    clock.advance(1)
    const { flowId, dueAt } = (await store.find(first.run.flowId))!
    expect(await due()).toEqual([{ flowId, schemaId: 'suite/flow', dueAt }])
    clock.advance(10)
    expect((await due()).map(run => run.flowId)).toEqual([flowId, second.run.flowId])
    expect(await store.due(1)).toHaveLength(1)
  })

  it('counts runs by their columns, where it has some', async () => {
    const opened = await open()
    const { store, clock } = opened
    const schemaId = `suite/${crypto.randomUUID()}`
    const at = Math.floor(clock.now() / 100) * 100
    const more = (startedAt: number) => ({ schemaId, startedAt })
    const state = { schemaId, indexes: [0], context: {} }
    await runThatIs(opened, 'paused', { state }, more(at))
    await runThatIs(opened, 'paused', { state }, more(at + 99))
    await runThatIs(opened, 'completed', { state }, more(at + 100))
    const filter = { schemaId }
    if (!store.count || !store.countBy) {
      expect(store.columns?.() ?? []).toEqual([])
      return
    }
    expect(await store.count({ filter })).toBe(3)
    expect(await store.count({ filter: { schemaId, status: 'paused' } })).toBe(2)
    expect(await store.countBy('status', { filter, least: 'startedAt' })).toEqual([
      { value: 'paused', count: 2, least: at },
      { value: 'completed', count: 1, least: at + 100 },
    ])
    expect(await store.countBy('startedAt', { filter, every: 100 })).toEqual([
      { value: at, count: 2 },
      { value: at + 100, count: 1 },
    ])
    expect(await store.countBy('status', { filter, limit: 1 })).toHaveLength(1)
  })

  it('tells of a run whose holder was lost, and not of one that is held or has ended', async () => {
    const opened = await open()
    const { store, clock } = opened
    const { run } = await runThatIs(opened)
    const isDue = async () => (await store.due(1000)).some(({ flowId }) => flowId === run.flowId)
    const held = await store.claim(run, LEASE)
    expect(await isDue()).toBe(false)
    clock.advance(1000)
    expect(await isDue()).toBe(true)
    await store.commit(held!, { events: [{ type: 'cancelled', to: 'cancelled' }] })
    expect(await isDue()).toBe(false)
  })

  it('looks after a run later, unless it has moved on', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened, 'error', { dueAt: clock.now() })
    const isDue = async () =>
      (await store.due(1000)).some(({ flowId }) => flowId === begun.run.flowId)
    const { version } = begun.run
    expect(await store.postpone(begun.run, 1000, { code: 'X' })).toBe(true)
    const { run } = await allOf(opened, begun)
    expect(run).toMatchObject({ version, lastError: { code: 'X' } })
    clock.advance(999)
    expect(await isDue()).toBe(false)
    clock.advance(1)
    expect(await isDue()).toBe(true)
    const held = await store.claim(run!, LEASE)
    const claimed = await allOf(opened, begun)
    expect(await store.postpone(run!, 1000, { code: 'Y' })).toBe(false)
    expect(await allOf(opened, begun)).toEqual(claimed)
    await store.commit(held!, { events: [{ type: 'extended' }] })
    const changed = await allOf(opened, begun)
    expect(await store.postpone(claimed.run!, 1000, { code: 'Y' })).toBe(false)
    expect(await allOf(opened, begun)).toEqual(changed)
  })

  it('finds many at once', async () => {
    const opened = await open()
    const runs = [await runThatIs(opened), await runThatIs(opened)]
    const ids = runs.map(({ run }) => run.flowId)
    const found = await opened.store.getMany([...ids, ids[0]!, 'nobody', '\0', 7 as never])
    expect(found.map(({ flowId }) => flowId).toSorted()).toEqual(ids.toSorted())
    expect(found[0]).toEqual(await opened.store.find(found[0]!.flowId))
    expect(await opened.store.getMany([])).toEqual([])
  })

  it('removes what has ended long enough ago with all that belongs to it, and nothing else', async () => {
    const opened = await open()
    const { store, clock } = opened
    const hash = crypto.randomUUID()
    const links = [{ hash, pause: 2, audience: 'caller' as const }]
    const before = await Promise.all(
      STATUSES.map(status => runThatIs(opened, status, status === 'completed' ? { links } : {})),
    )
    clock.advance(10)
    const after = await runThatIs(opened, 'completed')
    await store.removeEnded({ endedUntil: clock.now() - 1 })
    for (const begun of before) {
      const { run, history, links: rest } = await allOf(opened, begun)
      const isKept = !ENDS.includes(begun.run.status)
      expect([run !== null, history.length > 0, rest.length], begun.run.status).toEqual([
        isKept,
        isKept,
        0,
      ])
    }
    expect(await store.findByLink(hash)).toBeNull()
    expect((await allOf(opened, after)).run).not.toBeNull()
  })

  it('removes no more than it was asked to', async () => {
    const opened = await open()
    const { store, clock } = opened
    await store.removeEnded({ endedUntil: clock.now() })
    const runs = await Promise.all([1, 2, 3].map(() => runThatIs(opened, 'cancelled')))
    const left = async () => (await store.getMany(runs.map(({ run }) => run.flowId))).length
    expect(await store.removeEnded({ endedUntil: clock.now(), limit: 2 })).toBe(2)
    expect(await left()).toBe(1)
    expect(await store.removeEnded({ endedUntil: clock.now() })).toBe(1)
    expect(await left()).toBe(0)
  })

  it('leaves a run that goes on while others are removed', async () => {
    const opened = await open()
    const { store, clock } = opened
    const failed = await runThatIs(opened, 'failed')
    await Promise.all([
      store.removeEnded({ endedUntil: clock.now() }),
      store.commit(failed, { events: [{ type: 'resumed', to: 'active' }] }),
    ])
    const { run, history } = await allOf(opened, failed)
    expect(history.length).toBe(run ? 3 : 0)
  })
}
