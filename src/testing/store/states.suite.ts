import { expect, it } from 'vitest'
import { CONTEXTS } from '../contexts'
import { titled } from '../shown'
import { newHandle, type OpenStore, stateWith } from './opened-store'

/** What comes instead of a handle from whoever tries. */
const NO_HANDLES = [
  '',
  '\0',
  '\ud800',
  'x'.repeat(1e6),
  '__proto__',
  'unknown',
  "'; --",
  null,
  undefined,
  7,
  {},
  [],
]

const cycle: Record<string, unknown> = {}
cycle.self = cycle

const INVALID: readonly (readonly [string, unknown])[] = [
  ['a BigInt', { deep: { amount: 1n } }],
  ['a cycle', { deep: cycle }],
  ['no context at all', undefined],
  ['a function for a context', () => 1],
]

export function describeStates(open: OpenStore): void {
  it.each(CONTEXTS)('gives back what it was given: %s', async (_title, context) => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(context))
    expect((await store.get(handle))?.state).toEqual(stateWith(context))
    expect((await store.getAndDelete(handle))?.state).toEqual(stateWith(context))
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
    const mine = stateWith({ list: [1] })
    await store.set(handle, mine)
    ;(mine.context as { list: number[] }).list.push(2)
    const read = (await store.get(handle))?.state.context as { list: number[] }
    expect(read).toEqual({ list: [1] })
    read.list.push(3)
    expect((await store.get(handle))?.state.context).toEqual({ list: [1] })
  })

  it.each(titled(NO_HANDLES))('has nothing for the handle %s', async (_title, handle) => {
    const { store } = await open()
    expect(await store.get(handle as string)).toBeNull()
    expect(await store.getAndDelete(handle as string)).toBeNull()
    await store.delete(handle as string)
  })

  it('tells handles apart that differ in case, in spaces or in accents', async () => {
    const { store } = await open()
    const handle = newHandle()
    const twins = ['a', 'A', 'a ', 'ä', 'á'].map(end => handle + end)
    for (const twin of twins) await store.set(twin, stateWith(twin))
    for (const twin of twins) expect((await store.get(twin))?.state.context).toBe(twin)
    await store.delete(twins[0]!)
    expect(await store.get(twins[1]!)).not.toBeNull()
  })

  it('marks two reads of one write as the same, and no others', async ({ skip }) => {
    const { store } = await open()
    const handle = newHandle()
    const revision = async () => (await store.get(handle))?.revision
    await store.set(handle, stateWith())
    const first = await revision()
    if (first === undefined) return skip('there are no revisions')
    expect(await revision()).toBe(first)
    await store.set(handle, stateWith())
    const second = await revision()
    const taken = await store.getAndDelete(handle)
    expect(taken?.revision).toBe(second)
    await store.set(handle, stateWith())
    expect(new Set([first, second, await revision()]).size).toBe(3)
  })

  it('deletes, and is content to have nothing to delete', async () => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith())
    await store.delete(handle)
    await store.delete(handle)
    expect(await store.get(handle)).toBeNull()
  })

  it.each(INVALID)('refuses %s before it forgets the old state', async (_title, context) => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(1))
    await expect(store.set(handle, { ...stateWith(), context })).rejects.toMatchObject({
      code: 'WF_STATE_INVALID',
    })
    expect((await store.get(handle))?.state.context).toBe(1)
  })
}
