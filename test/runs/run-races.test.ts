import { outletEmail } from '@atscript/moost-wf'
import { describe, expect, it, vi } from 'vitest'
import { openDurableApp, startOrder } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const ADA = { input: { name: 'Ada' } }
const ROUNDS = scaled(15, 200)

describeOnRunStores(share => {
  const open = async (options?: Parameters<typeof openDurableApp>[1]) => {
    const shared = share()
    return { ...(await openDurableApp(shared, options)), ...shared }
  }
  const outcomeOf = (error: unknown) => (error as { code?: string }).code ?? String(error)

  describe('cancelling', () => {
    it('ends a run whose steps are committed as fast as they can', async () => {
      let isOver = false
      const app = await open({ schema: [{ while: () => !isOver, steps: ['work'] }] })
      const { flowId } = await app.api.start('shop/order', ADA)
      await vi.waitFor(() => expect(app.ran.length).toBeGreaterThan(5))
      const cancelled = await app.api.cancel(flowId).catch(outcomeOf)
      isOver = true
      expect(cancelled).toBe(true)
      await app.api.stop()
      const history = await app.api.history(flowId)
      expect(history.at(-1)).toMatchObject({ type: 'cancelled' })
      expect(await app.api.get(flowId)).toMatchObject({ status: 'cancelled', isHeld: false })
    })

    it('and finishing at the same moment come to one end, of which everybody is told', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const app = await open()
        const { token, flowId } = await startOrder(app)
        const [answered, cancelled] = await Promise.all([
          app.runner.resume(token, ADA),
          app.api.cancel(flowId).catch(outcomeOf),
        ])
        const { status } = (await app.api.get(flowId))!
        const history = await app.api.history(flowId)
        if (status === 'completed') {
          expect([answered.kind, cancelled]).toEqual(['finished', 'WF_TRANSITION'])
        } else {
          expect(answered).toMatchObject({ kind: 'refused', code: 'WF_REVOKED' })
          expect([status, cancelled]).toEqual(['cancelled', true])
        }
        const ends = history.filter(({ type }) => /^(?:workflow_completed|cancelled)$/u.test(type))
        expect(ends).toHaveLength(1)
        expect(history.at(-1)).toEqual(ends[0])
      }
    })

    it('twice at once is one cancellation', async () => {
      const app = await open()
      const { flowId } = await startOrder(app)
      const told = await Promise.all([app.api.cancel(flowId), app.api.cancel(flowId)])
      expect(told.toSorted()).toEqual([false, true])
      const history = await app.api.history(flowId)
      expect(history.filter(({ type }) => type === 'cancelled')).toHaveLength(1)
    })
  })

  describe('removing what has ended', () => {
    it('and trying a failed run again leave it whole, or nothing of it', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const app = await open()
        const { flowId } = await app.api.start('shop/order')
        expect(await app.api.result(flowId)).toMatchObject({ status: 'failed' })
        app.deeds.ask = () => outletEmail('ada@example.com', 'ask')
        const { completedAt } = (await app.api.get(flowId))!
        const [removed, retried] = await Promise.all([
          app.runs.removeEnded({ endedUntil: completedAt! }),
          app.api.retry(flowId).catch(outcomeOf),
        ])
        await app.api.stop()
        const run = await app.runs.find(flowId)
        const history = await app.runs.history(flowId)
        if (run) {
          expect([removed, retried]).toEqual([0, true])
          expect(history).toHaveLength(run.version)
          expect(run.status).toBe('paused')
        } else {
          expect(removed).toBe(1)
          expect([false, 'WF_CONFLICT']).toContain(retried)
          expect([history, await app.runs.links(flowId)]).toEqual([[], []])
        }
      }
    })

    it('on many nodes at once takes each run once, and none that lives', async () => {
      const app = await open()
      const ended: string[] = []
      for (let index = 0; index < 30; index++) {
        ended.push((await app.api.start('shop/order', ADA)).flowId)
      }
      await app.api.stop()
      const { flowId: waits } = await startOrder(app)
      app.deeds.work = () => {
        throw new Error('broken')
      }
      const { flowId: broken } = await app.api.start('shop/order', ADA)
      await app.api.stop()
      const endedUntil = app.clock.now()
      const removals = await Promise.all(
        [1, 2, 3].map(() => app.runs.removeEnded({ endedUntil, batchSize: 7 } as never)),
      )
      expect(removals.reduce((one, other) => one + other)).toBe(30)
      expect(await app.api.getMany(ended)).toEqual([])
      for (const flowId of ended) expect(await app.api.history(flowId)).toEqual([])
      expect(await app.api.getMany([waits, broken])).toHaveLength(2)
      expect(await app.api.history(waits)).toHaveLength(2)
    })
  })

  describe('results that arrive at the same time', () => {
    it('are all there, whoever writes them, and a stale change is refused', async () => {
      const apps = await Promise.all([open(), open(), open()])
      const { flowId } = await startOrder(apps[0])
      const { version } = (await apps[0].api.get(flowId))!
      const steps = Array.from({ length: scaled(45, 200) }, (_, index) => `step ${index}`)
      await Promise.all(
        steps.map((step, index) => apps[index % 3]!.api.recordStepResult(flowId, step, index)),
      )
      const { context, version: now } = (await apps[0].api.get(flowId))!
      expect(Object.keys((context as { steps: object }).steps)).toHaveLength(steps.length)
      expect(now).toBe(version + steps.length)
      const stale = apps[0].api.update(flowId, version, ctx => ctx)
      await expect(stale).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    })

    it('one of many changes at one version is made', async () => {
      const app = await open()
      const { flowId } = await startOrder(app)
      const { version } = (await app.api.get(flowId))!
      const changes = await Promise.allSettled(
        [1, 2, 3, 4, 5].map(n => app.api.update(flowId, version, () => ({ n }))),
      )
      expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await app.api.get(flowId)).toMatchObject({ version: version + 1, isHeld: false })
    })
  })
})
