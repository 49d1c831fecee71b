import { NonRetryableError, StepRetriableError, WfError, WfLedgerMemory } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import type { Logger } from '@wooksjs/event-core'
import { describe, expect, it, vi } from 'vitest'
import {
  type DurableAppOptions,
  LEASE_MS,
  openDurableApp,
  startOrder,
} from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }
const RETRY = { attempts: 3, baseMs: 1000, jitter: 0 }

describeOnRunStores(share => {
  const open = async (options: DurableAppOptions = {}) => {
    const shared = share()
    const { strategy, config } = options
    const app = await openDurableApp(shared, {
      ...options,
      strategy: { retry: RETRY, ...strategy },
      config: { logger: SILENT, ledger: new WfLedgerMemory({ clock: shared.clock }), ...config },
    })
    const typesOf = async (flowId: string) =>
      (await shared.runs.history(flowId)).map(({ type }) => type)
    return { ...app, ...shared, typesOf }
  }

  /** Lets a step fail so often. */
  function failing(times: number, error: unknown = new Error('A secret.')) {
    let failed = 0
    return () => {
      if (failed++ < times) throw error
    }
  }

  describe('a step that fails', () => {
    it('is tried again, and has run three times if it fails twice', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(2)
      const now = app.clock.now()
      expect(await app.runner.resume(token, ADA)).toMatchObject({
        kind: 'retrying',
        retryAt: now + 1000,
      })
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'error',
        attempts: 1,
        lastError: { code: 'WF_INTERNAL' },
        retryState: { stepId: 'shop/work', attempts: 1, nextRetryAt: now + 1000 },
      })
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      app.clock.advance(1000)
      await app.api.runDue()
      expect((await app.api.get(flowId))?.retryState).toMatchObject({
        attempts: 2,
        nextRetryAt: now + 3000,
      })
      app.clock.advance(1999)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      app.clock.advance(1)
      await app.api.runDue()
      expect(app.ran).toEqual(['ask', 'ask', 'work', 'work', 'work', 'last'])
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed', attempts: 0 })
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'resumed',
        'step_started',
        'step_completed',
        'step_failed',
        'resumed',
        'step_failed',
        'resumed',
        'step_started',
        'step_completed',
        'step_started',
        'step_completed',
        'workflow_completed',
      ])
      expect(JSON.stringify(await app.api.history(flowId))).not.toContain('secret')
    })

    it('gets again what was answered, if it is the one that was asked', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { ask } = app.deeds
      app.deeds.ask = failing(1)
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'retrying' })
      app.deeds.ask = ask
      app.clock.advance(1000)
      await app.api.runDue()
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
    })

    it('is not tried again where its answer is not kept: its link lives', async () => {
      const app = await open({ strategy: { secret: undefined } })
      const { token, flowId } = await startOrder(app)
      const { ask } = app.deeds
      app.deeds.ask = failing(1)
      await expect(app.runner.resume(token, ADA)).rejects.toThrow()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused', attempts: 1 })
      app.deeds.ask = ask
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
    })

    it('is tried again when it is the first one', async () => {
      const app = await open()
      const { ask } = app.deeds
      app.deeds.ask = failing(1)
      const started = await app.runner.start('shop/order', ADA)
      if (started.kind !== 'retrying') throw new Error(started.kind)
      expect(await app.runner.watch(started.watch!)).toMatchObject({ state: 'waiting' })
      app.deeds.ask = ask
      app.clock.advance(1000)
      await app.api.runDue()
      expect(await app.api.get(started.flowId!)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
      expect(await app.runner.watch(started.watch!)).toMatchObject({ state: 'ended' })
    })

    it('is tried again where its run was started by the application, and has its key', async () => {
      const app = await open()
      app.deeds.work = failing(1)
      const runKey = 'ada'
      const { flowId } = await app.api.start('shop/order', { ...ADA, runKey })
      await app.api.stop()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'error', runKey })
      const refused = await app.runner.start('shop/order', { ...ADA, runKey })
      expect(refused).toMatchObject({ kind: 'refused', code: 'WF_CONFLICT' })
      app.clock.advance(1000)
      const other = await open()
      await other.api.runDue()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('keeps the key that was taken for it', async () => {
      const app = await open()
      const runKey = 'ada'
      app.deeds.ask = failing(1)
      const first = await app.runner.start('shop/order', { ...ADA, runKey })
      expect(first).toMatchObject({ kind: 'retrying' })
      expect(await app.runner.start('shop/order', { ...EVE, runKey })).toMatchObject({
        kind: 'refused',
      })
      app.deeds.ask = () => undefined
      app.clock.advance(1000)
      await app.api.runDue()
      expect(await app.runs.find(first.kind === 'retrying' ? first.flowId! : '')).toMatchObject({
        status: 'completed',
      })
    })

    it('has failed when all attempts are used up, and goes on when someone says so', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { work } = app.deeds
      app.deeds.work = failing(9)
      await app.runner.resume(token, ADA)
      for (let attempt = 2; attempt <= 3; attempt++) {
        app.clock.advance(10_000)
        await app.api.runDue()
      }
      app.clock.advance(LEASE_MS)
      expect(await app.api.runDue()).toMatchObject({ done: 0, failed: 0 })
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'failed',
        attempts: 3,
        lastError: { code: 'WF_INTERNAL', stepId: 'shop/work' },
      })
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'workflow_failed',
        stepId: 'shop/work',
        detail: { code: 'WF_INTERNAL', attempts: 3 },
      })
      expect(app.ran.filter(step => step === 'work')).toHaveLength(3)
      app.deeds.work = work
      await app.durable.manage.retry(flowId)
      expect(await app.api.get(flowId)).toMatchObject({ status: 'active', attempts: 0 })
      await app.api.runDue()
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada', work: 1 },
      })
    })

    it('gets its answer also when it is tried again by hand', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { ask } = app.deeds
      app.deeds.ask = failing(1, new NonRetryableError('No.'))
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('No.')
      expect(await app.api.get(flowId)).toMatchObject({ status: 'failed' })
      app.deeds.ask = ask
      await app.durable.manage.retry(flowId)
      await app.api.runDue()
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
    })

    const FOR_GOOD: Readonly<Record<string, unknown>> = {
      'says so': new NonRetryableError('No.'),
      'cannot run as it is set up': new WfError('WF_CONFIG', 'No.'),
    }
    it.each(Object.entries(FOR_GOOD))('has failed at once if it %s', async (_title, error) => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(9, error)
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('No.')
      const { code } = error as WfError
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'failed',
        attempts: 1,
        lastError: { code },
      })
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'refused' })
    })

    const NO_FAILURES: Readonly<Record<string, unknown>> = {
      refuses: new HttpError(409, 'not now'),
      'asks again': new StepRetriableError(new Error('wrong'), {}, { ask: 'again' }),
    }
    it.each(Object.entries(NO_FAILURES))('has not failed if it %s', async (_title, error) => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = failing(9, error)
      await app.runner.resume(token, ADA)
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused', attempts: 0 })
      expect(await app.typesOf(flowId)).not.toContain('step_failed')
    })

    it('is not tried again unless someone says how', async () => {
      const app = await open({ strategy: { retry: undefined } })
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(1)
      await expect(app.runner.resume(token, ADA)).rejects.toThrow()
      const run = await app.runs.find(flowId)
      expect([run?.status, run?.dueAt]).toEqual(['error', undefined])
    })
  })

  describe('a step that waits for its next attempt', () => {
    it('is left alone by whoever comes with the link, and they are told the same', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(1)
      const first = await app.runner.resume(token, ADA)
      const before = await app.runs.find(flowId)
      for (let time = 0; time < 3; time++) {
        expect(await app.runner.resume(token, EVE)).toEqual(first)
      }
      expect(await app.runs.find(flowId)).toEqual(before)
      expect(app.ran.filter(step => step === 'work')).toHaveLength(1)
    })

    it('is tried by the link once its time has come, if nobody else has', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(1)
      await app.runner.resume(token, ADA)
      app.clock.advance(1000)
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
      expect((await app.api.get(flowId))?.context).toMatchObject({ name: 'Ada' })
    })

    it('is not taken up before its time by whoever asks for it', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(1)
      await app.runner.resume(token, ADA)
      app.clock.advance(999)
      expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
      expect(app.ran.filter(step => step === 'work')).toHaveLength(1)
      app.clock.advance(1)
      expect(await app.takeUp(flowId)).toMatchObject({ kind: 'settled' })
    })

    it('is shown to a watcher who can do nothing with it', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(9)
      const told = await app.runner.resume(token, ADA)
      const { watch = '' } = told.kind === 'retrying' ? told : {}
      expect(await app.runner.watch(watch)).toEqual({ kind: 'watching', state: 'waiting' })
      expect(await app.runner.resume(watch, EVE)).toMatchObject({ kind: 'refused' })
      for (const guess of [flowId, token, `durable.${flowId}`]) {
        expect(await app.runner.watch(guess)).toMatchObject({ code: 'WF_STATE_GONE' })
      }
      for (let attempt = 2; attempt <= 3; attempt++) {
        app.clock.advance(10_000)
        await app.api.runDue()
      }
      expect(await app.runner.watch(watch)).toEqual({ kind: 'watching', state: 'failed' })
    })

    it('goes on in another process when the first one dies in an attempt', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      dead.deeds.work = failing(1)
      await dead.runner.resume(token, ADA)
      dead.clock.advance(1000)
      dead.deeds.work = () => new Promise(() => {})
      void dead.api.runDue()
      await vi.waitFor(async () => expect((await dead.runs.find(flowId))?.leaseOwner).toBeDefined())
      dead.clock.advance(LEASE_MS)
      const app = await open()
      await app.api.runDue()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
      expect(app.ran).toEqual(['work', 'last'])
    })

    it('is cancelled like any other run', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = failing(1)
      await app.runner.resume(token, ADA)
      await app.api.cancel(flowId)
      app.clock.advance(1000)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'refused' })
    })
  })

  it('waits twice as long each time, never for longer than it may, and partly by chance', async () => {
    const waits = async (retry: object) => {
      const app = await open({ strategy: { retry: { attempts: 5, ...retry } } })
      app.deeds.work = failing(9)
      const started = await app.runner.start('shop/order', ADA)
      const { flowId = '' } = started.kind === 'retrying' ? started : {}
      const found: number[] = []
      for (let attempt = 1; attempt < 5; attempt++) {
        const { dueAt = 0 } = (await app.runs.find(flowId))!
        found.push(dueAt - app.clock.now())
        app.clock.advance(found.at(-1)!)
        await app.api.runDue()
      }
      return found
    }
    const times = { baseMs: 100, maxMs: 350, jitter: 0 }
    expect(await waits(times)).toEqual([100, 200, 350, 350])
    expect(await waits({ ...times, backoff: 'fixed' })).toEqual([100, 100, 100, 100])
    const [first, second] = (await waits({ ...times, jitter: 1 })) as [number, number]
    expect(first).toBeLessThanOrEqual(100)
    expect(second).toBeLessThanOrEqual(200)
  })
})
