import { createWfRuns, outletEmail } from '@atscript/moost-wf'
import type { WfRunsConfig } from '@atscript/moost-wf/runs'
import type { Logger } from '@wooksjs/event-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type DurableApp,
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  startOrder,
} from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }
const PATIENCE = { timeout: 30_000 }
const NOTHING = { done: 0, handedOn: 0, waiting: 0, failed: 0, left: 0 }

describeOnRunStores(share => {
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    const app = await openDurableApp(shared, options)
    return { ...app, ...shared }
  }

  /** Runs that were left by a process that died right behind their start. */
  async function leaveRuns(count: number, options: object = ADA) {
    const dead = await open()
    dead.deeds.ask = () => new Promise(() => {})
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      ids.push((await dead.api.start('shop/order', options)).flowId)
      dead.clock.advance(1)
    }
    dead.clock.advance(LEASE_MS)
    return ids
  }

  /** Looks after runs by itself. */
  function lookAfter({ runConfig, wf }: DurableApp, options: Partial<WfRunsConfig> = {}) {
    const errors: unknown[][] = []
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (...told: unknown[]) => void errors.push(told),
    } as unknown as Logger
    const api = createWfRuns({ ...runConfig, logger, ...options }, wf)
    onTestFinished(() => api.stop())
    return { api, errors }
  }

  describe('the reason why a run goes on', () => {
    it('is stuck_failed where a step had failed, and the process that tried it again died', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      const { work } = dead.deeds
      dead.deeds.work = () => {
        throw new Error('broken')
      }
      await expect(dead.runner.resume(token, ADA)).rejects.toThrow('broken')
      expect(await dead.api.get(flowId)).toMatchObject({ status: 'error' })
      dead.deeds.work = work
      await hangIn(dead, 'work', token, {})
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(
        (await app.api.history(flowId)).find(({ type }) => type === 'recovered'),
      ).toMatchObject({ detail: { reason: 'stuck_failed', from: 'error', to: 'active' } })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed', attempts: 0 })
    })

    it('is timeout where a step took too long, whose signal has fired', async () => {
      const strategy = { leaseMs: 60, stepTimeoutMs: 30_000 }
      const slow = await open({ strategy })
      const { token, flowId } = await startOrder(slow)
      const { letGo, result } = await hangIn(slow, 'work', token, ADA.input)
      const renew = vi.spyOn(slow.runs, 'renew')
      await vi.waitFor(() => expect(renew).toHaveBeenCalled(), PATIENCE)
      slow.clock.advance(30_000)
      const app = await open({ strategy })
      await vi.waitFor(async () => {
        await app.api.runDue()
        expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
      }, PATIENCE)
      const recovered = (await app.api.history(flowId)).find(({ type }) => type === 'recovered')
      expect(recovered?.detail.reason).toBe('timeout')
      const history = await app.api.history(flowId)
      letGo()
      expect(await result).toMatchObject({ kind: 'refused', code: 'WF_CONFLICT' })
      expect(await app.api.history(flowId)).toEqual(history)
    })
  })

  describe('a process that looks after runs', () => {
    it('is not kept from it by runs that were started there', async () => {
      const [left] = await leaveRuns(1)
      const app = await open()
      const { ask } = app.deeds
      let letGo = () => {}
      const isOver = new Promise<void>(resolve => {
        letGo = resolve
      })
      app.deeds.ask = async (ctx, input) => {
        if (input?.name === 'Eve') await isOver
        return ask(ctx, input)
      }
      const { api } = lookAfter(app, { worker: { everyMs: 5, concurrency: 1 } })
      for (let index = 0; index < 3; index++) await api.start('shop/order', EVE)
      await vi.waitFor(async () => {
        expect(await app.api.get(left!)).toMatchObject({ status: 'completed' })
      }, PATIENCE)
      letGo()
    })

    it('takes nothing up once it has been stopped, although it was looking', async () => {
      const [flowId] = await leaveRuns(1)
      const app = await open()
      const due = app.runs.due.bind(app.runs)
      let found = () => {}
      const looking = new Promise<void>(resolve => {
        found = resolve
      })
      let goOn = () => {}
      const stopped = new Promise<void>(resolve => {
        goOn = resolve
      })
      vi.spyOn(app.runs, 'due').mockImplementation(async limit => {
        const runs = await due(limit)
        found()
        await stopped
        return runs
      })
      const { api } = lookAfter(app, { worker: { everyMs: 1 } })
      await looking
      const stopping = api.stop()
      goOn()
      await stopping
      expect(app.ran).toEqual([])
      expect(await app.api.get(flowId!)).toMatchObject({ status: 'created' })
    })

    it('does not call it an error when a run is cancelled under its hands', async () => {
      const app = await open()
      const { api, errors } = lookAfter(app, { worker: false })
      let go = () => {}
      app.deeds.work = () =>
        new Promise<void>(resolve => {
          go = resolve
        })
      const { flowId } = await api.start('shop/order', ADA)
      await vi.waitFor(() => expect(app.ran).toContain('work'))
      await api.cancel(flowId)
      go()
      await api.stop()
      expect(errors).toEqual([])
      expect(await api.get(flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('does not let one that it cannot even look at hide the others', async () => {
      const [bad, good] = await leaveRuns(2)
      const app = await open()
      const find = app.runs.find.bind(app.runs)
      let isBad = true
      vi.spyOn(app.runs, 'find').mockImplementation(async (flowId, options) => {
        if (flowId === bad && isBad) {
          isBad = false
          throw new Error('What is this?')
        }
        return find(flowId, options)
      })
      expect(await app.api.runDue({ limit: 1 })).toMatchObject({ failed: 1 })
      expect(await app.api.runDue({ limit: 1 })).toMatchObject({ done: 1 })
      expect(await app.api.get(good!)).toMatchObject({ status: 'completed' })
      app.clock.advance(30_000)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
    })

    it('removes what has ended each hour, and goes on soon while there is more', async () => {
      const app = await open()
      const remove = vi.spyOn(app.runs, 'removeEnded').mockResolvedValue(10_000)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        lookAfter(app)
        await vi.advanceTimersByTimeAsync(68 * 60_000)
        // What was left is not left for another hour.
        expect(remove.mock.calls.length).toBeGreaterThan(1)
        remove.mockResolvedValue(0).mockClear()
        await vi.advanceTimersByTimeAsync(70_000)
        const calls = remove.mock.calls.length
        await vi.advanceTimersByTimeAsync(50 * 60_000)
        expect(remove.mock.calls.length).toBe(calls)
      } finally {
        vi.useRealTimers()
      }
      expect(() => lookAfter(app, { retentionMs: 0 })).toThrow('retentionMs')
    })

    it('stops when it is told to, and forgets nothing that it had begun', async () => {
      const app = await open()
      const { api } = lookAfter(app)
      const { flowId } = await api.start('shop/order', ADA)
      await api.stop()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    })
  })

  describe('a run of another build', () => {
    /** A run that died in a step of the present build. */
    async function dieIn(step: 'ask' | 'work') {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, step, token, ADA.input)
      dead.clock.advance(LEASE_MS)
      return { token, flowId }
    }

    it('is moved to its step, where that has moved', async () => {
      const { flowId } = await dieIn('work')
      const next = await open({ schema: ['last', 'ask', 'work'] })
      expect(await next.api.runDue()).toMatchObject({ done: 1 })
      expect(next.ran).toEqual(['work'])
      expect(await next.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('is migrated, where its workflow says how', async () => {
      const { flowId } = await dieIn('ask')
      const next = await open({
        schema: ['work', 'last', 'last'],
        migrate: (context: object) => ({
          stepId: 'shop/work',
          context: { ...context, migrated: true },
        }),
      })
      expect(await next.api.runDue()).toMatchObject({ done: 1 })
      expect(next.ran).toEqual(['work', 'last', 'last'])
      expect(await next.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { migrated: true },
      })
    })

    it('is kept and named where it cannot go on, and goes on with a build that can', async () => {
      const { flowId } = await dieIn('ask')
      const next = await open({ schema: ['work', 'last'] })
      expect(await next.api.runDue()).toMatchObject({ left: 1, done: 0 })
      expect(await next.api.runDue()).toMatchObject({ left: 0 })
      expect(next.ran).toEqual([])
      expect(await next.api.get(flowId)).toMatchObject({
        status: 'paused',
        version: 2,
        lastError: { code: 'WF_DEFINITION_CHANGED' },
      })
      next.clock.advance(30_000)
      const former = await open()
      expect(await former.api.runDue()).toMatchObject({ done: 1 })
      expect(await former.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
    })

    it('that was never begun is left to one that knows its workflow, and may run it', async () => {
      const [flowId] = await leaveRuns(1)
      const strict = await open({ config: { allow: ['shop/other'] } })
      expect(await strict.api.runDue()).toMatchObject({ left: 1 })
      expect(await strict.api.get(flowId!)).toMatchObject({
        status: 'created',
        lastError: { code: 'WF_NOT_ALLOWED' },
      })
      strict.clock.advance(30_000)
      const older = await open()
      vi.spyOn(older.wf, 'describe').mockReturnValue(undefined)
      expect(await older.api.runDue()).toMatchObject({ left: 1 })
      expect(older.ran).toEqual([])
      expect(await older.api.get(flowId!)).toMatchObject({
        status: 'created',
        lastError: { code: 'WF_DEFINITION_CHANGED' },
      })
      older.clock.advance(30_000)
      vi.restoreAllMocks()
      expect(await (await open()).api.runDue()).toMatchObject({ done: 1 })
    })
  })

  describe('a run that was taken up', () => {
    it('is not found again while it waits for a mail to be answered', async () => {
      const [flowId] = await leaveRuns(1)
      const app = await open()
      app.deeds.work = (_ctx, input) => input ?? outletEmail('boss@example.com', 'decide')
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      app.clock.advance(LEASE_MS)
      expect(await app.api.runDue()).toEqual(NOTHING)
      expect(app.mails).toHaveLength(1)
      expect(await app.api.get(flowId!)).toMatchObject({ status: 'paused' })
    })
  })
})
