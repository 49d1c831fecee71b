import { describe, expect, it } from 'vitest'
import type { WfState, WfStateStore } from '../state'
import { CONTEXTS } from './contexts'
import { race } from './race'

/** A store that is to be tested, and the clock that decides what has expired in it. */
export interface OpenedStore {
  readonly store: WfStateStore
  readonly clock: { now(): number; advance(ms: number): void }
}

/** What a store may lack, each with the reason, which is printed. */
export interface StoreLacks {
  /** It does not know `expectedVersion`, nor takes by version. */
  readonly versions?: string
}

export interface StateStoreSuite {
  readonly name: string
  /** Called for each test; the handles of one test are not used by another. */
  open(): OpenedStore | Promise<OpenedStore>
  readonly lacks?: StoreLacks
}

const state = (context: unknown = { step: 1 }): WfState => ({
  schemaId: 'suite/flow',
  indexes: [0, 2],
  context,
  meta: { wf: { flowId: 'f', seq: 1, startedAt: 1 }, mine: [1] },
})

const cycle: Record<string, unknown> = {}
cycle.self = cycle

const INVALID: readonly (readonly [string, unknown])[] = [
  ['a BigInt', { deep: { amount: 1n } }],
  ['a cycle', { deep: cycle }],
  ['no context at all', undefined],
  ['a function for a context', () => 1],
]

/**
 * The conformance suite of state stores, for vitest. What passes it can be handed to
 * `HandleStateStrategy`.
 *
 * @example
 * ```ts
 * import { WfStateStoreMemory } from '@atscript/moost-wf'
 * import { describeStateStore, FakeClock } from '@atscript/moost-wf/testing'
 *
 * describeStateStore({
 *   name: 'memory',
 *   open: () => {
 *     const clock = new FakeClock()
 *     return { store: new WfStateStoreMemory({ clock }), clock }
 *   },
 * })
 * ```
 */
export function describeStateStore({ name, open, lacks = {} }: StateStoreSuite): void {
  const itIfVersions = (title: string, test: () => Promise<void>) =>
    lacks.versions === undefined
      ? it(title, test)
      : it.skip(`${title} (skipped: ${lacks.versions})`, test)
  let handles = 0
  const newHandle = () => `suite-${Date.now()}-${++handles}-${Math.random()}`

  describe(`state store: ${name}`, () => {
    it.each(CONTEXTS)('gives back what it was given: %s', async (_title, context) => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state(context))
      expect((await store.get(handle))?.state).toEqual(state(context))
      expect((await store.getAndDelete(handle))?.state).toEqual(state(context))
    })

    it('gives back a state without meta', async () => {
      const { store } = await open()
      const handle = newHandle()
      const bare = { schemaId: 'suite/flow', indexes: [], context: {} }
      await store.set(handle, bare)
      expect((await store.get(handle))?.state).toEqual(bare)
    })

    it('keeps a copy, and gives out copies', async () => {
      const { store } = await open()
      const handle = newHandle()
      const mine = state({ list: [1] })
      await store.set(handle, mine)
      ;(mine.context as { list: number[] }).list.push(2)
      const read = (await store.get(handle))?.state.context as { list: number[] }
      expect(read).toEqual({ list: [1] })
      read.list.push(3)
      expect((await store.get(handle))?.state.context).toEqual({ list: [1] })
    })

    it('overwrites the state and its expiry', async () => {
      const { store, clock } = await open()
      const handle = newHandle()
      await store.set(handle, state(1), clock.now() + 1000)
      await store.set(handle, state(2), clock.now() + 2000)
      expect(await store.get(handle)).toMatchObject({
        state: state(2),
        expiresAt: clock.now() + 2000,
      })
      await store.set(handle, state(3))
      expect((await store.get(handle))?.expiresAt).toBeUndefined()
      clock.advance(1e9)
      expect((await store.get(handle))?.state.context).toBe(3)
    })

    it.each(['', '\0', '\ud800', 'x'.repeat(1e6), '__proto__', 'unknown', "'; --", null, 7, {}])(
      'has nothing for the handle %j',
      async handle => {
        const { store } = await open()
        expect(await store.get(handle as string)).toBeNull()
        expect(await store.getAndDelete(handle as string)).toBeNull()
        await store.delete(handle as string)
      },
    )

    it('tells handles apart that differ in case, in spaces or in accents', async () => {
      const { store } = await open()
      const handle = newHandle()
      const twins = ['a', 'A', 'a ', 'ä', 'á'].map(end => handle + end)
      for (const twin of twins) await store.set(twin, state(twin))
      for (const twin of twins) expect((await store.get(twin))?.state.context).toBe(twin)
      await store.delete(twins[0]!)
      expect(await store.get(twins[1]!)).not.toBeNull()
    })

    it('expires at the moment, not after it', async () => {
      const { store, clock } = await open()
      const handle = newHandle()
      await store.set(handle, state(), clock.now() + 1000)
      clock.advance(999)
      expect(await store.get(handle)).not.toBeNull()
      clock.advance(1)
      expect(await store.get(handle)).toBeNull()
      expect(await store.getAndDelete(handle)).toBeNull()
    })

    it('takes what expires in the past, or now, for expired', async () => {
      const { store, clock } = await open()
      const handle = newHandle()
      for (const expiresAt of [clock.now(), clock.now() - 1, 0, -1e12]) {
        await store.set(handle, state(), expiresAt)
        expect(await store.getAndDelete(handle)).toBeNull()
      }
    })

    it('writes over what has expired', async () => {
      const { store, clock } = await open()
      const handle = newHandle()
      await store.set(handle, state(1), clock.now() + 1)
      clock.advance(1)
      await store.set(handle, state(2), clock.now() + 1)
      expect((await store.getAndDelete(handle))?.state.context).toBe(2)
    })

    it('gives a state away once', async () => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state())
      expect(await store.getAndDelete(handle)).toMatchObject({ state: state() })
      expect(await store.getAndDelete(handle)).toBeNull()
      expect(await store.get(handle)).toBeNull()
    })

    it('lets exactly one of 100 racing takers win', async () => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state())
      const winners = await race(100, () => store.getAndDelete(handle))
      expect(winners.filter(Boolean)).toHaveLength(1)
    })

    it('loses no write to a taker of the same handle', async () => {
      const { store } = await open()
      const handle = newHandle()
      for (let round = 0; round < 30; round++) {
        await store.set(handle, state('a'))
        const [taken] = await Promise.all([
          store.getAndDelete(handle),
          store.set(handle, state('b')),
        ])
        const left = await store.getAndDelete(handle)
        // Nothing overwrites "b": whoever did not get it must have left it.
        expect([taken?.state.context, left?.state.context]).toContain('b')
      }
    })

    it('takes many writers and takers of one handle, none of whom fails', async () => {
      const { store } = await open()
      const handle = newHandle()
      const [, taken] = await Promise.all([
        race(30, n => store.set(handle, state(n))),
        race(30, () => store.getAndDelete(handle)),
      ])
      const left = await store.getAndDelete(handle)
      const seen = [...taken, left].flatMap(one => (one ? [one.state.context] : []))
      expect(new Set(seen).size).toBe(seen.length)
    })

    it('deletes, and is content to have nothing to delete', async () => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state())
      await store.delete(handle)
      await store.delete(handle)
      expect(await store.get(handle)).toBeNull()
    })

    it.each(INVALID)('refuses %s before it forgets the old state', async (_title, context) => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state(1))
      await expect(store.set(handle, { ...state(), context })).rejects.toMatchObject({
        code: 'WF_STATE_INVALID',
      })
      expect((await store.get(handle))?.state.context).toBe(1)
    })

    it('cleans up what has expired and nothing else', async () => {
      const { store, clock } = await open()
      const [expired, live, forEver] = [newHandle(), newHandle(), newHandle()]
      await store.set(expired, state(), clock.now() + 10)
      await store.set(live, state(), clock.now() + 11)
      await store.set(forEver, state())
      clock.advance(10)
      await store.cleanup?.()
      expect(await store.get(live)).not.toBeNull()
      expect(await store.get(forEver)).not.toBeNull()
      // Before its end again: it is gone, not only hidden.
      clock.advance(-5)
      if (store.cleanup) expect(await store.get(expired)).toBeNull()
    })

    itIfVersions('counts the writes of a handle', async () => {
      const { store } = await open()
      const handle = newHandle()
      const versions: number[] = []
      for (let write = 0; write < 3; write++) {
        await store.set(handle, state(write))
        versions.push((await store.get(handle))?.version ?? Number.NaN)
      }
      expect(versions).toEqual(versions.toSorted((one, other) => one - other))
      expect(new Set(versions).size).toBe(3)
    })

    itIfVersions('goes on counting when a state that was taken is put back', async () => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state(1))
      const taken = await store.getAndDelete(handle)
      await store.set(handle, state(2), undefined, { follows: taken?.version })
      expect((await store.get(handle))?.version).toBeGreaterThan(taken?.version ?? Infinity)
    })

    itIfVersions('refuses a write that builds on an older version', async () => {
      const { store } = await open()
      const handle = newHandle()
      const conflict = { code: 'WF_CONFLICT' }
      await store.set(handle, state(1), undefined, { expectedVersion: 0 })
      const read = (await store.get(handle))?.version
      const again = store.set(handle, state(2), undefined, { expectedVersion: 0 })
      await expect(again).rejects.toMatchObject(conflict)
      await store.set(handle, state(3), undefined, { expectedVersion: read })
      const stale = store.set(handle, state(4), undefined, { expectedVersion: read })
      await expect(stale).rejects.toMatchObject(conflict)
      expect((await store.get(handle))?.state.context).toBe(3)
      await store.delete(handle)
      const late = store.set(handle, state(5), undefined, { expectedVersion: read })
      await expect(late).rejects.toMatchObject(conflict)
      expect(await store.get(handle)).toBeNull()
    })

    itIfVersions('lets one of 20 writers of one version win', async () => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state(0))
      const expectedVersion = (await store.get(handle))?.version
      const outcomes = await race(20, n =>
        store.set(handle, state(n), undefined, { expectedVersion }).then(
          () => 'won',
          (error: { code?: string }) => error.code,
        ),
      )
      expect(outcomes.filter(outcome => outcome === 'won')).toHaveLength(1)
      expect(new Set(outcomes)).toEqual(new Set(['won', 'WF_CONFLICT']))
    })

    itIfVersions('takes only the version that was asked for', async () => {
      const { store } = await open()
      const handle = newHandle()
      await store.set(handle, state(1))
      const version = (await store.get(handle))?.version
      await store.set(handle, state(2))
      expect(await store.getAndDelete(handle, { version })).toBeNull()
      expect((await store.get(handle))?.state.context).toBe(2)
      const current = (await store.get(handle))?.version
      expect(await store.getAndDelete(handle, { version: current })).not.toBeNull()
    })
  })
}
