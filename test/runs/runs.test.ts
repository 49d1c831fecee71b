import {
  createEmailOutlet,
  outletEmail,
  outletHttp,
  useWfFinished,
  useWfStep,
  type WfEmail,
  WfError,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
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
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(app.flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
      expect((await app.api.history(app.flowId))[1]).toMatchObject({
        type: 'recovered',
        actor: 'worker',
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

    it('stands where it failed, and can be tried again', async () => {
      const app = await open()
      app.deeds.work = () => {
        throw new Error('broken')
      }
      const { flowId } = await app.api.start('shop/order', ADA)
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('error'))
      expect(await app.api.get(flowId)).toMatchObject({
        attempts: 1,
        lastError: { code: 'WF_INTERNAL' },
      })
      app.deeds.work = () => undefined
      app.ran.length = 0
      expect(await app.api.retry(flowId, { reason: 'mended', actor: 'ada' })).toBe(true)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(app.ran).toEqual(['work', 'last'])
      expect(await app.typesOf(flowId)).toContain('retried')
      await expect(app.api.retry(flowId)).rejects.toMatchObject({ code: 'WF_TRANSITION' })
      expect(await app.api.retry('nobody')).toBe(false)
    })

    it('that cannot deliver its first link stands there, and can be tried again', async () => {
      let isBroken = true
      const mails: WfEmail[] = []
      const send = async (mail: WfEmail) => {
        if (isBroken) throw new Error('no mail today')
        mails.push(mail)
      }
      const app = await open({ config: { outlets: [createEmailOutlet(send)] } })
      app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
      const { flowId } = await app.api.start('shop/order', ADA)
      await app.api.stop()
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'error',
        lastError: { code: 'WF_OUTLET_FAILED' },
      })
      isBroken = false
      await app.api.retry(flowId)
      await app.api.stop()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused' })
      app.deeds.ask = () => undefined
      expect(await app.runner.resume(mails[0]!.token)).toMatchObject({ kind: 'finished' })
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

  describe('a run that is cancelled', () => {
    it('ends at once: its step is told, its commit is refused, and so is its caller', async () => {
      const app = await open({ strategy: { leaseMs: 60 } })
      const { token, flowId } = await startOrder(app)
      let signal: AbortSignal | undefined
      let go = () => {}
      app.deeds.work = () => {
        ;({ signal } = useWfStep())
        return new Promise<void>(resolve => {
          go = resolve
        })
      }
      const result = app.runner.resume(token, ADA)
      await vi.waitFor(() => expect(signal).toBeDefined())
      expect(await app.api.cancel(flowId, { reason: 'changed my mind', actor: 'ada' })).toBe(true)
      await vi.waitFor(() => expect(signal?.aborted).toBe(true))
      const history = await app.api.history(flowId)
      go()
      expect(await result).toMatchObject({ kind: 'refused', code: 'WF_REVOKED' })
      expect(await app.api.history(flowId)).toEqual(history)
      expect(history.at(-1)).toMatchObject({
        type: 'cancelled',
        actor: 'ada',
        detail: { reason: 'changed my mind', from: 'active', to: 'cancelled' },
      })
      expect(app.ran).not.toContain('last')
    })

    it('says so to whoever has a link', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      await app.api.cancel(flowId)
      expect(await app.runner.resume(token, ADA)).toMatchObject({ code: 'WF_REVOKED' })
      expect(await app.api.cancel(flowId)).toBe(false)
      expect(await app.api.cancel('nobody')).toBeNull()
      expect(await app.api.result(flowId)).toEqual({ status: 'cancelled' })
    })

    it('is refused if it has ended', async () => {
      const app = await open()
      const { flowId } = await app.api.start('shop/order', ADA)
      await app.api.result(flowId)
      await expect(app.api.cancel(flowId)).rejects.toMatchObject({ code: 'WF_TRANSITION' })
    })
  })

  describe('a run that has expired', () => {
    it('is never given an earlier end by being extended', async () => {
      const app = await open({ strategy: { defaultTtl: 1000 } })
      const { flowId } = await startOrder(app)
      const endsAt = async () => (await app.runs.links(flowId))[0]?.expiresAt
      const end = await endsAt()
      expect(await app.api.extend(flowId, { ttlMs: 10 })).toBe(true)
      expect([await endsAt(), await app.typesOf(flowId)]).toEqual([
        end,
        ['workflow_created', 'paused'],
      ])
      expect(await app.api.extend(flowId, { ttlMs: 2000 })).toBe(true)
      expect(await endsAt()).toBe(end! + 1000)
    })

    it('waits on, is told apart, and can be extended', async () => {
      const app = await open({ strategy: { defaultTtl: 1000 } })
      const { token, flowId } = await startOrder(app)
      app.clock.advance(1000)
      expect(await app.runner.resume(token, ADA)).toMatchObject({ code: 'WF_EXPIRED' })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused' })
      expect(await app.api.extend(flowId, { ttlMs: 500, actor: 'ada' })).toBe(true)
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'extended',
        actor: 'ada',
      })
      app.clock.advance(499)
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
      expect(await app.api.extend(flowId, { ttlMs: 500 })).toBe(false)
      await expect(app.api.extend(flowId, { ttlMs: 0 })).rejects.toThrow(TypeError)
    })

    it('has not lost what was accepted before', async () => {
      const dead = await open({ strategy: { defaultTtl: 1000 } })
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    })
  })

  describe('a context', () => {
    it('is changed from outside, at the version that was seen', async () => {
      const app = await open()
      const { flowId, token } = await startOrder(app)
      const { version } = (await app.api.get(flowId))!
      const next = await app.api.update(flowId, version, ctx => ({ ...(ctx as object), note: 1 }), {
        actor: 'admin',
      })
      expect(next).toBe(version + 1)
      const stale = app.api.update(flowId, version, ctx => ctx)
      await expect(stale).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'updated',
        actor: 'admin',
        detail: { changed: { note: 1 } },
      })
      await app.runner.resume(token, ADA)
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada', note: 1 } })
    })

    it('is left as it was if the change throws, is no JSON, or somebody works on the run', async () => {
      const app = await open()
      const { flowId, token } = await startOrder(app)
      const before = await app.api.get(flowId)
      const { version } = before!
      const broken = app.api.update(flowId, version, () => {
        throw new Error('no')
      })
      await expect(broken).rejects.toThrow('no')
      const invalid = app.api.update(flowId, version, () => ({ big: 1n }))
      await expect(invalid).rejects.toMatchObject({ code: 'WF_STATE_INVALID' })
      expect(await app.api.get(flowId)).toEqual(before)
      const { letGo, result } = await hangIn(app, 'ask', token, ADA.input)
      const busy = app.api.update(flowId, version, ctx => ctx)
      await expect(busy).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      letGo()
      expect(await result).toMatchObject({ kind: 'finished' })
      const ended = app.api.update(flowId, 99, ctx => ctx)
      await expect(ended).rejects.toMatchObject({ code: 'WF_TRANSITION' })
      expect(await app.api.update('nobody', 1, ctx => ctx)).toBeNull()
    })

    it('has all results that arrive at the same time', async () => {
      const app = await open()
      const { flowId } = await startOrder(app)
      const steps = Array.from({ length: 12 }, (_, index) => `step ${index}`)
      await Promise.all(
        steps.map((step, index) => app.api.recordStepResult(flowId, step, { index })),
      )
      const { context } = (await app.api.get(flowId))!
      const noted = (context as { steps: Record<string, unknown> }).steps
      expect(Object.keys(noted).toSorted()).toEqual(steps.toSorted())
      expect(noted['step 3']).toEqual({
        status: 'completed',
        output: { index: 3 },
        completedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u),
      })
      expect(await app.api.recordStepResult('nobody', 'step', 1)).toBeNull()
    })

    it('keeps an answer that was accepted, whatever else is changed', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      await app.api.recordStepResult(flowId, 'credit', 'fine')
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada', steps: { credit: { output: 'fine' } } },
      })
    })
  })

  describe('runs', () => {
    it('are found, many at once, and page by page', async () => {
      const app = await open()
      const correlationId = crypto.randomUUID()
      const ids: string[] = []
      for (let index = 0; index < 5; index++) {
        const { flowId } = await app.api.start('shop/order', { ...ADA, correlationId })
        ids.unshift(flowId)
        await app.api.result(flowId)
        if (index % 2 === 0) app.clock.advance(1)
      }
      const found = await app.api.getMany([...ids, 'nobody'])
      expect(found.map(({ flowId }) => flowId).toSorted()).toEqual(ids.toSorted())
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await app.api.list({ correlationId, limit: 2, after })
        seen.push(...page.runs.map(({ flowId }) => flowId))
        after = page.next
      } while (after)
      expect(new Set(seen)).toEqual(new Set(ids))
      expect(seen).toHaveLength(5)
      const starts = await Promise.all(seen.map(async id => (await app.api.get(id))!.startedAt))
      expect(starts).toEqual(starts.toSorted((one, other) => other - one))
      const only = { correlationId, status: 'completed', schemaId: 'shop/order' } as const
      expect((await app.api.list(only)).runs).toHaveLength(5)
      expect((await app.api.list({ ...only, status: ['paused', 'error'] })).runs).toEqual([])
    })

    it.each(['x', '', 'bnVsbA', 'WzFd', 'WyJhIiwxXQ', 'e30'])(
      'are not listed behind %j',
      async after => {
        const { api } = await open()
        await expect(api.list({ after })).rejects.toMatchObject({ code: 'WF_DB_FILTER' })
      },
    )

    it.each([0, -1, 1.5, 501, NaN])('are not listed by %d', async limit => {
      const { api } = await open()
      await expect(api.list({ limit })).rejects.toMatchObject({ code: 'WF_DB_FILTER' })
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
        await (await open(options)).api.runDue()
        const history = await app.api.history(flowId)
        return history.find(({ type }) => type === 'recovered')?.detail.reason
      }
      const strategy = { stepTimeoutMs: Infinity }
      expect(await reasonAfter('ask', { strategy })).toBe('lost')
      expect(await reasonAfter('work', { strategy })).toBe('stuck_completed')
      expect(await reasonAfter('ask', { strategy: { stepTimeoutMs: LEASE_MS } })).toBe('timeout')
    })

    it('finishes a run whose steps were all completed', async () => {
      // What an application does at the end comes behind the commit of the last step.
      const dead = await open({ config: { onFinished: () => undefined } })
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
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
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
        void next.api.runDue()
        await vi.waitFor(() => expect(next.ran).toContain('work'))
      }
      dead.clock.advance(LEASE_MS)
      const app = await open({ strategy })
      await app.api.runDue()
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
      await app.api.runDue()
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
      expect(await app.api.runDue()).toMatchObject({ waiting: 1 })
      expect(await app.api.runDue()).toEqual({
        done: 0,
        handedOn: 0,
        waiting: 0,
        failed: 0,
        left: 0,
      })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused' })
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
    })

    it('leaves what this build cannot go on with, names it, and is not kept from the others', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const other = await open({ config: { allow: ['shop/other'] } })
      expect(await other.api.runDue()).toMatchObject({ left: 1 })
      expect(await other.api.runDue()).toMatchObject({ left: 0 })
      expect(await other.api.get(flowId)).toMatchObject({
        status: 'paused',
        lastError: { code: 'WF_NOT_ALLOWED' },
      })
      dead.clock.advance(30_000)
      const app = await open()
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
    })

    it('takes up no more than it was asked to', async () => {
      const dead = await open()
      dead.deeds.ask = () => new Promise(() => {})
      for (let index = 0; index < 3; index++) await dead.api.start('shop/order', ADA)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.runDue({ limit: 2 })).toMatchObject({ done: 2 })
      expect(await app.api.runDue({ budgetMs: 0 })).toMatchObject({ done: 0 })
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
    })
  })

  describe('a snapshot', () => {
    it('is plain JSON, and complete', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = (_ctx, input) => (input ? undefined : outletHttp({ ask: 'more' }))
      await app.runner.resume(token, { ...ADA, action: 'order' })
      const snapshot = (await app.api.getSnapshot(flowId))!
      expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u)
      expect(snapshot).toMatchObject({
        flowId,
        schemaId: 'shop/order',
        version: 6,
        status: 'paused',
        currentStepId: 'shop/work',
        stepStatuses: { 'shop/ask': 'completed', 'shop/work': 'waiting', 'shop/last': 'idle' },
        context: { name: 'Ada' },
        isTerminal: false,
        metadata: {},
        totalExecutionTime: 0,
        createdAt: time,
        updatedAt: time,
        lastStartedAt: time,
        history: [
          { action: '__start', enteredSteps: ['shop/ask'], exitedSteps: [], timestamp: time },
          {
            action: 'order',
            enteredSteps: ['shop/ask', 'shop/work'],
            exitedSteps: ['shop/ask'],
            timestamp: time,
          },
        ],
      })
      expect(snapshot.retryState).toBeUndefined()
      expect(await app.api.getSnapshot('nobody')).toBeNull()
    })

    it('of a run that has ended has no step', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      await app.runner.resume(token, ADA)
      const snapshot = (await app.api.getSnapshot(flowId))!
      expect(snapshot).toMatchObject({ isTerminal: true, currentStepId: null, status: 'completed' })
      expect(snapshot.history.at(-1)).toMatchObject({ action: '__resolve_wait:shop/ask' })
      expect(new Set(Object.values(snapshot.stepStatuses))).toEqual(new Set(['completed']))
    })

    it('of a step that has failed says how often', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = () => {
        throw new Error('broken')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('broken')
      const { retryState, currentStepId, stepStatuses } = (await app.api.getSnapshot(flowId))!
      expect(retryState).toEqual({ stepId: 'shop/work', attempts: 1 })
      expect(currentStepId).toBe('shop/work')
      expect(stepStatuses).toEqual({
        'shop/ask': 'completed',
        'shop/work': 'active',
        'shop/last': 'idle',
      })
    })

    it('is brought to another database whole, and can be brought on from there', async () => {
      const app = await open()
      const runKey = crypto.randomUUID()
      const context = { email: 'ada@example.com', password: 'hunter2' }
      app.deeds.work = () => {
        throw new WfError('WF_CONFIG', 'broken')
      }
      const asked = {
        ...ADA,
        context,
        runKey,
        correlationId: 'order-7',
        metadata: { shop: 'Bern' },
      }
      const { flowId } = await app.api.start('shop/order', asked)
      await app.api.stop()
      const snapshot = (await app.api.getSnapshot(flowId))!
      const other = await openDurableApp({ ...app, runs: new WfRunStoreMemory(app) })
      expect(await other.api.restore(snapshot, { schemaId: 'shop/order' })).toBe(flowId)
      const { history, resume, ...rest } = (await other.api.getSnapshot(flowId))!
      // What is counted and stamped here is this database's own.
      const { version, createdAt, updatedAt, lastStartedAt } = snapshot
      expect(snapshot).toMatchObject({ ...rest, version, createdAt, updatedAt, lastStartedAt })
      expect(resume).toEqual({
        ...snapshot.resume,
        meta: { ...snapshot.resume.meta, durable: expect.anything() },
      })
      expect(history.slice(0, -1)).toEqual(snapshot.history)
      expect(history.at(-1)).toMatchObject({ action: '__restored', enteredSteps: [] })
      expect(JSON.stringify(await other.api.history(flowId))).not.toContain('hunter2')
      expect(await other.api.retry(flowId)).toBe(true)
      expect(await other.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(other.ran).toEqual(['work', 'last'])
      const again = other.api.restore(snapshot, { schemaId: 'shop/order' })
      await expect(again).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    })

    it('of a run that has failed keeps what was answered, so that it can be tried again', async () => {
      const strategy = { maxRecoveries: 0 }
      const dead = await open({ strategy })
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open({ strategy })
      await app.api.runDue()
      const snapshot = (await app.api.getSnapshot(flowId))!
      expect(snapshot).toMatchObject({ status: 'failed', currentStepId: null })
      const other = await openDurableApp({ ...app, runs: new WfRunStoreMemory(app) })
      await other.api.restore(snapshot, { schemaId: 'shop/order' })
      expect(await other.api.get(flowId)).toMatchObject({ lastError: { code: 'WF_LOST' } })
      await other.api.retry(flowId)
      expect(await other.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(await other.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
    })

    it.each([
      ['history', [{ action: 7 }]],
      ['stepStatuses', { 'shop/ask': 'gone' }],
      ['status', 'lost'],
      ['context', undefined],
      ['resume', { indexes: [-1] }],
    ])('with a %s that is none is refused', async (key, value) => {
      const app = await open()
      const { flowId } = await startOrder(app)
      const { [key as 'context']: _former, ...rest } = (await app.api.getSnapshot(flowId))!
      const broken = value === undefined ? rest : { ...rest, [key]: value }
      const other = await openDurableApp({ ...app, runs: new WfRunStoreMemory(app) })
      const restored = other.api.restore(broken as never, { schemaId: 'shop/order' })
      await expect(restored).rejects.toMatchObject({ code: 'WF_STATE_INVALID' })
      const foreign = other.api.restore({ ...rest, context: {} }, { schemaId: 'shop/other' })
      const code = key === 'context' ? 'WF_MISMATCH' : expect.stringMatching(/^WF_/u)
      await expect(foreign).rejects.toMatchObject({ code })
    })
  })
})
