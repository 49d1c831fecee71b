import { outletHttp } from '@atscript/moost-wf'
import type { WfRunSnapshot } from '@atscript/moost-wf/runs'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import {
  type DurableApp,
  hangIn,
  LEASE_MS,
  openDurableApp,
  paused,
  startOrder,
} from '../support/durable-app'
import { RunDatabase, type SharedRuns } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }
const SHOP = { schemaId: 'shop/order' }

function describeRestoring(share: () => readonly [SharedRuns, SharedRuns]): void {
  const openBoth = async () => {
    const [from, to] = share()
    return { from: await openDurableApp(from), to: await openDurableApp(to), ...share() }
  }

  /** The same run in another database, as its snapshot brings it there. */
  async function move(from: DurableApp, to: DurableApp, flowId: string) {
    const snapshot = JSON.parse(JSON.stringify(await from.api.getSnapshot(flowId)))
    expect(await to.api.restore(snapshot as WfRunSnapshot, SHOP)).toBe(flowId)
    return snapshot as WfRunSnapshot
  }

  it('goes on elsewhere by the link that it had', async () => {
    const { from, to } = await openBoth()
    const { token, flowId } = await startOrder(from)
    const snapshot = await move(from, to, flowId)
    const { status, currentStepId, stepStatuses, context, metadata } = snapshot
    const same = { status, currentStepId, stepStatuses, context, metadata }
    expect(await to.api.getSnapshot(flowId)).toMatchObject(same)
    expect(await to.api.runDue()).toMatchObject({ done: 0, waiting: 0 })
    expect(await to.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    expect((await to.api.history(flowId))[0]).toMatchObject({
      type: 'restored',
      detail: { version: 2 },
    })
  })

  it('does not go on by a link that was used where it came from', async () => {
    const { from, to } = await openBoth()
    const { token: used, flowId } = await startOrder(from)
    from.deeds.work = (_ctx, input) => input ?? outletHttp({ ask: 'more' })
    const { token } = paused(await from.runner.resume(used, ADA))
    await move(from, to, flowId)
    expect(await to.runner.resume(used, EVE)).toMatchObject({ kind: 'refused' })
    expect(await to.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
  })

  it('goes on by itself with an answer that was accepted', async () => {
    const { from, to, 0: shared } = await openBoth()
    const { token, flowId } = await startOrder(from)
    await hangIn(from, 'ask', token, ADA.input)
    shared.clock.advance(LEASE_MS)
    await move(from, to, flowId)
    expect(await to.api.runDue()).toMatchObject({ done: 1 })
    expect(await to.api.get(flowId)).toMatchObject({
      status: 'completed',
      context: { name: 'Ada' },
    })
  })

  it('keeps its key to itself there', async () => {
    const { from, to } = await openBoth()
    const runKey = crypto.randomUUID()
    from.deeds.ask = () => new Promise(() => {})
    const { flowId } = await from.api.start('shop/order', { ...ADA, runKey })
    await move(from, to, flowId)
    await expect(to.api.start('shop/order', { runKey })).rejects.toMatchObject({
      code: 'WF_ALREADY_ACTIVE',
      flowId,
    })
    const snapshot = (await from.api.getSnapshot(flowId))!
    const twin = { ...snapshot, flowId: crypto.randomUUID() }
    await expect(to.api.restore(twin, SHOP)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await to.api.runDue()).toMatchObject({ done: 1 })
  })

  it('is tried again there if it has failed, with what was accepted', async () => {
    const [shared] = share()
    const from = await openDurableApp(shared, { strategy: { maxRecoveries: 0 } })
    const to = await openDurableApp(share()[1])
    const { token, flowId } = await startOrder(from)
    await hangIn(from, 'ask', token, ADA.input)
    shared.clock.advance(LEASE_MS)
    await from.api.runDue()
    await move(from, to, flowId)
    expect(await to.api.get(flowId)).toMatchObject({
      status: 'failed',
      lastError: { code: 'WF_LOST' },
    })
    await to.api.retry(flowId)
    expect(await to.api.result(flowId)).toMatchObject({ status: 'completed' })
    expect(await to.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
  })

  it('is restored once, however often at once', async () => {
    const { from, to } = await openBoth()
    const { token, flowId } = await startOrder(from)
    const snapshot = (await from.api.getSnapshot(flowId))!
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => to.api.restore(snapshot, SHOP)),
    )
    const refused = tries.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(7)
    for (const error of refused) expect(error).toMatchObject({ code: 'WF_CONFLICT' })
    expect(await to.api.history(flowId)).toHaveLength(2)
    expect(await to.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
    await expect(to.api.restore(snapshot, SHOP)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await to.api.get(flowId)).toMatchObject({ status: 'completed' })
  })

  it('is refused if it is of another workflow, or is no snapshot', async () => {
    const { from, to } = await openBoth()
    const { flowId } = await startOrder(from)
    const snapshot = (await from.api.getSnapshot(flowId))!
    await expect(to.api.restore(snapshot, { schemaId: 'shop/other' })).rejects.toMatchObject({
      code: 'WF_MISMATCH',
    })
    const { resume } = snapshot
    const junk: unknown[] = [
      null,
      'text',
      {},
      { ...snapshot, status: 'odd' },
      { ...snapshot, status: 'constructor' },
      { ...snapshot, flowId: 7 },
      { ...snapshot, currentStepId: 7 },
      { ...snapshot, totalExecutionTime: 'long' },
      { ...snapshot, totalExecutionTime: -1 },
      { ...snapshot, resume: { ...resume, attempts: 'x' } },
      { ...snapshot, resume: { ...resume, attempts: -1 } },
      { ...snapshot, resume: { ...resume, stepId: 7 } },
      { ...snapshot, retryState: 'x' },
      { ...snapshot, metadata: 'x' },
      { ...snapshot, correlationId: 7 },
      { ...snapshot, resume: undefined },
      { ...snapshot, resume: { ...resume, indexes: [-1] } },
      { ...snapshot, resume: { ...resume, indexes: 'x' } },
      { ...snapshot, resume: { ...resume, startedAt: 'x' } },
      { ...snapshot, resume: { ...resume, meta: 'x' } },
      { ...snapshot, resume: { ...resume, lastError: 'x' } },
      { ...snapshot, resume: { ...resume, runKey: 7 } },
      { ...snapshot, resume: { ...resume, answer: 7 } },
      { ...snapshot, resume: { ...resume, links: 'x' } },
      { ...snapshot, resume: { ...resume, links: [{ hash: 7 }] } },
    ]
    for (const one of junk) {
      const restoring = to.api.restore(one as WfRunSnapshot, SHOP)
      await expect(restoring, JSON.stringify(one)).rejects.toMatchObject({
        code: 'WF_STATE_INVALID',
      })
    }
    expect(await to.api.get(flowId)).toBeNull()
  })
}

describe('a run that is restored', () => {
  describe('in memory', () => {
    const share = (): SharedRuns => {
      const clock = new FakeClock()
      return { clock, runs: new WfRunStoreMemory({ clock }) }
    }
    let shared: readonly [SharedRuns, SharedRuns]
    beforeAll(() => {
      shared = [share(), share()]
    })
    describeRestoring(() => shared)
  })

  describe.each(testEngines())('on $name', engine => {
    let databases: readonly [RunDatabase, RunDatabase]
    beforeAll(async () => {
      databases = [await RunDatabase.create(engine), await RunDatabase.create(engine)]
    })
    afterAll(() => Promise.all(databases.map(database => database.drop())))
    const shared = (database: RunDatabase) => ({ clock: database.clock, runs: database.store() })
    describeRestoring(() => [shared(databases[0]), shared(databases[1])])
  })
})
