import { expect } from 'vitest'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import {
  LEASE,
  type OpenedRunStore,
  type OpenRunStore,
  type RunStoreLacks,
  runThatIs,
} from './opened-run-store'

const GOES_ON = [{ type: 'resumed', to: 'active' }] as const
const WAITS = [
  { type: 'resumed', to: 'active' },
  { type: 'paused', to: 'paused' },
] as const
const signal = (name = 'paid') => ({ name, payload: '={}', sentBy: 'bank' })

/** A run that waits for a signal, and what the store says of it. */
async function waiting(opened: OpenedRunStore) {
  const { store } = opened
  const begun = await runThatIs(opened, 'paused', { waitsFor: 'paid' })
  const { flowId } = begun.run
  const read = async () => (await store.find(flowId))!
  const isDue = async () => (await store.due(1000)).some(due => due.flowId === flowId)
  return { flowId, read, isDue, signals: store.signals! }
}

export function describeRunSignals(open: OpenRunStore, lacks: RunStoreLacks): void {
  const it = casesUnless('describeRunStore', lacks)('signals')

  it('keeps signals in the order in which they come, and takes each once', async () => {
    const opened = await open()
    const { signals, read, flowId } = await waiting(opened)
    expect(await signals.next(flowId, 'paid')).toBeNull()
    for (const name of ['early', 'paid', 'paid']) {
      expect(await signals.add(await read(), signal(name))).toMatchObject({ name, sentBy: 'bank' })
    }
    expect((await signals.of(flowId)).map(({ name, seq }) => [name, seq])).toEqual([
      ['early', 1],
      ['paid', 2],
      ['paid', 3],
    ])
    expect(await signals.next(flowId, 'paid')).toMatchObject({ seq: 2, payload: '={}' })
    const held = (await opened.store.claim(await read(), LEASE))!
    const taken = await opened.store.commit(held, { events: GOES_ON, takenSignal: 2, lease: LEASE })
    expect((await signals.kept(flowId)).map(({ seq }) => seq).toSorted()).toEqual([1, 3])
    const back = { ...signal(), seq: 2, createdAt: 5 }
    await opened.store.commit(taken!, { events: [{ type: 'updated' }], signals: [back] })
    expect((await signals.of(flowId)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('finds a run due that waits for the signal, and no other', async () => {
    const opened = await open()
    const { signals, read, isDue } = await waiting(opened)
    await signals.add(await read(), signal('another'))
    expect(await isDue()).toBe(false)
    await signals.add(await read(), signal())
    expect(await isDue()).toBe(true)
    expect(await read()).toMatchObject({ version: 2, signalSeq: 2, waitsFor: 'paid' })
  })

  it('keeps none for a run that is not as it was read', async () => {
    const opened = await open()
    const { signals, read, flowId } = await waiting(opened)
    const seen = await read()
    const added = await race(10, () => signals.add(seen, signal()))
    expect(added.filter(one => one !== null)).toHaveLength(1)
    const before = await read()
    await opened.store.commit({ run: before }, { events: [{ type: 'cancelled', to: 'cancelled' }] })
    expect(await signals.add(before, signal())).toBeNull()
    expect(await signals.kept(flowId)).toHaveLength(1)
  })

  it('lets no run wait on that got one while it was held', async () => {
    const opened = await open()
    const { store } = opened
    const { signals, read, isDue } = await waiting(opened)
    const first = (await store.claim(await read(), { ...LEASE, isOnlyChanged: true }))!
    await signals.add(await read(), signal())
    await store.commit(first, { events: [{ type: 'updated' }] })
    expect(await isDue()).toBe(true)
    const second = (await store.claim(await read(), LEASE))!
    await signals.add(await read(), signal('early'))
    await store.commit(second, { events: WAITS, waitsFor: 'early' })
    expect(await isDue()).toBe(true)
    expect(await read()).toMatchObject({ waitsFor: 'early', signalSeq: 2 })
    const third = (await store.claim(await read(), LEASE))!
    await store.release({ ...third, run: { ...third.run, dueAt: undefined } })
    expect(await isDue()).toBe(false)
    const fourth = (await store.claim(await read(), LEASE))!
    await signals.add(await read(), signal('early'))
    await store.release({ ...fourth, run: { ...fourth.run, dueAt: undefined } })
    expect(await isDue()).toBe(true)
  })

  it('is written only if none has come, where that is asked for', async () => {
    const opened = await open()
    const { store } = opened
    const { signals, read, isDue } = await waiting(opened)
    const ends = [{ type: 'timed_out' }, { type: 'cancelled', to: 'cancelled' }] as const
    const held = (await store.claim(await read(), LEASE))!
    await signals.add(await read(), signal())
    expect(await store.commit(held, { events: ends, unlessSignalled: true })).toBeNull()
    expect(await read()).toMatchObject({ status: 'paused', version: 2, waitsFor: 'paid' })
    await store.release({ ...held, run: { ...held.run, dueAt: undefined } })
    expect(await isDue()).toBe(true)
    const again = (await store.claim(await read(), LEASE))!
    expect(await store.commit(again, { events: ends, unlessSignalled: true })).not.toBeNull()
    expect((await read()).status).toBe('cancelled')
  })

  it('removes them with their run', async () => {
    const opened = await open()
    const { store, clock } = opened
    const { signals, read, flowId } = await waiting(opened)
    await signals.add(await read(), signal())
    await store.commit({ run: await read() }, { events: [{ type: 'cancelled', to: 'cancelled' }] })
    await store.removeEnded({ endedUntil: clock.now() })
    expect(await store.find(flowId)).toBeNull()
    expect(await signals.of(flowId)).toEqual([])
    expect(await signals.kept(flowId)).toEqual([])
  })
}
