import { expect } from 'vitest'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import { newHandle, type OpenStore, stateWith, type StoreLacks } from './opened-store'

export function describeVersions(open: OpenStore, lacks: StoreLacks): void {
  const itIfVersions = casesUnless('describeStateStore', lacks)('versions')

  itIfVersions('counts the writes of a handle', async () => {
    const { store } = await open()
    const handle = newHandle()
    const versions: number[] = []
    for (let write = 0; write < 3; write++) {
      await store.set(handle, stateWith(write))
      versions.push((await store.get(handle))?.version ?? Number.NaN)
    }
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
    expect(new Set(versions).size).toBe(3)
  })

  itIfVersions('goes on counting when a state that was taken is put back', async () => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(1))
    const taken = await store.getAndDelete(handle)
    await store.set(handle, stateWith(2), undefined, { follows: taken?.version })
    expect((await store.get(handle))?.version).toBeGreaterThan(taken?.version ?? Infinity)
  })

  itIfVersions('refuses a write that builds on an older version', async () => {
    const { store } = await open()
    const handle = newHandle()
    const conflict = { code: 'WF_CONFLICT' }
    await store.set(handle, stateWith(1), undefined, { expectedVersion: 0 })
    const read = (await store.get(handle))?.version
    const again = store.set(handle, stateWith(2), undefined, { expectedVersion: 0 })
    await expect(again).rejects.toMatchObject(conflict)
    await store.set(handle, stateWith(3), undefined, { expectedVersion: read })
    const stale = store.set(handle, stateWith(4), undefined, { expectedVersion: read })
    await expect(stale).rejects.toMatchObject(conflict)
    expect((await store.get(handle))?.state.context).toBe(3)
    await store.delete(handle)
    const late = store.set(handle, stateWith(5), undefined, { expectedVersion: read })
    await expect(late).rejects.toMatchObject(conflict)
    expect(await store.get(handle)).toBeNull()
  })

  itIfVersions('lets one of 20 writers of one version win', async () => {
    const { store } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(0))
    const expectedVersion = (await store.get(handle))?.version
    const outcomes = await race(20, n =>
      store.set(handle, stateWith(n), undefined, { expectedVersion }).then(
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
    await store.set(handle, stateWith(1))
    const version = (await store.get(handle))?.version
    await store.set(handle, stateWith(2))
    expect(await store.getAndDelete(handle, { version })).toBeNull()
    expect((await store.get(handle))?.state.context).toBe(2)
    const current = (await store.get(handle))?.version
    expect(await store.getAndDelete(handle, { version: current })).not.toBeNull()
  })
}
