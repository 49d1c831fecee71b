import { randomUUID } from 'node:crypto'
import { delay, outletEmail, outletHttp, waitFor, type WfError } from '@atscript/moost-wf'
import { HttpError, useRequest } from '@atscript/moost-wf/http'
import { type WfRunStore, WfRunStoreMemory } from '@atscript/moost-wf/store'
import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import { describe, expect, it, vi } from 'vitest'
import { hangIn, LEASE_MS, openDurableApp, startOrder } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const ADA = { input: { name: 'Ada' } }
const RACES = 20

/** Does something right before one of the methods of a store is called. */
const interfered = (runs: WfRunStore, method: string, interfere: () => Promise<void>): WfRunStore =>
  new Proxy(runs, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]) => {
        if (key === method) await interfere()
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })

describeOnRunStores(share => {
  const open = async (strategy: object = {}, runs?: (runs: WfRunStore) => WfRunStore) => {
    const shared = share()
    const times = { defaultTtl: HOUR, expiredRetentionMs: DAY, ...strategy }
    const app = await openDurableApp(
      { ...shared, runs: runs?.(shared.runs) ?? shared.runs },
      { strategy: times },
    )
    const look = async (flowId: string) => (await shared.runs.find(flowId))!
    /** How much was done when so much time had passed. */
    const pass = async (ms: number) => {
      shared.clock.advance(ms)
      return (await app.api.runDue()).done
    }
    return { ...app, ...shared, look, pass }
  }
  type App = Awaited<ReturnType<typeof open>>

  const statusOf = async ({ look }: App, flowId: string) => (await look(flowId)).status

  it('cancels a run whose links have expired long enough ago', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    const dueAt = app.clock.now() + HOUR + DAY
    expect(await app.look(flowId)).toMatchObject({ status: 'paused', dueAt })
    expect(await app.pass(HOUR + DAY - 1)).toBe(0)
    expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
    expect(await app.look(flowId)).toMatchObject({ status: 'paused', dueAt })
    expect(await app.pass(1)).toBe(1)
    expect(await statusOf(app, flowId)).toBe('cancelled')
    expect((await app.api.history(flowId)).at(-1)).toMatchObject({
      type: 'cancelled',
      actor: 'worker',
      detail: { reason: 'expired' },
    })
    expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'refused' })
    expect(await app.pass(DAY)).toBe(0)
    expect(app.ran).toEqual(['ask'])
  })

  it('keeps it where the strategy keeps all of them', async () => {
    const app = await open({ expiredRetentionMs: Infinity })
    const { flowId } = await startOrder(app)
    expect((await app.look(flowId)).dueAt ?? null).toBeNull()
    expect(await app.pass(1000 * DAY)).toBe(0)
  })

  it('keeps it for as long as whoever looks after it says', async () => {
    const { flowId } = await startOrder(await open())
    const app = await open({ expiredRetentionMs: 3 * DAY })
    const { version } = await app.look(flowId)
    await app.pass(HOUR + DAY)
    expect(await app.look(flowId)).toMatchObject({
      status: 'paused',
      dueAt: app.clock.now() + 2 * DAY,
      version,
    })
    await app.pass(2 * DAY)
    expect(await statusOf(app, flowId)).toBe('cancelled')
    const kept = await startOrder(await open())
    const keeper = await open({ expiredRetentionMs: Infinity })
    await keeper.pass(HOUR + DAY)
    expect(await statusOf(keeper, kept.flowId)).toBe('paused')
    expect((await keeper.look(kept.flowId)).dueAt ?? null).toBeNull()
  })

  it('needs no build that knows its workflow', async () => {
    const former = await open()
    const { flowId } = await startOrder(former)
    const app = await openDurableApp(former, {
      strategy: { expiredRetentionMs: DAY },
      config: { allow: [] },
    })
    former.clock.advance(HOUR + DAY)
    await app.api.runDue()
    expect(await statusOf(former, flowId)).toBe('cancelled')
  })

  it('counts from the end that its links have by now', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    await app.api.extend(flowId, { ttlMs: 5 * DAY })
    expect((await app.look(flowId)).dueAt).toBe(app.clock.now() + 6 * DAY)
    expect(await app.pass(5 * DAY - 1)).toBe(0)
    expect(await app.runner.peek(token)).not.toMatchObject({ kind: 'refused' })
    expect(await app.pass(DAY)).toBe(0)
    expect(await statusOf(app, flowId)).toBe('paused')
    expect(await app.pass(1)).toBe(1)
    expect(await statusOf(app, flowId)).toBe('cancelled')
  })

  it('lets one go on that was extended when it had expired', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    await app.pass(DAY)
    await app.api.extend(flowId, { ttlMs: 2 * DAY })
    expect(await app.pass(2 * DAY - 1)).toBe(0)
    expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
  })

  it('counts from the end of a new link', async () => {
    const app = await open()
    const { flowId } = await startOrder(app)
    await app.pass(DAY)
    let token = ''
    await app.durable.reissue(flowId, {
      admit: ({ state }) => ({ state, expiresAt: app.clock.now() + 2 * DAY }),
      deliver: fresh => {
        token = fresh
      },
    })
    expect((await app.look(flowId)).dueAt).toBe(app.clock.now() + 3 * DAY)
    expect(await app.pass(2 * DAY - 1)).toBe(0)
    expect(await app.durable.peek(token)).toHaveProperty('state')
    expect(await app.pass(DAY)).toBe(0)
    expect(await app.pass(1)).toBe(1)
    expect(await statusOf(app, flowId)).toBe('cancelled')
  })

  it('keeps what has a link without an end', async () => {
    const app = await open()
    const { flowId } = await startOrder(app)
    await app.durable.reissue(flowId, { admit: ({ state }) => ({ state }), deliver: () => {} })
    expect((await app.look(flowId)).dueAt ?? null).toBeNull()
    expect(await app.pass(1000 * DAY)).toBe(0)
  })

  it('keeps what somebody has just changed, who may be about to ask again', async () => {
    const app = await open()
    const { flowId } = await startOrder(app)
    await app.pass(DAY)
    const { version } = await app.look(flowId)
    await app.api.update(flowId, version, () => ({ name: 'Bob' }))
    expect(await app.pass(HOUR)).toBe(1)
    expect(await statusOf(app, flowId)).toBe('paused')
    expect(await app.pass(DAY)).toBe(1)
    expect(await statusOf(app, flowId)).toBe('cancelled')
  })

  it('keeps the moment where a step fails or asks again at the same pause', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    const { dueAt } = await app.look(flowId)
    app.deeds.ask = () => {
      throw new Error('Not today.')
    }
    await app.runner.resume(token, ADA).catch(() => {})
    expect(await app.look(flowId)).toMatchObject({ status: 'paused', dueAt })
    await app.pass(HOUR + DAY)
    expect(await statusOf(app, flowId)).toBe('cancelled')
  })

  it('brings the moment along with a snapshot', async () => {
    const app = await open()
    const { flowId } = await startOrder(app)
    const snapshot = (await app.api.getSnapshot(flowId))!
    const clock = app.clock
    const there = await openDurableApp(
      { runs: new WfRunStoreMemory({ clock }), clock },
      { strategy: { expiredRetentionMs: DAY } },
    )
    await there.api.restore(snapshot, { schemaId: 'shop/order' })
    clock.advance(HOUR + DAY)
    await there.api.runDue()
    expect(await there.api.get(flowId)).toMatchObject({ status: 'cancelled' })
  })

  it('leaves alone what waits for a deadline, a moment or a signal', async () => {
    const app = await open()
    const deadline = { afterMs: 30 * DAY, remindEveryMs: 20 * DAY, onTimeout: 'fail' }
    const waits = [
      () => outletEmail('boss@example.com', 'decide', {}, { deadline }),
      () => delay({ ms: 30 * DAY }),
      () => waitFor('payment'),
    ]
    const flowIds: string[] = []
    for (const wait of waits) {
      app.deeds.ask = (_, input) => (input?.name ? wait() : outletHttp({ ask: 'name' }))
      const { token, flowId } = await startOrder(app)
      await app.runner.resume(token, ADA)
      flowIds.push(flowId)
    }
    expect(await app.pass(10 * DAY)).toBe(0)
    for (const flowId of flowIds) expect(await statusOf(app, flowId)).toBe('paused')
    expect(await app.pass(10 * DAY)).toBe(1)
    expect(app.mails).toHaveLength(2)
  })

  it('leaves an answer that was accepted to whoever goes on with it', async () => {
    const handle = randomUUID()
    const app = await open({ generateHandle: () => handle })
    const { flowId } = await startOrder(app)
    await app.durable.manage.accept(handle, {
      admit: () => null,
      keep: () => ADA,
      asker: () => ({}),
    })
    app.clock.advance(HOUR + DAY)
    expect(await app.takeUp(flowId)).toMatchObject({ kind: 'settled' })
    expect(await statusOf(app, flowId)).toBe('completed')
  })

  describe('an answer that was accepted, and waits for a request', () => {
    /** A run whose step was answered and needs the request: it, or the one behind it. */
    const waiting = async (app: App, step: 'ask' | 'work', options: object = {}) => {
      const pause = () => outletEmail('ada@example.com', 'ask', {}, options)
      app.deeds.ask = (ctx, input) => {
        if (!input?.name) return pause()
        if (step === 'ask') useRequest()
        ctx.name = input.name as string
      }
      app.deeds.work = () => void useRequest()
      const started = await app.runner.start('shop/order')
      const flowId = 'flowId' in started ? started.flowId! : ''
      await app.api.answer(app.mails.at(-1)!.token, ADA)
      const lastError = { code: 'WF_NEEDS_REQUEST' }
      const isWaiting = async () =>
        expect(await app.look(flowId)).toMatchObject({ status: 'paused', lastError })
      await vi.waitFor(isWaiting)
      expect(await app.pass(HOUR / 2)).toBe(0)
      await isWaiting()
      return flowId
    }

    it.each(['ask', 'work'] as const)(
      'is given up as any run that waits, at or behind the step: %s',
      async step => {
        const app = await open()
        const flowId = await waiting(app, step)
        const { length } = app.ran
        expect(await app.pass(HOUR / 2 + DAY - 1)).toBe(0)
        expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
        expect(await statusOf(app, flowId)).toBe('paused')
        expect(await app.pass(1)).toBe(1)
        expect(app.ran).toHaveLength(length)
        expect(await statusOf(app, flowId)).toBe('cancelled')
        expect((await app.api.history(flowId)).slice(-2)).toMatchObject([
          { type: 'waiting', detail: { code: 'WF_NEEDS_REQUEST' } },
          { type: 'cancelled', detail: { reason: 'expired' } },
        ])
        expect((await app.look(flowId)).answer).toBeUndefined()
      },
    )

    it('counts more than a deadline that comes meanwhile', async () => {
      const app = await open()
      const deadline = { afterMs: HOUR, remindEveryMs: HOUR / 3, onTimeout: 'fail' }
      const flowId = await waiting(app, 'ask', { deadline })
      expect(await app.pass(HOUR)).toBe(0)
      expect(await statusOf(app, flowId)).toBe('paused')
      expect(app.mails).toHaveLength(1)
      expect(await app.pass(DAY)).toBe(1)
      expect(await statusOf(app, flowId)).toBe('cancelled')
    })

    it('is there for longer with its link, and with a new one', async () => {
      const app = await open()
      const flowId = await waiting(app, 'ask')
      await app.api.extend(flowId, { ttlMs: 2 * DAY })
      expect(await app.pass(HOUR / 2 + DAY)).toBe(1)
      expect(await statusOf(app, flowId)).toBe('paused')
      await app.api.reissue(flowId, { deliver: () => {} })
      expect(await app.pass(DAY)).toBe(0)
      expect(await statusOf(app, flowId)).toBe('paused')
      expect(await app.pass(DAY)).toBe(1)
      expect(await statusOf(app, flowId)).toBe('cancelled')
    })

    it.each(['ask', 'work'] as const)('comes along with a snapshot: %s', async step => {
      const app = await open()
      const flowId = await waiting(app, step)
      const snapshot = await app.api.getSnapshot(flowId)
      await app.api.cancel(flowId)
      app.clock.advance(1)
      await app.runs.removeEnded({ endedUntil: app.clock.now() })
      await app.api.restore(snapshot!, { schemaId: 'shop/order' })
      await app.api.runDue()
      expect(await statusOf(app, flowId)).toBe('paused')
      expect(await app.pass(2 * DAY)).toBe(1)
      expect(await statusOf(app, flowId)).toBe('cancelled')
    })

    it('is gone on with where another takes its place that needs none', async () => {
      const app = await open()
      const flowId = await waiting(app, 'ask')
      const { token } = app.mails[0]!
      // Whoever comes goes on with it; the step refuses them, and later fails for good.
      app.deeds.ask = () => {
        throw new HttpError(409, 'not now')
      }
      await app.runner.resume(token, ADA)
      const { dueAt } = await app.look(flowId)
      expect(dueAt).toBe(app.clock.now() + HOUR / 2 + DAY)
      app.deeds.ask = () => {
        throw new Error('A test.')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('A test.')
      app.deeds.ask = (ctx, input) => void (ctx.name = input?.name as string)
      app.deeds.work = () => {}
      await app.api.answer(token, { input: { name: 'Eve' } })
      await app.api.result(flowId, { timeoutMs: 5000 })
      expect(await app.look(flowId)).toMatchObject({
        status: 'completed',
        state: { context: { name: 'Eve' } },
      })
    })

    it('is gone on with where the one before it could not be kept', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, { name: 'Ada', password: 'a secret' })
      dead.clock.advance(LEASE_MS)
      const app = await open()
      const { ask } = app.deeds
      app.deeds.ask = () => void useRequest()
      expect(await app.takeUp(flowId)).toEqual({ kind: 'waiting' })
      app.deeds.ask = ask
      await app.api.answer(token, { input: { name: 'Eve' } })
      await app.api.result(flowId, { timeoutMs: 5000 })
      expect(await statusOf(app, flowId)).toBe('completed')
    })

    it('is kept where its link has no end', async () => {
      const app = await open({ defaultTtl: undefined })
      const flowId = await waiting(app, 'ask')
      expect((await app.look(flowId)).dueAt).toBeUndefined()
      expect(await app.pass(1000 * DAY)).toBe(0)
      await app.api.reissue(flowId, { deliver: () => {} })
      expect(await statusOf(app, flowId)).toBe('paused')
    })
  })

  it.each([
    {
      method: 'claim',
      status: 'paused',
      title: 'gives way to whoever extends a run that it has found',
    },
    { method: 'links', status: 'cancelled', title: 'tells whoever extends a run that it holds' },
  ] as const)('$title', async ({ method, status }) => {
    const other = await open()
    const { flowId, token } = await startOrder(other)
    const extended: unknown[] = []
    const extend = () =>
      other.api.extend(flowId, { ttlMs: DAY }).catch((error: WfError) => error.code)
    const app = await open({}, runs =>
      interfered(runs, method, async () => {
        extended.push(await extend())
      }),
    )
    await app.pass(HOUR + DAY)
    expect(extended).toEqual([status === 'paused' ? true : 'WF_CONFLICT'])
    expect(await statusOf(app, flowId)).toBe(status)
    const answered = await other.runner.resume(token, ADA)
    expect(answered.kind).toBe(status === 'paused' ? 'finished' : 'refused')
  })

  it('has one winner where a link is given more time and used at the same moment', async () => {
    const app = await open()
    for (let race = 0; race < RACES; race++) {
      const { flowId, token } = await startOrder(app)
      app.clock.advance(HOUR + DAY)
      const answer = async () => {
        for (let turn = 0; turn < race % 5; turn++) await new Promise(setImmediate)
        const isLonger = await app.api.extend(flowId, { ttlMs: DAY }).catch(() => false)
        const answered = await app.runner.resume(token, ADA)
        return isLonger && answered.kind === 'finished'
      }
      const [isAnswered] = await Promise.all([answer(), app.takeUp(flowId).catch(() => undefined)])
      const status = await statusOf(app, flowId)
      const types = (await app.runs.history(flowId)).map(({ type }) => type)
      expect(types.includes('cancelled')).toBe(status === 'cancelled')
      if (isAnswered) expect(status).toBe('completed')
      else expect(['cancelled', 'paused']).toContain(status)
    }
  })
})

it('says how long they are kept', () => {
  const runs = new WfRunStoreMemory()
  for (const expiredRetentionMs of [0, -1, Number.NaN]) {
    expect(() => new DurableStateStrategy({ runs, expiredRetentionMs })).toThrow(
      'expiredRetentionMs is a positive number',
    )
  }
})
