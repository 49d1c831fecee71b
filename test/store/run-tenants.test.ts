import { outletEmail } from '@atscript/moost-wf'
import { AsWfRunStore } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/state'
import { TenantRunRow } from '../fixtures/schemas/tenant-run-row.as'
import { WfEventRow, WfLinkRow } from '../fixtures/schemas/wf-run-rows.as'
import { type TestDatabase, testEngines } from '../support/databases'
import { hangIn, openDurableApp, startOrder } from '../support/durable-app'

const ADA = { input: { name: 'Ada' } }

describe.each(testEngines())('runs of tenants on $name', engine => {
  let database: TestDatabase
  let space: ReturnType<TestDatabase['open']>
  let runs: TenantRuns
  const clock = new FakeClock()
  /** Whose request it is; nobody's where there is none. */
  let tenant: string | undefined

  class TenantRuns extends AsWfRunStore {
    protected override scope() {
      if (tenant === undefined) throw new Error('There is no request.')
      return { tenantId: tenant }
    }
  }

  beforeAll(async () => {
    database = await engine.create()
    space = database.open()
    const tables = {
      runs: space.table(TenantRunRow),
      events: space.table(WfEventRow),
      links: space.table(WfLinkRow),
    }
    await space.sync()
    runs = new TenantRuns({ space, ...tables, clock })
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })
  beforeEach(() => {
    tenant = 'a'
  })

  const tenantOf = async (flowId: string) =>
    (await space.table(TenantRunRow).findOne({ filter: { flowId } }))?.tenantId

  it('end without telling another tenant', async () => {
    const app = await openDurableApp({ runs, clock })
    let finish: (() => void) | undefined
    app.deeds.ask = () => new Promise<void>(resolve => (finish = resolve))
    const { flowId } = await app.api.start('shop/order', ADA)
    await vi.waitFor(() => expect(finish).toBeDefined())
    tenant = 'b'
    const seen = app.api.result(flowId)
    tenant = 'a'
    finish!()
    expect(await seen).toBeNull()
    expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
  })

  it('are seen by their own tenant alone', async () => {
    const app = await openDurableApp({ runs, clock })
    const runKey = crypto.randomUUID()
    const correlationId = crypto.randomUUID()
    app.deeds.ask = () => new Promise(() => {})
    const { flowId } = await app.api.start('shop/order', { runKey, correlationId })
    const { token, flowId: paused } = await startOrder(await openDurableApp({ runs, clock }))
    const hash = await sha256(token.slice('durable.'.length))
    const everything = async () => [
      await runs.find(flowId),
      await runs.findByKey(runKey),
      await runs.findByLink(hash),
      (await runs.getMany([flowId]))[0],
      (await runs.page({ correlationId, limit: 5 }))[0],
      (await runs.history(flowId))[0],
      (await runs.links(paused))[0],
    ]
    for (const found of await everything()) expect(found).toBeTruthy()
    expect(await tenantOf(flowId)).toBe('a')
    tenant = 'b'
    for (const found of await everything()) expect(found).toBeFalsy()
    expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'refused' })
    expect(await app.api.cancel(flowId)).toBeNull()
  })

  it('have keys of their own, which stay theirs until they end', async () => {
    const app = await openDurableApp({ runs, clock })
    const runKey = `~${crypto.randomUUID()}`
    const how = { runKey, onConflict: 'join' } as const
    app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
    const { flowId } = await app.api.start('shop/order', how)
    expect(await app.api.start('shop/order', how)).toEqual({ flowId, created: false })
    tenant = 'b'
    const ofB = await app.api.start('shop/order', how)
    expect(ofB.created).toBe(true)
    const superseding = await app.api.start('shop/order', { runKey, onConflict: 'supersede' })
    await app.api.stop()
    expect(await app.api.get(ofB.flowId)).toMatchObject({ status: 'cancelled', runKey: undefined })
    expect(await app.api.get(superseding.flowId)).toMatchObject({ runKey })
    // Written by whoever asks nobody's tenant: the key is still that of its own.
    tenant = undefined
    await app.takeUp(superseding.flowId)
    tenant = 'a'
    expect(await runs.findByKey(runKey)).toMatchObject({ flowId, runKey })
  })

  it.each(['ask', 'work'] as const)(
    'go on by themselves without a request, as their tenant’s: lost in %s',
    async step => {
      const dead = await openDurableApp({ runs, clock })
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, step, token, ADA.input)
      const table = space.table(TenantRunRow)
      await table.updateMany({ flowId }, { leaseUntil: 1, dueAt: 1 })
      tenant = undefined
      const app = await openDurableApp({ runs, clock })
      expect(await app.api.runDue()).toMatchObject({ done: 1, failed: 0 })
      expect(await runs.find(flowId, { everywhere: true })).toMatchObject({ status: 'completed' })
      expect(await tenantOf(flowId)).toBe('a')
    },
  )
})
