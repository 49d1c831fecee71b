import { expect, it } from 'vitest'
import type { WfRunChange } from '../../state'
import { LEASE, type OpenRunStore, runThatIs } from './opened-run-store'

export function describeRunExpiry(open: OpenRunStore): void {
  it('says when the last link of a pause expires, and not of one before', async () => {
    const opened = await open()
    const { store, clock } = opened
    const now = clock.now()
    const until = (pause: number, expiresAt?: number) => ({
      hash: crypto.randomUUID(),
      audience: 'caller' as const,
      pause,
      expiresAt,
    })
    const ends = async () => (await store.find(begun.run.flowId))?.expiresAt
    const begun = await runThatIs(opened, 'paused', {
      links: [until(2, now + 5), until(2, now + 9)],
    })
    expect(await ends()).toBe(now + 9)
    const change = (change: WfRunChange) => async () => {
      const held = await store.claim((await store.find(begun.run.flowId))!, LEASE)
      await store.commit(held!, change)
      return ends()
    }
    const reminded = change({ events: [{ type: 'reminded' }], links: [until(2, now + 20)] })
    expect(await reminded()).toBe(now + 20)
    const extended = change({
      events: [{ type: 'extended' }],
      linksUntil: { pauses: [2], expiresAt: now + 30 },
    })
    expect(await extended()).toBe(now + 30)
    const stayed = change({
      events: [
        { type: 'resumed', to: 'active' },
        { type: 'stayed', to: 'paused' },
      ],
    })
    expect(await stayed()).toBe(now + 30)
    const reissued = change({ events: [{ type: 'reissued' }], links: [until(6, now + 10)] })
    expect(await reissued()).toBe(now + 10)
    const forEver = change({
      events: [
        { type: 'resumed', to: 'active' },
        { type: 'paused', to: 'paused' },
      ],
      links: [until(8)],
    })
    expect(await forEver()).toBeUndefined()
    const again = change({ events: [{ type: 'reissued' }], links: [until(9, now + 10)] })
    expect(await again()).toBe(now + 10)
    const rests = change({
      events: [
        { type: 'resumed', to: 'active' },
        { type: 'delayed', to: 'paused' },
      ],
    })
    expect(await rests()).toBeUndefined()
  })
}
