import { type WfState, WfLedgerMemory, WfStateStoreMemory } from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '@atscript/moost-wf/testing'

const state = (context: unknown): WfState => ({ schemaId: 'flow', indexes: [0], context })

describe('WfStateStoreMemory', () => {
  it('keeps copies', async () => {
    const store = new WfStateStoreMemory()
    const mine = state({ list: [1] })
    await store.set('h', mine)
    ;(mine.context as { list: number[] }).list.push(2)
    const context = (await store.get('h'))?.state.context as { list: number[] }
    expect(context).toEqual({ list: [1] })
    context.list.push(3)
    expect((await store.get('h'))?.state.context).toEqual({ list: [1] })
  })

  it('gives out data that can be copied and written as JSON', async () => {
    const store = new WfStateStoreMemory()
    await store.set('h', state({ list: [1] }), 9e12)
    const plain = { state: state({ list: [1] }), expiresAt: 9e12, version: 1, revision: '1' }
    for (const read of [await store.get('h'), await store.getAndDelete('h')]) {
      expect({ ...read }).toEqual(plain)
      expect(Object.keys(read!)).toEqual(Object.keys(plain))
      expect(JSON.parse(JSON.stringify(read))).toEqual(plain)
      expect(structuredClone(read)).toEqual(plain)
      expect(read?.state).toBe(read?.state)
    }
  })

  it('lets one of 100 takers win', async () => {
    const store = new WfStateStoreMemory()
    await store.set('h', state({}))
    const takers = await Promise.all(Array.from({ length: 100 }, () => store.getAndDelete('h')))
    expect(takers.filter(Boolean)).toHaveLength(1)
  })

  it('expires at the moment, not after it, and cleans up', async () => {
    const clock = new FakeClock()
    const store = new WfStateStoreMemory({ clock })
    await store.set('h', state({}), clock.now() + 10)
    await store.set('for-ever', state({}))
    clock.advance(9)
    expect(await store.get('h')).not.toBeNull()
    expect(await store.cleanup()).toBe(0)
    clock.advance(1)
    expect(await store.get('h')).toBeNull()
    expect(await store.cleanup()).toBe(1)
    expect(await store.getAndDelete('for-ever')).not.toBeNull()
  })

  it('does not give an expired state to a taker', async () => {
    const clock = new FakeClock()
    const store = new WfStateStoreMemory({ clock })
    await store.set('h', state({}), clock.now())
    expect(await store.getAndDelete('h')).toBeNull()
  })

  it('sweeps expired states by itself', async () => {
    const clock = new FakeClock()
    const store = new WfStateStoreMemory({ clock })
    for (let i = 0; i < 5000; i++) await store.set(`h${i}`, state({}), clock.now() - 1)
    expect(await store.cleanup()).toBeLessThan(1000)
  })

  it('refuses a state that is no JSON before it forgets the old one', async () => {
    const store = new WfStateStoreMemory()
    await store.set('h', state(1))
    await expect(store.set('h', state(1n))).rejects.toThrow()
    expect((await store.get('h'))?.state.context).toBe(1)
  })

  it('takes __proto__ for a handle like any other', async () => {
    const store = new WfStateStoreMemory()
    expect(await store.get('__proto__')).toBeNull()
    await store.set('__proto__', state(1))
    expect(await store.getAndDelete('__proto__')).not.toBeNull()
  })
})

// What it has in common with other ledgers is in test/conformance/ledgers.test.ts.
describe('WfLedgerMemory', () => {
  it('sweeps expired entries by itself', async () => {
    const clock = new FakeClock()
    const ledger = new WfLedgerMemory({ clock })
    for (let i = 0; i < 5000; i++) await ledger.spend('token', `${i}`, clock.now() - 1)
    expect(await ledger.cleanup()).toBeLessThan(1000)
  })
})
