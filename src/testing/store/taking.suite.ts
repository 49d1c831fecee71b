import { expect, it } from 'vitest'
import { race } from '../race'
import { newHandle, type OpenStore, stateWith } from './opened-store'

export function describeTaking(open: OpenStore): void {
  it('gives a state away once', async () => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith())
    expect(await store.getAndDelete(handle)).toMatchObject({ state: stateWith() })
    expect(await store.getAndDelete(handle)).toBeNull()
    expect(await store.get(handle)).toBeNull()
  })

  it('lets exactly one of 100 racing takers win', async () => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith())
    const winners = await race(100, () => store.getAndDelete(handle))
    expect(winners.filter(Boolean)).toHaveLength(1)
  })

  it('loses no write to a taker of the same handle', async () => {
    const { store } = await open()
    const handle = newHandle()
    for (let round = 0; round < 30; round++) {
      await store.set(handle, stateWith('a'))
      const [taken] = await Promise.all([
        store.getAndDelete(handle),
        store.set(handle, stateWith('b')),
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
      race(30, n => store.set(handle, stateWith(n))),
      race(30, () => store.getAndDelete(handle)),
    ])
    const left = await store.getAndDelete(handle)
    const seen = [...taken, left].flatMap(one => (one ? [one.state.context] : []))
    expect(new Set(seen).size).toBe(seen.length)
  })
}
