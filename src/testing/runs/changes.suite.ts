import { expect, it } from 'vitest'
import type { WfNewRunEvent, WfRunChange } from '../../state'
import { titled } from '../shown'
import { allOf, LEASE, type OpenRunStore, runThatIs, stateOf, STATUSES } from './opened-run-store'

/** What may follow what. */
const ALLOWED = new Set([
  'created active',
  'created cancelled',
  'active paused',
  'active error',
  'active completed',
  'active failed',
  'active cancelled',
  'paused active',
  'paused cancelled',
  'paused failed',
  'error active',
  'error failed',
  'error cancelled',
  'failed active',
])

const MOVES = STATUSES.flatMap(from => STATUSES.map(to => [from, to] as const))
const NO_KEYS = [undefined, null, 7, {}, '', 'x', '\u0000', '\uD800', 'x'.repeat(1e6)]

const link = (hash: string, pause: number) => ({ hash, pause, audience: 'caller' as const })

export function describeRunChanges(open: OpenRunStore): void {
  it('keeps a new run with its history and its links', async () => {
    const opened = await open()
    const { store, clock } = opened
    const hash = crypto.randomUUID()
    const links = [{ ...link(hash, 2), recipient: 'ada', expiresAt: clock.now() + 5 }]
    const begun = await runThatIs(opened, 'paused', { links, stepId: 'ask', dueAt: 9 })
    const { flowId } = begun.run
    const { run, history } = await allOf(opened, begun)
    expect(run).toMatchObject({
      flowId,
      schemaId: 'suite/flow',
      status: 'paused',
      stepId: 'ask',
      version: 2,
      attempts: 0,
      claimSeq: 0,
      dueAt: 9,
      activeMs: 0,
      startedAt: clock.now(),
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    expect(run?.state).toEqual(stateOf())
    const at = clock.now()
    const about = { flowId, schemaId: 'suite/flow', at }
    expect(history).toEqual([
      { ...about, seq: 1, type: 'workflow_created', detail: { to: 'active' } },
      {
        ...about,
        seq: 2,
        type: 'paused',
        stepId: 'ask',
        detail: { from: 'active', to: 'paused' },
      },
    ])
    const kept = { ...links[0], flowId, createdAt: at }
    expect(await store.links(flowId)).toEqual([kept])
    expect(await store.findByLink(hash)).toEqual({ link: kept, run })
  })

  it('refuses an id that is taken, and writes nothing', async () => {
    const opened = await open()
    const begun = await runThatIs(opened)
    const before = await allOf(opened, begun)
    const { flowId, schemaId } = begun.run
    const events: WfNewRunEvent[] = [{ type: 'workflow_created', to: 'active' }]
    const again = { events, state: stateOf({ other: 1 }), links: [link(crypto.randomUUID(), 1)] }
    expect(await opened.store.begin({ flowId, schemaId, startedAt: 1 }, again)).toBeNull()
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('writes a state, its events and its links at once, and counts versions by events', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened)
    const held = await store.claim(begun.run, LEASE)
    clock.advance(7)
    const committed = await store.commit(held!, {
      events: [
        { type: 'resumed', to: 'active', at: 5 },
        { type: 'step_completed', stepId: 'ask', detail: { changed: ['step'] } },
        { type: 'paused', to: 'paused', stepId: 'next' },
      ],
      state: stateOf({ step: 2 }),
      stepId: 'next',
      links: [link(crypto.randomUUID(), 5), link(crypto.randomUUID(), 5)],
      attempts: 3,
      lastError: { code: 'WF_INTERNAL' },
      ranMs: 7.9,
    })
    const { run, history, links } = await allOf(opened, begun)
    expect(run).toMatchObject({ status: 'paused', stepId: 'next', version: 5, attempts: 3 })
    expect(run).toMatchObject({ activeMs: 7, updatedAt: clock.now(), claimSeq: 1 })
    expect(run).toMatchObject({ lastError: { code: 'WF_INTERNAL' }, state: stateOf({ step: 2 }) })
    expect(run?.leaseUntil).toBeUndefined()
    expect(run?.leaseOwner).toBeUndefined()
    expect(history.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(history[2]).toMatchObject({ at: 5, detail: { from: 'paused', to: 'active' } })
    expect(history[3]).toMatchObject({ stepId: 'ask', detail: { changed: ['step'] } })
    expect(links).toHaveLength(2)
    // What was committed last can be gone on from.
    expect(
      await store.commit(committed!, { events: [{ type: 'cancelled', to: 'cancelled' }] }),
    ).toMatchObject({ run: { version: 6 } })
  })

  it('stamps who has begun it, and who has changed it', async () => {
    const opened = await open()
    const begun = await runThatIs(opened, 'paused', { actor: 'ada' })
    await opened.store.commit(begun, { events: [{ type: 'stayed' }], actor: 'worker' })
    const { run, history } = await allOf(opened, begun)
    expect(run).toMatchObject({ createdBy: 'ada', lastUpdatedBy: 'worker' })
    expect(history.map(({ actor }) => actor)).toEqual(['ada', 'ada', 'worker'])
  })

  it('keeps what a run was started with, its correlation and its metadata', async () => {
    const opened = await open()
    const kept = { input: 'sealed', correlationId: 'order-7', metadata: { '': { deep: [1] } } }
    const begun = await runThatIs(opened, 'paused', {}, kept)
    await opened.store.commit(begun, { events: [{ type: 'stayed' }] })
    expect(await opened.store.find(begun.run.flowId)).toMatchObject(kept)
  })

  it('lets the links of a pause live longer, and no others', async () => {
    const opened = await open()
    const [old, present] = [crypto.randomUUID(), crypto.randomUUID()]
    const links = [
      { ...link(old, 1), expiresAt: 5 },
      { ...link(present, 2), expiresAt: 5 },
    ]
    const begun = await runThatIs(opened, 'paused', { links })
    await opened.store.commit(begun, {
      events: [{ type: 'extended' }],
      linksUntil: { pauses: [2], expiresAt: 9 },
    })
    const expiryOf = async (hash: string) => (await opened.store.findByLink(hash))?.link.expiresAt
    expect([await expiryOf(old), await expiryOf(present)]).toEqual([5, 9])
  })

  it('keeps what a change does not name', async () => {
    const opened = await open()
    const begun = await runThatIs(opened, 'paused', { stepId: 'ask', lastError: { code: 'X' } })
    await opened.store.commit(begun, { events: [{ type: 'stayed' }] })
    const { run } = await allOf(opened, begun)
    expect(run).toMatchObject({ status: 'paused', stepId: 'ask', lastError: { code: 'X' } })
    expect(run?.state).toEqual(stateOf())
  })

  it('ends a run in one step: no half-ended run can be seen', async () => {
    const opened = await open()
    const { store, clock } = opened
    const runKey = crypto.randomUUID()
    const held = await store.claim((await runThatIs(opened, 'paused', {}, { runKey })).run, LEASE)
    await store.commit(held!, {
      events: [
        { type: 'resumed', to: 'active' },
        { type: 'workflow_completed', to: 'completed' },
      ],
      stepId: null,
      result: { data: { ok: true } },
      dueAt: 5,
    })
    const { run } = await allOf(opened, held!)
    expect(run).toMatchObject({ status: 'completed', completedAt: clock.now(), version: 4 })
    expect(run).toMatchObject({ result: { data: { ok: true } } })
    for (const column of ['stepId', 'runKey', 'dueAt', 'leaseUntil', 'leaseOwner', 'answer']) {
      expect(run?.[column as 'stepId'], column).toBeUndefined()
    }
    expect(await store.claim(run!, LEASE)).toBeNull()
  })

  it.each(MOVES)('a run that is %s becomes %s, or is left as it was', async (from, to) => {
    const opened = await open()
    const begun = await runThatIs(opened, from)
    const before = await allOf(opened, begun)
    const change: WfRunChange = {
      events: [{ type: 'stayed' }, { type: 'recovered', to }],
      state: stateOf({ moved: true }),
      links: [link(crypto.randomUUID(), 1)],
    }
    if (ALLOWED.has(`${from} ${to}`)) {
      expect(await opened.store.commit(begun, change)).toMatchObject({ run: { status: to } })
      return
    }
    const refused = { code: 'WF_TRANSITION' }
    await expect(opened.store.commit(begun, change)).rejects.toMatchObject(refused)
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('refuses a change without an event, and a run that begins as something else', async () => {
    const opened = await open()
    const refused = { code: 'WF_TRANSITION' }
    const begun = await runThatIs(opened)
    const change = { events: [], state: stateOf() }
    await expect(opened.store.commit(begun, change)).rejects.toMatchObject(refused)
    for (const to of ['paused', 'completed', 'error'] as const) {
      const events = [{ type: 'workflow_created', to }] as const
      await expect(runThatIs(opened, 'paused', { events })).rejects.toMatchObject(refused)
    }
  })

  it('refuses an event or a state that names another workflow, and writes nothing', async () => {
    const opened = await open()
    const begun = await runThatIs(opened)
    const before = await allOf(opened, begun)
    const strange = { ...stateOf(), schemaId: 'suite/other' }
    const changes: WfRunChange[] = [
      { events: [{ type: 'stayed' }, { type: 'stayed', schemaId: 'suite/other' }] },
      { events: [{ type: 'stayed' }], state: strange },
    ]
    for (const change of changes) {
      const refused = { code: 'WF_MISMATCH' }
      await expect(opened.store.commit(begun, change)).rejects.toMatchObject(refused)
      await expect(runThatIs(opened, 'paused', { ...change })).rejects.toMatchObject({})
    }
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('refuses a state that is no JSON, and writes nothing', async () => {
    const opened = await open()
    const begun = await runThatIs(opened)
    const before = await allOf(opened, begun)
    const change: WfRunChange = { events: [{ type: 'stayed' }], state: stateOf({ big: 1n }) }
    const refused = { code: 'WF_STATE_INVALID' }
    await expect(opened.store.commit(begun, change)).rejects.toMatchObject(refused)
    await expect(runThatIs(opened, 'paused', { state: stateOf(1n) })).rejects.toMatchObject(refused)
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('keeps copies, and gives copies out', async () => {
    const opened = await open()
    const mine = { list: [1] }
    const begun = await runThatIs(opened, 'paused', { state: stateOf(mine) })
    mine.list.push(2)
    const { run } = await allOf(opened, begun)
    ;(run!.state.context as typeof mine).list.push(3)
    expect((await opened.store.find(begun.run.flowId))?.state).toEqual(stateOf({ list: [1] }))
  })

  it.each(titled(NO_KEYS))('has nothing for the key %s', async (_title, key) => {
    const { store } = await open()
    expect(await store.find(key as string)).toBeNull()
    expect(await store.findByKey(key as string)).toBeNull()
    expect(await store.findByLink(key as string)).toBeNull()
    expect(await store.history(key as string)).toEqual([])
    expect(await store.links(key as string)).toEqual([])
  })
}
