import { expect, it } from 'vitest'
import { allOf, LEASE, type OpenRunStore, runThatIs, stateOf } from './opened-run-store'

export function describeRunKeys(open: OpenRunStore): void {
  it('has one run with a key at a time, until that ends', async () => {
    const opened = await open()
    const { store } = opened
    const runKey = crypto.randomUUID()
    const first = await runThatIs(opened, 'paused', {}, { runKey })
    expect((await store.findByKey(runKey))?.flowId).toBe(first.run.flowId)
    await expect(runThatIs(opened, 'paused', {}, { runKey })).rejects.toThrow('could not be begun')
    await store.commit(first, { events: [{ type: 'cancelled', to: 'cancelled' }] })
    expect(await store.findByKey(runKey)).toBeNull()
    const second = await runThatIs(opened, 'paused', {}, { runKey })
    expect((await store.findByKey(runKey))?.flowId).toBe(second.run.flowId)
  })

  it('ends a run and begins another with its key at once, or does neither', async () => {
    const opened = await open()
    const { store } = opened
    const runKey = crypto.randomUUID()
    const former = await runThatIs(opened, 'paused', {}, { runKey })
    const end = { events: [{ type: 'cancelled', to: 'cancelled' }] } as const
    const change = {
      events: [{ type: 'workflow_created', to: 'active' }] as const,
      state: stateOf(),
      lease: LEASE,
    }
    const freshAs = (flowId: string) => ({ flowId, schemaId: 'suite/flow', startedAt: 1, runKey })
    const before = await allOf(opened, former)
    const taken = freshAs((await runThatIs(opened)).run.flowId)
    expect(await store.supersede(former, end, taken, change)).toBeNull()
    expect(await allOf(opened, former)).toEqual(before)
    const ids = Array.from({ length: 10 }, () => crypto.randomUUID())
    const begun = await Promise.all(
      ids.map(flowId => store.supersede(former, end, freshAs(flowId), change)),
    )
    const [only, ...others] = begun.filter(held => held !== null)
    expect(others).toEqual([])
    expect(await store.findByKey(runKey)).toMatchObject({ flowId: only!.run.flowId, runKey })
    expect(await store.find(former.run.flowId)).toMatchObject({ status: 'cancelled' })
    const written = await store.getMany(ids)
    expect(written.map(({ flowId }) => flowId)).toEqual([only!.run.flowId])
    expect(await store.history(only!.run.flowId)).toHaveLength(1)
    expect(await store.renew(only!, 5)).toBe(true)
  })
}
