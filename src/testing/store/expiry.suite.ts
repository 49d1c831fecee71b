import { expect, it } from 'vitest'
import { newHandle, type OpenStore, stateWith } from './opened-store'

export function describeExpiry(open: OpenStore): void {
  it('overwrites the state and its expiry', async () => {
    const { store, clock } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(1), clock.now() + 1000)
    await store.set(handle, stateWith(2), clock.now() + 2000)
    expect(await store.get(handle)).toMatchObject({
      state: stateWith(2),
      expiresAt: clock.now() + 2000,
    })
    await store.set(handle, stateWith(3))
    expect((await store.get(handle))?.expiresAt).toBeUndefined()
    clock.advance(1e9)
    expect((await store.get(handle))?.state.context).toBe(3)
  })

  it('expires at the moment, not after it', async () => {
    const { store, clock } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(), clock.now() + 1000)
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
      await store.set(handle, stateWith(), expiresAt)
      expect(await store.getAndDelete(handle)).toBeNull()
    }
  })

  it('writes over what has expired', async () => {
    const { store, clock } = await open()
    const handle = newHandle()
    await store.set(handle, stateWith(1), clock.now() + 1)
    clock.advance(1)
    await store.set(handle, stateWith(2), clock.now() + 1)
    expect((await store.getAndDelete(handle))?.state.context).toBe(2)
  })

  it('tells of what has expired, and of nothing else', async ({ skip }) => {
    const { store, clock } = await open()
    if (!store.getExpired) return skip('there is no getExpired')
    const [ended, live] = [newHandle(), newHandle()]
    await store.set(ended, stateWith('ended'), clock.now() + 10)
    await store.set(live, stateWith('live'), clock.now() + 11)
    expect(await store.getExpired(ended)).toBeNull()
    clock.advance(10)
    expect(await store.getExpired(ended)).toMatchObject({ state: stateWith('ended') })
    expect(await store.getExpired(ended)).toMatchObject({ expiresAt: clock.now() })
    expect(await store.getAndDelete(ended)).toBeNull()
    expect(await store.getExpired(ended), 'after it could not be taken').not.toBeNull()
    expect(await store.getExpired(live)).toBeNull()
    expect(await store.getExpired(newHandle())).toBeNull()
    expect(await store.getExpired(null as unknown as string)).toBeNull()
    await store.delete(ended)
    expect(await store.getExpired(ended)).toBeNull()
  })

  it('cleans up what has expired and nothing else', async ({ skip }) => {
    const { store, clock } = await open()
    if (!store.cleanup) return skip('there is no cleanup')
    const [expired, live, forEver] = [newHandle(), newHandle(), newHandle()]
    await store.set(expired, stateWith(), clock.now() + 10)
    await store.set(live, stateWith(), clock.now() + 11)
    await store.set(forEver, stateWith())
    clock.advance(10)
    expect(await store.cleanup()).toBeGreaterThanOrEqual(1)
    expect(await store.get(live)).not.toBeNull()
    expect(await store.get(forEver)).not.toBeNull()
    // Before its end again: it is gone, not only hidden.
    clock.advance(-5)
    expect(await store.get(expired)).toBeNull()
  })
}
