import {
  createWfRuns,
  Deadline,
  outletEmail,
  Step,
  waitFor,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfDeadlineOptions } from '@atscript/moost-wf/moost'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { describe, expect, it, vi } from 'vitest'
import { type DurableAppOptions, LEASE_MS, openDurableApp } from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import { replayHistory } from '../support/replay-history'
import { describeOnRunStores } from '../support/run-stores'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const HOUR = 60 * 60_000
const ADA = { input: { name: 'Ada' } }

describeOnRunStores(share => {
  /** An order that waits for its payment in its second step, until then. */
  const open = async (deadline: WfDeadlineOptions, options: DurableAppOptions = {}) => {
    const shared = share()
    const app = await openDurableApp(shared, { ...options, config: { logger: SILENT } })
    const paid: unknown[] = []
    app.deeds.work = (_ctx, input) => {
      if (!input) return waitFor('paid', { deadline })
      paid.push(input)
    }
    const look = async (flowId: string) => (await shared.runs.find(flowId))!
    const typesOf = async (flowId: string) =>
      (await shared.runs.history(flowId)).map(({ type }) => type)
    const start = async () => {
      const started = await app.runner.start('shop/order', ADA)
      expect(started.kind).toBe('waiting')
      return 'flowId' in started ? started.flowId! : ''
    }
    return { ...app, ...shared, paid, look, typesOf, start }
  }
  type App = Awaited<ReturnType<typeof open>>

  const afterAnHour = async ({ clock, api }: App) => {
    clock.advance(HOUR)
    return api.runDue()
  }

  describe('the deadline of a wait for a signal', () => {
    it('costs nothing until then', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'fail' })
      const flowId = await app.start()
      const at = app.clock.now() + HOUR
      expect(await app.look(flowId)).toMatchObject({ status: 'paused', dueAt: at })
      const told = { at, onTimeout: 'fail', nextReminderAt: undefined, reminders: 0 }
      expect(await app.api.get(flowId)).toMatchObject({ waitsFor: 'paid', deadline: told })
      app.clock.advance(HOUR - 1)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
      expect(await app.look(flowId)).toMatchObject({ status: 'paused', dueAt: at })
    })

    it('lets the run fail', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'fail' })
      const flowId = await app.start()
      expect(await afterAnHour(app)).toMatchObject({ done: 1 })
      const lastError = { code: 'WF_DEADLINE' }
      expect(await app.look(flowId)).toMatchObject({ status: 'failed', lastError })
      expect((await app.typesOf(flowId)).slice(-2)).toEqual(['timed_out', 'workflow_failed'])
      await expect(app.api.signal(flowId, 'paid')).rejects.toMatchObject({ code: 'WF_TRANSITION' })
    })

    it('waits without one where a run that it has let fail is tried again', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'fail' })
      const flowId = await app.start()
      await afterAnHour(app)
      expect(await app.api.retry(flowId)).toBe(true)
      expect(await app.look(flowId)).toMatchObject({ status: 'paused', waitsFor: 'paid' })
      expect(await afterAnHour(app)).toMatchObject({ done: 0 })
      expect(await app.api.signal(flowId, 'paid', { amount: 7 })).toBe(true)
      expect(await app.api.result(flowId, { timeoutMs: 5000 })).toMatchObject({
        status: 'completed',
      })
      expect(app.paid).toEqual([{ amount: 7 }])
    })

    it('cancels the run', async () => {
      const app = await open({ at: 1 + HOUR, onTimeout: 'cancel' })
      app.clock.advance(1 - app.clock.now())
      const flowId = await app.start()
      await afterAnHour(app)
      expect(await app.look(flowId)).toMatchObject({ status: 'cancelled' })
      expect((await app.look(flowId)).waitsFor).toBeUndefined()
      const last = (await app.api.history(flowId)).at(-1)
      expect(last).toMatchObject({ type: 'cancelled', detail: { reason: 'deadline' } })
    })

    it('lets the run go on at a step, which no signal of then reaches', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'last' })
      const flowId = await app.start()
      const told: unknown[] = []
      app.deeds.last = async (_ctx, input) => {
        told.push(input, await app.api.signal(flowId, 'paid', { amount: 7 }))
      }
      expect(await afterAnHour(app)).toMatchObject({ done: 1 })
      expect(told).toEqual([undefined, false])
      expect(app.paid).toEqual([])
      const { state, ...run } = await app.look(flowId)
      expect(run).toMatchObject({ status: 'completed' })
      expect(run.waitsFor).toBeUndefined()
      const history = await app.runs.history(flowId)
      expect(history.filter(({ type }) => type === 'timed_out')).toHaveLength(1)
      const { status, version, indexes } = replayHistory(history)
      const is = { status: run.status, version: run.version, indexes: state.indexes }
      expect({ status, version, indexes }).toEqual(is)
    })

    it('is what its step says, unless the wait says so itself', async () => {
      const shared = share()

      @Controller('pay')
      class Pay {
        @Workflow('in')
        @WorkflowSchema(['paid'])
        in() {}

        @Step('paid')
        @Deadline({ afterMs: HOUR, onTimeout: 'cancel' })
        paid() {
          return waitFor('paid')
        }
      }
      const { app, wf } = buildApp([Pay])
      await app.init()
      const { runConfig } = await openDurableApp(shared)
      const api = createWfRuns({ ...runConfig, logger: SILENT, worker: false }, wf)
      const { flowId } = await api.start('pay/in')
      await vi.waitFor(async () => expect((await api.get(flowId))?.waitsFor).toBe('paid'))
      shared.clock.advance(HOUR)
      await api.runDue()
      expect((await api.get(flowId))?.status).toBe('cancelled')
    })

    it('is gone with the signal that has come, and that comes too late for it', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'fail' })
      const flowId = await app.start()
      app.clock.advance(HOUR)
      expect(await app.api.signal(flowId, 'paid', { amount: 7 })).toBe(true)
      expect(await app.api.result(flowId, { timeoutMs: 5000 })).toMatchObject({
        status: 'completed',
      })
      expect(app.paid).toEqual([{ amount: 7 }])
      expect(await app.typesOf(flowId)).not.toContain('timed_out')
    })

    it('gives a wait at the same step no more time', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'fail' })
      const deadline = { afterMs: HOUR, onTimeout: 'fail' } as const
      app.deeds.work = (_ctx, input) => {
        if (input) app.paid.push(input)
        return waitFor(input ? 'shipped' : 'paid', { deadline })
      }
      const flowId = await app.start()
      const { dueAt } = await app.look(flowId)
      app.clock.advance(HOUR / 2)
      await app.api.signal(flowId, 'paid', {})
      await vi.waitFor(async () => expect((await app.look(flowId)).waitsFor).toBe('shipped'))
      expect(await app.look(flowId)).toMatchObject({ dueAt, status: 'paused' })
      app.clock.advance(HOUR / 2)
      await app.api.runDue()
      expect(await app.look(flowId)).toMatchObject({ status: 'failed' })
    })

    it('comes at its time though another signal has let somebody look', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'cancel' })
      const flowId = await app.start()
      const { dueAt } = await app.look(flowId)
      const held = (await app.runs.claim(await app.look(flowId), { owner: 'x', ms: 1 }))!
      await app.runs.release({ ...held, run: { ...held.run, dueAt: app.clock.now() } })
      await app.api.signal(flowId, 'other')
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      expect(await app.look(flowId)).toMatchObject({ status: 'paused', dueAt })
      expect(await afterAnHour(app)).toMatchObject({ done: 1 })
      expect(await app.look(flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('loses to a signal that comes while it is about to be written', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'last' })
      const flowId = await app.start()
      app.clock.advance(HOUR)
      const timer = await app.durable.takeUp(flowId, { admit: () => null })
      if (!('timer' in timer) || timer.timer !== 'deadline') throw new Error('no deadline')
      expect(await app.api.signal(flowId, 'paid', { amount: 7 })).toBe(true)
      expect(await timer.goOn(timer.state)).toBeNull()
      await app.api.runDue()
      expect(await app.api.result(flowId, { timeoutMs: 5000 })).toMatchObject({
        status: 'completed',
      })
      expect(app.paid).toEqual([{ amount: 7 }])
    })

    it.each(['fail', 'cancel'])('loses as well where it would %s the run', async onTimeout => {
      const app = await open({ afterMs: HOUR, onTimeout })
      const flowId = await app.start()
      app.clock.advance(HOUR)
      const timer = await app.durable.takeUp(flowId, { admit: () => null })
      if (!('timer' in timer) || timer.timer !== 'deadline') throw new Error('no deadline')
      await app.api.signal(flowId, 'paid', { amount: 7 })
      expect(await timer.end()).toBe(false)
      await app.api.runDue()
      expect(await app.api.result(flowId, { timeoutMs: 5000 })).toMatchObject({
        status: 'completed',
      })
      expect(app.paid).toEqual([{ amount: 7 }])
    })

    it('is reached by another process where the first one dies as it comes', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'cancel' })
      const flowId = await app.start()
      app.clock.advance(HOUR)
      const timer = await app.durable.takeUp(flowId, { admit: () => null })
      expect(timer).toMatchObject({ timer: 'deadline' })
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      app.clock.advance(LEASE_MS)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.look(flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('is kept by a change from outside, and comes along with a snapshot', async () => {
      const app = await open({ afterMs: HOUR, onTimeout: 'cancel' })
      const flowId = await app.start()
      const { dueAt, version } = await app.look(flowId)
      await app.api.update(flowId, version, () => ({ name: 'Eve' }))
      expect(await app.look(flowId)).toMatchObject({ dueAt })
      const snapshot = await app.api.getSnapshot(flowId)
      await app.api.cancel(flowId)
      app.clock.advance(1)
      await app.runs.removeEnded({ endedUntil: app.clock.now() })
      await app.api.restore(snapshot!, { schemaId: 'shop/order' })
      expect(await app.look(flowId)).toMatchObject({ dueAt, waitsFor: 'paid' })
      await afterAnHour(app)
      expect(await app.look(flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('is refused with reminders, also where a mail had gone to someone before', async () => {
      const app = await open({ afterMs: HOUR, remindEveryMs: 1000, onTimeout: 'fail' })
      await expect(app.runner.start('shop/order', ADA)).rejects.toMatchObject({
        code: 'WF_CONFIG',
        message: expect.stringContaining('nobody to remind'),
      })
      app.deeds.ask = (_ctx, input) => (input ? undefined : outletEmail('a@example.com', 'x'))
      await app.runner.start('shop/order')
      const answered = app.runner.resume(app.mails[0]!.token, ADA)
      await expect(answered).rejects.toMatchObject({ code: 'WF_CONFIG' })
    })

    it('is refused where it is none, or leads nowhere', async () => {
      const neither = await open({ onTimeout: 'fail' })
      const wrong = neither.runner.start('shop/order', ADA)
      await expect(wrong).rejects.toMatchObject({ code: 'WF_CONFIG' })
      const nowhere = await open({ afterMs: 1, onTimeout: 'nowhere' })
      const lost = nowhere.runner.start('shop/order', ADA)
      await expect(lost).rejects.toMatchObject({ code: 'WF_NO_SUCH_STEP' })
    })
  })
})
