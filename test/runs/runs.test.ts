import { outletEmail, outletHttp, useWfFinished, useWfStep } from '@atscript/moost-wf'
import { describe, expect, it, vi } from 'vitest'
import {
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  startOrder,
} from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }

describeOnRunStores(share => {
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    const app = await openDurableApp(shared, options)
    const typesOf = async (flowId: string) =>
      (await app.api.history(flowId)).map(({ type }) => type)
    return { ...app, ...shared, typesOf }
  }

  /** A process that dies right behind the start, and another. */
  async function startAndDie(options: object = ADA) {
    const dead = await open()
    dead.deeds.ask = () => new Promise(() => {})
    const { flowId } = await dead.api.start('shop/order', options)
    dead.clock.advance(LEASE_MS)
    return { flowId, ...(await open()) }
  }

  describe('a run that is started', () => {
    it('goes on by itself, and tells what it came to', async () => {
      const app = await open()
      app.deeds.last = () => useWfFinished().set({ type: 'data', value: { ok: true } })
      const { flowId } = await app.api.start('/shop/order', {
        ...ADA,
        context: { from: 'a test' },
        actor: 'ada',
        correlationId: 'order-7',
        metadata: { shop: 'Bern' },
      })
      expect(await app.api.result(flowId)).toEqual({ status: 'completed', data: { ok: true } })
      expect(await app.api.get(flowId)).toMatchObject({
        schemaId: 'shop/order',
        status: 'completed',
        isTerminal: true,
        startedBy: 'ada',
        correlationId: 'order-7',
        metadata: { shop: 'Bern' },
        context: { from: 'a test', name: 'Ada', work: 1 },
        result: { data: { ok: true } },
        isHeld: false,
      })
    })

    it('is there when start returns, and is begun by another process if this one dies', async () => {
      const app = await startAndDie()
      expect(await app.api.get(app.flowId)).toMatchObject({ status: 'created', isHeld: true })
      expect(await app.api.recover()).toMatchObject({ recovered: 1 })
      expect(await app.api.get(app.flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
      expect((await app.api.history(app.flowId))[1]).toMatchObject({
        type: 'recovered',
        actor: 'recovery',
        detail: { reason: 'stuck_created' },
      })
    })

    it('tells nothing that is sealed, and nothing of who holds it', async () => {
      const { api, flowId } = await startAndDie()
      const view = JSON.stringify(await api.get(flowId))
      for (const hidden of ['"input"', '"answer"', '"leaseOwner"', '"commitId"']) {
        expect(view).not.toContain(hidden)
      }
    })

    it('is refused if there is no such workflow, or it is not allowed', async () => {
      const app = await open()
      await expect(app.api.start('shop/nothing')).rejects.toMatchObject({ code: 'WF_UNKNOWN' })
      const other = await open({ config: { allow: ['shop/other'] } })
      await expect(other.api.start('shop/order')).rejects.toMatchObject({ code: 'WF_NOT_ALLOWED' })
    })

    it('is refused if another has its key, and says which', async () => {
      const app = await open()
      app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
      const runKey = crypto.randomUUID()
      const { flowId } = await app.api.start('shop/order', { runKey })
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('paused'))
      const again = app.api.start('shop/order', { runKey })
      await expect(again).rejects.toMatchObject({ code: 'WF_ALREADY_ACTIVE', flowId })
    })

    it('keeps its key when its process has died, for it will be begun', async () => {
      const runKey = crypto.randomUUID()
      const app = await startAndDie({ ...ADA, runKey })
      await expect(app.api.start('shop/order', { runKey })).rejects.toMatchObject({
        flowId: app.flowId,
      })
    })

    it('has failed if it asks for someone who was never there', async () => {
      const app = await open()
      const { flowId } = await app.api.start('shop/order')
      expect(await app.api.result(flowId)).toMatchObject({
        status: 'failed',
        lastError: { code: 'WF_NEEDS_REQUEST' },
      })
    })

    it('that fails at its first step stands there, with what it was started with', async () => {
      const app = await open()
      const { ask } = app.deeds
      app.deeds.ask = () => {
        throw new Error('broken')
      }
      const { flowId } = await app.api.start('shop/order', ADA)
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('error'))
      app.deeds.ask = ask
      await app.api.retry(flowId)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
    })
  })

  describe('the result', () => {
    it('is waited for, and then no longer', async () => {
      const app = await open()
      const { flowId } = await startOrder(app)
      const waiting = app.api.result(flowId, { timeoutMs: 20 })
      await expect(waiting).rejects.toMatchObject({ code: 'WF_TIMEOUT' })
      expect(await app.api.result('nobody')).toBeNull()
    })

    it('is told at once where the run ends in the same process', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const result = app.api.result(flowId)
      const begin = performance.now()
      await app.runner.resume(token, ADA)
      expect(await result).toMatchObject({ status: 'completed' })
      expect(performance.now() - begin).toBeLessThan(900)
    })
  })

  describe('recovery', () => {
    it('says why a run was stuck', async () => {
      const app = await open()
      /** A run that dies in this step, and why it is found. */
      const reasonAfter = async (step: 'ask' | 'work', options?: DurableAppOptions) => {
        const dead = await open(options)
        const { token, flowId } = await startOrder(dead)
        await hangIn(dead, step, token, ADA.input)
        app.clock.advance(LEASE_MS)
        await (await open(options)).api.recover()
        const history = await app.api.history(flowId)
        return history.find(({ type }) => type === 'recovered')?.detail.reason
      }
      const strategy = { stepTimeoutMs: Infinity }
      expect(await reasonAfter('ask', { strategy })).toBe('lost')
      expect(await reasonAfter('work', { strategy })).toBe('stuck_completed')
      expect(await reasonAfter('ask', { strategy: { stepTimeoutMs: LEASE_MS } })).toBe('timeout')
    })

    it('finishes a run whose steps were all completed', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      const { finish } = Object.getPrototypeOf(dead.durable)
      expect(finish).toBeUndefined()
      dead.deeds.last = () => undefined
      const commit = dead.runs.commit.bind(dead.runs)
      vi.spyOn(dead.runs, 'commit').mockImplementation((held, change) =>
        change.events.some(({ type }) => type === 'workflow_completed')
          ? new Promise(() => {})
          : commit(held, change),
      )
      void dead.runner.resume(token, ADA)
      await vi.waitFor(() => expect(dead.ran).toContain('last'))
      await vi.waitFor(async () => expect(await dead.typesOf(flowId)).toHaveLength(9))
      vi.restoreAllMocks()
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.recover()).toMatchObject({ recovered: 1 })
      expect(app.ran).toEqual([])
      expect((await app.api.history(flowId)).at(-2)).toMatchObject({
        detail: { reason: 'stuck_terminal' },
      })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('gives up on a step that takes its process along again and again', async () => {
      const strategy = { maxRecoveries: 2, stepTimeoutMs: Infinity }
      const dead = await open({ strategy })
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'work', token, ADA.input)
      for (let times = 0; times < 2; times++) {
        dead.clock.advance(LEASE_MS)
        const next = await open({ strategy })
        next.deeds.work = () => new Promise(() => {})
        void next.api.recover()
        await vi.waitFor(() => expect(next.ran).toContain('work'))
      }
      dead.clock.advance(LEASE_MS)
      const app = await open({ strategy })
      await app.api.recover()
      expect(app.ran).toEqual([])
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'failed',
        lastError: { code: 'WF_LOST', times: 3 },
      })
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'workflow_failed',
        detail: { code: 'WF_LOST', times: 3 },
      })
      // It is not lost: someone who has mended the step lets it go on.
      await app.api.retry(flowId)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
    })

    it('keeps the answer of a run that it gives up on', async () => {
      const strategy = { maxRecoveries: 0 }
      const dead = await open({ strategy })
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open({ strategy })
      await app.api.recover()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'failed' })
      await app.api.retry(flowId)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
    })

    it('lets a run wait whose answer was not kept', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      const secret = { name: 'Ada', password: 'correct horse' }
      await hangIn(dead, 'ask', token, secret)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.recover()).toMatchObject({ waiting: 1 })
      expect(await app.api.recover()).toEqual({ recovered: 0, waiting: 0, failed: 0, left: 0 })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused' })
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
    })

    it('leaves what this build cannot go on with, names it, and is not kept from the others', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const other = await open({ config: { allow: ['shop/other'] } })
      expect(await other.api.recover()).toMatchObject({ left: 1 })
      expect(await other.api.recover()).toMatchObject({ left: 0 })
      expect(await other.api.get(flowId)).toMatchObject({
        status: 'paused',
        lastError: { code: 'WF_NOT_ALLOWED' },
      })
      dead.clock.advance(30_000)
      const app = await open()
      expect(await app.api.recover()).toMatchObject({ recovered: 1 })
    })

    it('takes up no more than it was asked to', async () => {
      const dead = await open()
      dead.deeds.ask = () => new Promise(() => {})
      for (let index = 0; index < 3; index++) await dead.api.start('shop/order', ADA)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.recover({ limit: 2 })).toMatchObject({ recovered: 2 })
      expect(await app.api.recover({ budgetMs: 0 })).toMatchObject({ recovered: 0 })
      expect(await app.api.recover()).toMatchObject({ recovered: 1 })
    })
  })
})
