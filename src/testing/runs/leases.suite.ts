import { expect, it } from 'vitest'
import type { WfHeldRun, WfRunChange } from '../../state'
import { race } from '../race'
import {
  allOf,
  LEASE,
  type OpenedRunStore,
  type OpenRunStore,
  OTHER,
  runThatIs,
  stateOf,
} from './opened-run-store'

const GO_ON: WfRunChange = {
  events: [{ type: 'resumed', to: 'active' }],
  state: stateOf({ step: 2 }),
  links: [{ hash: 'never written', pause: 3, audience: 'caller' }],
}

export function describeLeases(open: OpenRunStore): void {
  it('gives a run to exactly one of 100 racing claims', async () => {
    const opened = await open()
    const { run } = await runThatIs(opened)
    const claims = await race(100, () => opened.store.claim(run, LEASE))
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('leaves no trace of a claim in the version and the history', async () => {
    const opened = await open()
    const begun = await runThatIs(opened, 'paused', { dueAt: 5 })
    const before = await allOf(opened, begun)
    const held = await opened.store.claim(begun.run, { ...LEASE, answer: 'sealed' })
    const during = await allOf(opened, begun)
    expect(during.run).toMatchObject({ status: 'paused', version: 2, claimSeq: 1 })
    expect(during.run).toMatchObject({ answer: 'sealed', leaseOwner: 'one' })
    expect(during.run?.leaseUntil).toBeTypeOf('number')
    expect(during.run?.dueAt).toBe(during.run?.leaseUntil)
    expect(await opened.store.release(held!)).toBe(true)
    const { run, ...others } = await allOf(opened, begun)
    const { claimSeq, lastStartedAt, ...rest } = run!
    const { claimSeq: _seq, lastStartedAt: _at, ...former } = before.run!
    expect([claimSeq, lastStartedAt]).toEqual([1, opened.clock.now()])
    expect({ ...others, run: rest }).toEqual({ ...before, run: former })
  })

  it('keeps others out until the lease runs out, at the moment and not before', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened)
    await store.claim(begun.run, LEASE)
    const seen = async () => (await store.find(begun.run.flowId))!
    clock.advance(999)
    expect(await store.claim(await seen(), OTHER)).toBeNull()
    clock.advance(1)
    expect(await store.claim(await seen(), OTHER)).toMatchObject({ owner: 'other' })
  })

  it('lets a run be held for longer', async () => {
    const opened = await open()
    const { store, clock } = opened
    const held = await store.claim((await runThatIs(opened)).run, LEASE)
    clock.advance(999)
    expect(await store.renew(held!, 1000)).toBe(true)
    clock.advance(999)
    expect(await store.claim((await store.find(held!.run.flowId))!, OTHER)).toBeNull()
  })

  it('does not wake a run that waits, whose holder has died while changing it', async () => {
    const opened = await open()
    const { store, clock } = opened
    const waits = await runThatIs(opened)
    const isDue = await runThatIs(opened, 'active', { dueAt: clock.now() })
    for (const { run } of [waits, isDue]) await store.claim(run, { ...LEASE, isOnlyChanged: true })
    expect(await dueOf(opened, [waits, isDue])).toEqual([])
    clock.advance(1000)
    expect(await dueOf(opened, [waits, isDue])).toEqual([isDue.run.flowId])
    expect(await store.claim((await store.find(waits.run.flowId))!, OTHER)).not.toBeNull()
  })

  it('tells at once of a run that is due now, whatever the clock of its process says', async () => {
    const opened = await open()
    const begun = await runThatIs(opened, 'active', { isDue: true })
    expect(await dueOf(opened, [begun])).toEqual([begun.run.flowId])
    const events = [{ type: 'paused', to: 'paused' }] as const
    const waits = await opened.store.commit(begun, { events })
    expect(await dueOf(opened, [begun])).toEqual([])
    const woken = await opened.store.commit(waits!, {
      events: [{ type: 'resumed', to: 'active' }],
      isDue: true,
    })
    expect(woken?.run.dueAt).toBeTypeOf('number')
    expect(await dueOf(opened, [begun])).toEqual([begun.run.flowId])
  })

  it('is due in so many milliseconds, by the clock of leases', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened, 'error', { dueInMs: 500 })
    clock.advance(499)
    expect(await dueOf(opened, [begun])).toEqual([])
    clock.advance(1)
    expect(await dueOf(opened, [begun])).toEqual([begun.run.flowId])
    expect((await store.find(begun.run.flowId))!.dueAt).toBeTypeOf('number')
  })

  it('gives a run before its moment has come to nobody who takes it for that', async () => {
    const opened = await open()
    const { store, clock } = opened
    const waits = await runThatIs(opened)
    expect(await store.claim(waits.run, { ...LEASE, isDue: true })).toBeNull()
    const later = await runThatIs(opened, 'error', { dueInMs: 500 })
    clock.advance(499)
    expect(await store.claim(later.run, { ...LEASE, isDue: true })).toBeNull()
    clock.advance(1)
    expect(await store.claim(later.run, { ...LEASE, isDue: true })).not.toBeNull()
  })

  it('leaves the moment of a run that waits as it was, while it is only changed', async () => {
    const opened = await open()
    const { store, clock } = opened
    const waits = await runThatIs(opened, 'paused', { dueInMs: 5000 })
    await store.claim(waits.run, { ...LEASE, isOnlyChanged: true })
    clock.advance(1000)
    expect(await dueOf(opened, [waits])).toEqual([])
    clock.advance(4000)
    expect(await dueOf(opened, [waits])).toEqual([waits.run.flowId])
  })

  it('puts off a run that is due, and none that waits, is held or has ended', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened, 'active', { dueAt: clock.now() })
    const { run } = begun
    const lastError = { code: 'X' }
    expect(await store.postpone(run, 500, lastError)).toBe(true)
    expect(await dueOf(opened, [begun])).toEqual([])
    expect(await store.find(run.flowId)).toMatchObject({ version: run.version, lastError })
    clock.advance(500)
    expect(await dueOf(opened, [begun])).toEqual([run.flowId])
    const held = await store.claim((await store.find(run.flowId))!, LEASE)
    const waits = await runThatIs(opened)
    for (const other of [run, held!.run, waits.run]) {
      expect(await store.postpone(other, 500, lastError)).toBe(false)
    }
    const ended = await store.commit(held!, { events: [{ type: 'cancelled', to: 'cancelled' }] })
    expect(await store.postpone(ended!.run, 500, lastError)).toBe(false)
  })

  it('does not let one who has lost a run write, hold or let go of it', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened)
    const lost = await store.claim(begun.run, LEASE)
    clock.advance(1000)
    const won = await store.claim((await store.find(begun.run.flowId))!, {
      ...OTHER,
      answer: 'kept',
    })
    const before = await allOf(opened, begun)
    expect(await store.commit(lost!, GO_ON)).toBeNull()
    expect(await store.renew(lost!, 5000)).toBe(false)
    expect(await store.release(lost!)).toBe(false)
    expect(await store.commit(begun, GO_ON)).toBeNull()
    expect(await allOf(opened, begun)).toEqual(before)
    expect(await store.commit(won!, { ...GO_ON, links: [] })).not.toBeNull()
    expect(await store.commit(won!, GO_ON)).toBeNull()
  })

  it('does not let one claim a run as it was', async () => {
    const opened = await open()
    const { store } = opened
    const begun = await runThatIs(opened)
    await store.commit(begun, { ...GO_ON, links: [] })
    expect(await store.claim(begun.run, LEASE)).toBeNull()
    const run = (await store.find(begun.run.flowId))!
    await store.release((await store.claim(run, LEASE))!)
    expect(await store.claim(run, LEASE)).toBeNull()
  })

  it('does not let one claim a run that was changed since, though nobody has claimed it', async () => {
    const opened = await open()
    const begun = await runThatIs(opened)
    await opened.store.commit(begun, { events: [{ type: 'extended' }] })
    expect(await opened.store.claim(begun.run, LEASE)).toBeNull()
  })

  it('tells two claims of one process apart', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened)
    const first = await store.claim(begun.run, LEASE)
    clock.advance(1000)
    await store.claim((await store.find(begun.run.flowId))!, LEASE)
    const before = await allOf(opened, begun)
    expect(await store.renew(first!, 5000)).toBe(false)
    expect(await store.release(first!)).toBe(false)
    expect(await store.commit(first!, GO_ON)).toBeNull()
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('does not let one who has let go of a run write, hold or let go of it again', async () => {
    const opened = await open()
    const { store } = opened
    const begun = await runThatIs(opened)
    const held = await store.claim(begun.run, LEASE)
    await store.release({ ...held!, run: { ...held!.run, answer: 'kept', dueAt: 7 } })
    const before = await allOf(opened, begun)
    expect(await store.renew(held!, 5000)).toBe(false)
    expect(await store.release(held!)).toBe(false)
    expect(await store.commit(held!, GO_ON)).toBeNull()
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('counts a holder that was lost as an attempt, and says so', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened, 'paused', { attempts: 2, lastError: { code: 'X' } })
    const seen = async () => (await store.find(begun.run.flowId))!
    const first = await store.claim(begun.run, LEASE)
    expect(first?.run).toMatchObject({ attempts: 2, lastError: { code: 'X' } })
    clock.advance(1000)
    const second = await store.claim(await seen(), OTHER)
    const lost = { code: 'WF_LOST', at: clock.now() }
    expect(second?.run).toMatchObject({ attempts: 3, lastError: { ...lost, times: 1 } })
    expect(await seen()).toMatchObject({
      attempts: 3,
      lastError: { ...lost, times: 1 },
      version: 2,
    })
    clock.advance(1000)
    expect((await store.claim(await seen(), LEASE))?.run).toMatchObject({
      attempts: 4,
      lastError: { code: 'WF_LOST', times: 2 },
    })
  })

  it('goes on holding a run behind a commit, if that is asked for', async () => {
    const opened = await open()
    const { store, clock } = opened
    const held = await store.claim((await runThatIs(opened)).run, LEASE)
    clock.advance(900)
    const next = await store.commit(held!, { ...GO_ON, links: [], lease: LEASE })
    // It holds the run, and has written since.
    expect(await store.commit(held!, { events: [{ type: 'stayed' }] })).toBeNull()
    clock.advance(900)
    const seen = (await store.find(held!.run.flowId))!
    expect(seen).toMatchObject({ status: 'active', leaseOwner: 'one' })
    expect(await store.claim(seen, OTHER)).toBeNull()
    expect(await store.commit(next!, { events: [{ type: 'paused', to: 'paused' }] })).not.toBeNull()
  })

  it('holds a run from its beginning, if that is asked for', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened, 'created', { lease: LEASE })
    const seen = (await store.find(begun.run.flowId))!
    expect(seen).toMatchObject({ leaseOwner: 'one', claimSeq: 1 })
    expect(await store.claim(seen, OTHER)).toBeNull()
    expect(await store.renew(begun, 2000)).toBe(true)
    clock.advance(2000)
    expect(await store.claim(seen, OTHER)).not.toBeNull()
    expect(await store.commit(begun, { events: [{ type: 'started', to: 'active' }] })).toBeNull()
  })

  it('keeps an answer until the first commit', async () => {
    const opened = await open()
    const { store, clock } = opened
    const begun = await runThatIs(opened)
    const seen = async () => (await store.find(begun.run.flowId))!
    await store.claim(begun.run, { ...LEASE, answer: 'first' })
    clock.advance(1000)
    const crashed = await seen()
    expect(crashed.answer).toBe('first')
    const again = await store.claim(crashed, { ...OTHER, answer: crashed.answer })
    // Whoever lets go leaves what was accepted before.
    await store.release(again!)
    expect((await seen()).answer).toBe('first')
    const third = await store.claim(await seen(), { ...OTHER, answer: 'first' })
    const next = await store.commit(third!, { ...GO_ON, links: [], lease: OTHER })
    expect((await seen()).answer).toBeUndefined()
    const events = [{ type: 'step_completed' }] as const
    const held = await store.commit(next!, { events, answer: 'who', lease: OTHER })
    expect((await seen()).answer).toBe('who')
    await store.commit(held!, {
      events: [{ type: 'cancelled', to: 'cancelled' }],
      answer: 'who',
    })
    expect((await seen()).answer).toBeUndefined()
  })
}

/** Which of these runs are due. */
async function dueOf({ store }: OpenedRunStore, runs: readonly WfHeldRun[]) {
  const ids = runs.map(({ run }) => run.flowId)
  const due = await store.due(10_000)
  return due.map(({ flowId }) => flowId).filter(flowId => ids.includes(flowId))
}
