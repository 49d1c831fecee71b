import { randomBytes } from 'node:crypto'
import {
  createWfRuns,
  DurableStateStrategy,
  HandleStateStrategy,
  MoostWf,
  Step,
  StepRetry,
  useWfStep,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { createWfRunner } from '@atscript/moost-wf/run'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { describe, expect, it, vi } from 'vitest'
import { buildApp } from '../support/moost-app'

const logger = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const TIMEOUT_MS = 20

interface Charge {
  charged?: number
}

/** An application with a step that says itself how it is tried again, in a strategy that says otherwise. */
async function openPayments() {
  const deeds = { charge: async (_ctx: Charge): Promise<unknown> => undefined }

  @Controller('pay')
  class Payments {
    @Workflow('order')
    @WorkflowSchema(['charge', 'other'])
    order() {}

    @Step('charge')
    @StepRetry({ attempts: 2, backoff: 'fixed', baseMs: 500, jitter: 0, timeoutMs: TIMEOUT_MS })
    charge(@WorkflowParam('context') ctx: Charge) {
      return deeds.charge(ctx)
    }

    @Step('other')
    other() {}
  }

  const { app, wf } = buildApp([Payments])
  await app.init()
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock })
  const retry = { attempts: 9, baseMs: 9000 }
  const state = new DurableStateStrategy({ runs, retry, secret: randomBytes(32) })
  const api = createWfRuns({ state, clock, logger, worker: false }, wf)
  return { wf, clock, deeds, runs, api, runner: createWfRunner({ state, clock, logger }, wf) }
}

async function failOnce(app: Awaited<ReturnType<typeof openPayments>>, deed: () => unknown) {
  app.deeds.charge = async () => deed()
  const result = await app.runner.start('pay/order')
  if (result.kind !== 'retrying') throw new Error(result.kind)
  return { flowId: result.flowId!, waitMs: result.retryAt - app.clock.now() }
}

describe('a step with @StepRetry', () => {
  it('is tried again as it says, whatever its strategy says', async () => {
    const app = await openPayments()
    const { flowId, waitMs } = await failOnce(app, () => Promise.reject(new Error('A test.')))
    expect(waitMs).toBe(500)
    app.clock.advance(500)
    await app.api.runDue()
    expect(await app.api.get(flowId)).toMatchObject({ status: 'failed', attempts: 2 })
  })

  it('has failed when it takes too long; its signal fires, and its late result changes nothing', async () => {
    const app = await openPayments()
    let signal: AbortSignal | undefined
    let finish = () => {}
    let late: Promise<void> | undefined
    app.deeds.charge = async ctx => {
      signal = useWfStep().signal
      late = new Promise<void>(resolve => (finish = resolve)).then(() => {
        ctx.charged = 99
      })
      return late
    }
    const result = await app.runner.start('pay/order')
    const { flowId = '' } = result.kind === 'retrying' ? result : {}
    expect(result).toMatchObject({ kind: 'retrying' })
    expect(signal?.reason).toMatchObject({ code: 'WF_TIMEOUT' })
    const noted = await app.runs.find(flowId)
    expect(noted?.lastError).toMatchObject({ code: 'WF_TIMEOUT', stepId: 'pay/charge' })
    const history = await app.runs.history(flowId)
    finish()
    await late
    expect([await app.runs.find(flowId), await app.runs.history(flowId)]).toEqual([noted, history])
    app.deeds.charge = async ctx => void (ctx.charged = 1)
    app.clock.advance(500)
    await app.api.runDue()
    expect(await app.api.get(flowId)).toMatchObject({
      status: 'completed',
      context: { charged: 1 },
    })
  })

  it('may fail late without anybody noticing', async () => {
    const app = await openPayments()
    const unhandled = vi.fn<() => void>()
    process.on('unhandledRejection', unhandled)
    let fail = (_error: Error) => {}
    await failOnce(app, () => new Promise((_, reject) => (fail = reject)))
    fail(new Error('too late'))
    await new Promise(resolve => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('tells later steps nothing of its time', async () => {
    const app = await openPayments()
    const { flowId } = await app.api.start('pay/order')
    expect(await app.api.result(flowId, { timeoutMs: 5000 })).toMatchObject({
      status: 'completed',
    })
  })

  it('takes too long on every strategy', async () => {
    const app = await openPayments()
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    app.deeds.charge = () => new Promise(() => {})
    const runner = createWfRunner({ state, logger }, app.wf)
    await expect(runner.start('pay/order')).rejects.toMatchObject({ code: 'WF_TIMEOUT' })
  })
})

describe('options of @StepRetry, and of a strategy', () => {
  const WRONG = [
    { attempts: 0 },
    { attempts: 1.5 },
    { backoff: 'linear' as never },
    { baseMs: -1 },
    { baseMs: 10, maxMs: 9 },
    { jitter: 1.1 },
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
  ]
  it.each(WRONG)('refuse %o', retry => {
    const refused = expect.objectContaining({ code: 'WF_CONFIG' })
    expect(() => StepRetry(retry)).toThrow(refused)
    const runs = new WfRunStoreMemory()
    expect(() => new DurableStateStrategy({ runs, retry })).toThrow(refused)
  })

  it('are known of each step', async () => {
    const { wf } = await openPayments()
    expect(wf).toBeInstanceOf(MoostWf)
    const { policyOf } = wf.describe('pay/order')!
    expect(policyOf?.('pay/charge')?.retry).toMatchObject({ attempts: 2, maxMs: 300_000 })
    expect(policyOf?.('pay/other')?.retry).toBeUndefined()
  })
})
