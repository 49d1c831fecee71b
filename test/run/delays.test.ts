import { delay, done, goTo, outletEmail, outletHttp, waitFor } from '@atscript/moost-wf'
import {
  createWfRuns,
  DurableStateStrategy,
  Step,
  Workflow,
  WorkflowSteps,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it, vi } from 'vitest'
import { openDurableApp, paused, startOrder } from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import { describeOnRunStores } from '../support/run-stores'

const DAY = 24 * 60 * 60_000
const ADA = { input: { name: 'Ada' } }

describeOnRunStores(share => {
  const open = async () => {
    const shared = share()
    return { ...(await openDurableApp(shared)), ...shared }
  }

  describe('a delay', () => {
    it('lets the next step run when its time has come, and none twice', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = ctx => {
        ctx.work = 1
        return delay({ ms: 3 * DAY })
      }
      const until = app.clock.now() + 3 * DAY
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'delayed', until })
      const run = await app.runs.find(flowId)
      expect(run).toMatchObject({ status: 'paused', dueAt: until, stepId: 'shop/work' })
      expect(run?.state.context).toEqual({ name: 'Ada', work: 1 })
      expect(await app.api.get(flowId)).toMatchObject({ wakeAt: until })
      app.clock.advance(3 * DAY - 1)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      app.clock.advance(1)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(app.ran).toEqual(['ask', 'ask', 'work', 'last'])
      expect(await app.runs.find(flowId)).toMatchObject({ status: 'completed' })
      const types = (await app.runs.history(flowId)).map(({ type }) => type)
      expect(types.slice(5)).toEqual([
        'step_started',
        'step_completed',
        'delayed',
        'resumed',
        'step_started',
        'step_completed',
        'workflow_completed',
      ])
    })

    it('goes on behind a signal that its step had waited for', async () => {
      const app = await open()
      app.deeds.work = (_ctx, input) => (input ? delay({ ms: DAY }) : waitFor('paid'))
      const { flowId } = await app.api.start('shop/order', ADA)
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.waitsFor).toBe('paid'))
      await app.api.signal(flowId, 'paid', { amount: 7 })
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.wakeAt).toBeDefined())
      expect((await app.api.get(flowId))?.waitsFor).toBeUndefined()
      app.clock.advance(DAY)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.runs.find(flowId)).toMatchObject({ status: 'completed' })
    })

    it('has no link: whoever had one comes too late', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = () => delay({ until: app.clock.now() + DAY })
      await app.runner.resume(token, ADA)
      expect(await app.api.links(flowId)).toEqual([])
      expect(await app.runner.resume(token, ADA)).toMatchObject({ code: 'WF_USED' })
    })

    it('can be followed by a mail', async () => {
      const app = await open()
      app.deeds.ask = () => delay({ ms: DAY })
      app.deeds.work = (_ctx, input) => (input ? undefined : outletEmail('a@example.com', 'survey'))
      await app.runner.start('shop/order')
      app.clock.advance(DAY)
      await app.api.runDue()
      const answered = await app.runner.resume(app.mails[0]!.token, ADA)
      expect(answered).toMatchObject({ kind: 'finished' })
    })

    it('is cancelled with its run', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = () => delay({ ms: DAY })
      await app.runner.resume(token, ADA)
      await app.api.cancel(flowId)
      app.clock.advance(DAY)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
    })

    it('is refused where nobody would go on', async () => {
      const app = await open()
      app.deeds.ask = () => delay({ ms: DAY })
      const starting = app.runner.start('shop/order', { strategy: 'encapsulated' })
      await expect(starting).rejects.toMatchObject({ code: 'WF_CONFIG' })
    })

    it('comes along with a snapshot', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = () => delay({ ms: DAY })
      await app.runner.resume(token, ADA)
      const snapshot = await app.api.getSnapshot(flowId)
      await app.api.cancel(flowId)
      app.clock.advance(30 * DAY)
      await app.runs.removeEnded({ endedUntil: app.clock.now() })
      await app.api.restore(snapshot!, { schemaId: 'shop/order' })
      await app.api.runDue()
      expect(await app.runs.find(flowId)).toMatchObject({ status: 'completed' })
    })

    it('leaves a pause of the caller to whoever has its link', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      app.deeds.ask = () => outletHttp({ ask: 'again' })
      expect(paused(await app.runner.resume(token, ADA)).token).not.toBe(token)
    })
  })
})

describe('a delay of named steps', () => {
  it('says where it goes on', async () => {
    const ran: string[] = []

    @Controller('orders')
    class Orders {
      @Workflow('order')
      @WorkflowSteps({ ship: ['rest'], rest: ['survey'], survey: [] })
      order() {}

      @Step('ship')
      ship() {
        ran.push('ship')
        return goTo('rest')
      }

      @Step('rest')
      rest() {
        ran.push('rest')
        return delay({ ms: DAY, step: 'survey' })
      }

      @Step('survey')
      survey() {
        ran.push('survey')
        return done({ asked: true })
      }
    }

    const { app, wf } = buildApp([Orders])
    await app.init()
    const clock = new FakeClock()
    const state = new DurableStateStrategy({ runs: new WfRunStoreMemory({ clock }) })
    const api = createWfRuns({ state, clock, worker: false }, wf)
    const { flowId } = await api.start('orders/order')
    await expect.poll(async () => (await api.get(flowId))?.status).toBe('paused')
    clock.advance(DAY)
    await api.runDue()
    expect(ran).toEqual(['ship', 'rest', 'survey'])
    expect(await api.get(flowId)).toMatchObject({
      status: 'completed',
      result: { data: { asked: true } },
    })
  })

  it.each([{}, { ms: 1, until: 1 }, { ms: -1 }, { ms: 0.5 }])('refuses %o', options => {
    expect(() => delay(options)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })
})
