import {
  createWfRuns,
  done,
  DurableStateStrategy,
  goTo,
  Step,
  Workflow,
  WorkflowParam,
  WorkflowSteps,
} from '@atscript/moost-wf'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { LEASE_MS, SECRET } from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import { describeOnRunStores, type SharedRuns } from '../support/run-stores'

interface Order {
  total: number
  charged?: number
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger

/** A process that runs orders, whose steps name what comes next. */
async function openOrders({ runs, clock }: SharedRuns) {
  const ran: string[] = []
  const deeds = {
    charge: async (): Promise<unknown> => goTo('ship'),
    ship: (): unknown => done({ shipped: true }),
  }

  @Controller('orders')
  class Orders {
    @Workflow('order')
    @WorkflowSteps(['check', 'charge', 'ship', 'refuse'])
    order() {}

    @Step('check')
    check(@WorkflowParam('context') ctx: Order) {
      ran.push('check')
      return goTo(ctx.total > 0 ? 'charge' : 'refuse')
    }

    @Step('charge')
    charge(@WorkflowParam('context') ctx: Order) {
      ran.push('charge')
      ctx.charged = ctx.total
      return deeds.charge()
    }

    @Step('ship')
    ship() {
      ran.push('ship')
      return deeds.ship()
    }

    @Step('refuse')
    refuse() {
      ran.push('refuse')
      return done({ shipped: false })
    }
  }

  const { app, wf } = buildApp([Orders])
  await app.init()
  const strategy = new DurableStateStrategy({ runs, secret: SECRET, leaseMs: LEASE_MS })
  const api = createWfRuns({ state: strategy, clock, logger: SILENT, worker: false }, wf)
  const typesOf = async (flowId: string) =>
    (await api.history(flowId)).map(({ type, stepId }) => (stepId ? `${type} ${stepId}` : type))
  return { ran, deeds, api, typesOf }
}

function describeNamedSteps(share: () => SharedRuns): void {
  it('go where each step says, and tell so', async () => {
    const { ran, api, typesOf } = await openOrders(share())
    const { flowId } = await api.start('orders/order', { context: { total: 7 } })
    expect(await api.result(flowId)).toMatchObject({
      status: 'completed',
      data: { shipped: true },
    })
    expect(ran).toEqual(['check', 'charge', 'ship'])
    expect((await typesOf(flowId)).filter(type => type.startsWith('step_completed'))).toEqual([
      'step_completed orders/check',
      'step_completed orders/charge',
      'step_completed orders/ship',
    ])
    expect((await api.getSnapshot(flowId))?.stepStatuses).toEqual({
      'orders/check': 'completed',
      'orders/charge': 'completed',
      'orders/ship': 'completed',
      'orders/refuse': 'idle',
    })
    const small = await api.start('orders/order', { context: { total: 0 } })
    expect(await api.result(small.flowId)).toMatchObject({ data: { shipped: false } })
    expect(ran.slice(3)).toEqual(['check', 'refuse'])
  })

  it('go on at the step that was next, in another process', async () => {
    const shared = share()
    const first = await openOrders(shared)
    first.deeds.ship = () => new Promise(() => {})
    const { flowId } = await first.api.start('orders/order', { context: { total: 7 } })
    await expect.poll(() => first.ran.at(-1)).toBe('ship')
    shared.clock.advance(LEASE_MS + 1)
    const second = await openOrders(shared)
    expect(await second.api.runDue()).toMatchObject({ done: 1 })
    expect(second.ran).toEqual(['ship'])
    expect(await second.api.result(flowId)).toMatchObject({ data: { shipped: true } })
    expect(await second.typesOf(flowId)).toContain('recovered')
  })

  it('do not go on at a step that there is not', async () => {
    const { api, deeds, ran } = await openOrders(share())
    deeds.charge = async () => goTo('fly')
    const { flowId } = await api.start('orders/order', { context: { total: 7 } })
    await expect
      .poll(async () => (await api.get(flowId))?.lastError)
      .toMatchObject({ code: 'WF_NO_SUCH_STEP' })
    expect(ran).toEqual(['check', 'charge'])
    const run = await api.get(flowId)
    expect(run?.context).toEqual({ total: 7 })
  })
}

describe('durable runs of named steps', () => describeOnRunStores(describeNamedSteps))
