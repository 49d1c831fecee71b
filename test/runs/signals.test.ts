import { outletEmail, waitFor } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it, vi } from 'vitest'
import { LEASE_MS, openDurableApp } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const ROUNDS = scaled(20, 1000)
const ADA = { input: { name: 'Ada' } }

/** As objects of libraries are, which are no JSON. */
function inCircles(): object {
  const self: { self?: object } = {}
  return Object.assign(self, { self })
}

describeOnRunStores(share => {
  /** An order that waits for its payment in its second step. */
  const open = async (options?: Parameters<typeof openDurableApp>[1]) => {
    const shared = share()
    const app = await openDurableApp(shared, options)
    const paid: unknown[] = []
    app.deeds.work = (ctx, input) => {
      if (!input) return waitFor('paid')
      paid.push(input)
      ctx.paid = input.amount
    }
    const statusOf = async (flowId: string) => (await app.api.get(flowId))?.status
    const waits = async (flowId: string) =>
      vi.waitFor(async () => expect((await app.api.get(flowId))?.waitsFor).toBe('paid'))
    const startWaiting = async () => {
      const { flowId } = await app.api.start('shop/order', ADA)
      await waits(flowId)
      return flowId
    }
    return { ...app, ...shared, paid, statusOf, waits, startWaiting }
  }
  type App = Awaited<ReturnType<typeof open>>
  const typesOf = async ({ api }: App, flowId: string) =>
    (await api.history(flowId)).map(({ type }) => type)

  describe('a run that waits for a signal', () => {
    it('waits without a link and without being due, and goes on with the payload', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused', waitsFor: 'paid' })
      expect(await app.api.links(flowId)).toEqual([])
      expect((await app.runs.find(flowId))?.dueAt).toBeUndefined()
      const told = app.api.signal(flowId, 'paid', { amount: 7 }, { actor: 'bank' })
      expect(await told).toBe(true)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(app.paid).toEqual([{ amount: 7 }])
      const signalled = (await app.api.history(flowId)).find(({ type }) => type === 'signalled')
      expect(signalled?.detail).toMatchObject({ name: 'paid', by: 'bank' })
      expect(await typesOf(app, flowId)).toEqual([
        'workflow_created',
        'started',
        'step_started',
        'step_completed',
        'paused',
        'signalled',
        'resumed',
        'step_started',
        'step_completed',
        'step_started',
        'step_completed',
        'workflow_completed',
      ])
      expect(await app.runs.signals?.of(flowId)).toEqual([])
    })

    it('takes one that came before, and those of its name in their order', async () => {
      const app = await open()
      app.deeds.work = (_ctx, input) => {
        if (input) app.paid.push(input)
        if (app.paid.length < 3) return waitFor('paid')
      }
      let goOn = () => {}
      const isReached = new Promise<void>(reached => {
        app.deeds.ask = () => {
          reached()
          return new Promise<void>(resolve => {
            goOn = resolve
          })
        }
      })
      const { flowId } = await app.api.start('shop/order', ADA)
      for (const n of [1, 2]) expect(await app.api.signal(flowId, 'paid', { n })).toBe(false)
      expect(await app.api.signal(flowId, 'other', { n: 9 })).toBe(false)
      await isReached
      goOn()
      await vi.waitFor(async () => {
        await app.api.runDue()
        expect(app.paid).toHaveLength(2)
      })
      await app.waits(flowId)
      expect(await app.api.signal(flowId, 'paid', { n: 3 })).toBe(true)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(app.paid).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
      expect((await app.runs.signals?.of(flowId))?.map(({ name }) => name)).toEqual(['other'])
    })

    it('waits on when somebody looks and nothing has come', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      const held = (await app.runs.claim((await app.runs.find(flowId))!, { owner: 'x', ms: 1 }))!
      const dueAt = app.clock.now()
      await app.runs.release({ ...held, run: { ...held.run, dueAt } })
      const { length } = app.ran
      await app.api.runDue()
      expect(app.ran).toHaveLength(length)
      expect(await app.runs.find(flowId)).toMatchObject({ status: 'paused', waitsFor: 'paid' })
      expect((await app.runs.find(flowId))?.dueAt).toBeUndefined()
    })

    it('gets an empty record where nothing is brought', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      await app.api.signal(flowId, 'paid')
      await app.api.result(flowId)
      expect(app.paid).toEqual([{}])
    })

    it('keeps it when its step fails, and is given it again', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      const { work } = app.deeds
      app.deeds.work = () => {
        throw new Error('the books are closed')
      }
      await app.api.signal(flowId, 'paid', { amount: 7 })
      await vi.waitFor(async () => expect(await app.statusOf(flowId)).toBe('error'))
      expect(await app.runs.signals?.of(flowId)).toHaveLength(1)
      app.deeds.work = work
      expect(await app.api.retry(flowId)).toBe(true)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(app.paid).toEqual([{ amount: 7 }])
    })

    it('keeps it when its process dies, and another goes on with it', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      app.deeds.work = () => new Promise(() => {})
      void app.api.signal(flowId, 'paid', { amount: 7 })
      await vi.waitFor(() => expect(app.ran.filter(step => step === 'work')).toHaveLength(2))
      app.clock.advance(LEASE_MS + 1)
      const other = await open()
      expect(await other.api.runDue()).toMatchObject({ done: 1 })
      expect(await other.statusOf(flowId)).toBe('completed')
      expect(other.paid).toEqual([{ amount: 7 }])
    })

    it('is put back when the message behind it cannot be delivered', async () => {
      const app = await open({
        config: {
          outlets: [
            {
              name: 'email',
              tokenDelivery: 'out-of-band',
              deliver: () => Promise.reject(new Error()),
            },
          ],
        },
      })
      const flowId = await app.startWaiting()
      app.deeds.work = (_ctx, input) =>
        input ? outletEmail('ada@example.com', 'receipt') : waitFor('paid')
      await app.api.signal(flowId, 'paid', { amount: 7 })
      await vi.waitFor(async () => expect(await app.statusOf(flowId)).toBe('error'))
      expect(await app.runs.signals?.of(flowId)).toHaveLength(1)
      app.deeds.work = (_ctx, input) => void app.paid.push(input)
      await app.api.retry(flowId)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(app.paid).toEqual([{ amount: 7 }])
    })

    it('answers whoever has started it, who has no token', async () => {
      const app = await open()
      const started = await app.runner.start('shop/order', ADA)
      expect(started).toMatchObject({ kind: 'waiting', flowId: expect.any(String) })
      expect(JSON.stringify(started)).not.toContain('durable.')
    })

    it('is not extended, for it has no links', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      expect(await app.api.extend(flowId, { ttlMs: 5 })).toBe(false)
    })
  })

  describe('a signal', () => {
    it('never answers a pause that has links', async () => {
      const app = await open()
      app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
      const { flowId } = await app.api.start('shop/order')
      await vi.waitFor(async () => expect(await app.statusOf(flowId)).toBe('paused'))
      expect(await app.api.signal(flowId, 'paid', { amount: 7 })).toBe(false)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      expect(await app.statusOf(flowId)).toBe('paused')
    })

    it('is refused by a run that has ended, and comes to nothing where there is none', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      await app.api.cancel(flowId)
      await expect(app.api.signal(flowId, 'paid')).rejects.toMatchObject({ code: 'WF_TRANSITION' })
      expect(await app.api.signal('nobody', 'paid')).toBeNull()
    })

    it.each([
      ['WF_STATE_TOO_LARGE', 'é'.repeat(32 * 1024)],
      ['WF_STATE_INVALID', () => 1],
      ['WF_STATE_INVALID', 7n],
      ['WF_STATE_INVALID', 'a\u0000b'],
      ['WF_STATE_INVALID', JSON.parse('{ "paid": [{ "__proto__": { "isAdmin": true } }] }')],
      ['WF_STATE_INVALID', { constructor: { prototype: {} } }],
      ['WF_STATE_INVALID', inCircles()],
    ])('is refused with %s for what cannot be kept', async (code, payload) => {
      const app = await open()
      const flowId = await app.startWaiting()
      await expect(app.api.signal(flowId, 'paid', payload)).rejects.toMatchObject({ code })
      expect(await app.statusOf(flowId)).toBe('paused')
    })

    it.each(['', 'x'.repeat(101)])('is refused with a name that is none: %#', async name => {
      const app = await open()
      const flowId = await app.startWaiting()
      await expect(app.api.signal(flowId, name)).rejects.toThrow(TypeError)
    })

    it('is one of a hundred that a run keeps, however many come at once', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      const many = Array.from({ length: 99 }, (_, n) => n)
      for (const n of many) await app.api.signal(flowId, 'early', { n })
      const signals = Array.from({ length: 8 }, () =>
        app.api.signal(flowId, 'early').catch(error => error.code),
      )
      const told = await Promise.all(signals)
      expect(told.toSorted()).toEqual([...Array(7).fill('WF_TOO_MANY'), false].toSorted())
      expect(await app.runs.signals?.kept(flowId)).toHaveLength(100)
    })

    it('is sealed, and needs a secret where it looks secret', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      await app.api.signal(flowId, 'later', { amount: 'seventy-seven' })
      expect(JSON.stringify(await app.runs.signals?.of(flowId))).not.toContain('seventy-seven')
      const bare = await open({ strategy: { secret: undefined } })
      const other = await bare.startWaiting()
      const secret = bare.api.signal(other, 'later', { password: 'x' })
      await expect(secret).rejects.toMatchObject({ code: 'WF_CONFIG' })
      await bare.api.signal(other, 'paid', { amount: 7 })
      await bare.api.result(other)
      expect(bare.paid).toEqual([{ amount: 7 }])
    })

    it('and the wait for it at the same moment lose nothing', async () => {
      const app = await open()
      for (let round = 0; round < ROUNDS; round++) {
        const before = app.paid.length
        const { flowId } = await app.api.start('shop/order', ADA)
        for (let turns = round % 10; turns > 0; turns--) await new Promise(setImmediate)
        await app.api.signal(flowId, 'paid', { round })
        await vi.waitFor(async () => {
          await app.api.runDue()
          expect(await app.statusOf(flowId)).toBe('completed')
        })
        expect(app.paid.slice(before)).toEqual([{ round }])
      }
    })

    it('and a change from outside at the same moment lose nothing', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const app = await open()
        const flowId = await app.startWaiting()
        await Promise.all([
          app.api.signal(flowId, 'paid', { round }),
          app.api.recordStepResult(flowId, 'elsewhere', round).catch(() => {}),
        ])
        await vi.waitFor(async () => {
          await app.api.runDue()
          expect(await app.statusOf(flowId)).toBe('completed')
        })
        expect(app.paid).toEqual([{ round }])
        await app.api.stop()
      }
    })

    it('comes along with a snapshot, and so does the wait', async () => {
      const app = await open()
      const flowId = await app.startWaiting()
      await app.api.signal(flowId, 'early', { amount: 1 })
      const snapshot = (await app.api.getSnapshot(flowId))!
      const clock = new FakeClock()
      const there = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
      there.deeds.work = app.deeds.work
      await there.api.restore(snapshot, { schemaId: 'shop/order' })
      expect(await there.api.get(flowId)).toMatchObject({ status: 'paused', waitsFor: 'paid' })
      expect(await there.api.signal(flowId, 'paid', { amount: 2 })).toBe(true)
      expect(await there.api.result(flowId)).toMatchObject({ status: 'completed' })
      const restored = (await there.api.getSnapshot(flowId))!.resume.signals
      expect(restored?.map(({ name }) => name)).toEqual(['early'])
    })
  })
})

describe('runs without a table for signals', () => {
  it('say so', async () => {
    const clock = new FakeClock()
    const app = await openDurableApp({
      runs: new WfRunStoreMemory({ clock, signals: false }),
      clock,
    })
    app.deeds.ask = () => waitFor('paid')
    await expect(app.runner.start('shop/order')).rejects.toMatchObject({ code: 'WF_CONFIG' })
    await expect(app.api.signal('any', 'paid')).rejects.toMatchObject({ code: 'WF_CONFIG' })
    const elsewhere = app.runner.start('shop/order', { strategy: 'encapsulated' })
    await expect(elsewhere).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })
})
