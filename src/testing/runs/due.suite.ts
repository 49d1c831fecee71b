import { expect, it } from 'vitest'
import { type OpenRunStore, runThatIs } from './opened-run-store'

export function describeDue(open: OpenRunStore): void {
  it('tells the next moment at which somebody must look, if it comes soon enough', async () => {
    const opened = await open()
    const { store, clock } = opened
    const dueAt = clock.now() + 500
    const { run } = await runThatIs(opened, 'active', { dueAt })
    const waits = await runThatIs(opened)
    expect(await store.nextDue(499)).not.toBe(dueAt)
    expect(await store.nextDue(500)).toBeLessThanOrEqual(dueAt)
    await store.commit(waits, { events: [{ type: 'resumed', to: 'active' }], dueAt: 0 })
    expect(await store.nextDue(0)).toBe(0)
    expect(run.dueAt).toBe(dueAt)
  })
}
