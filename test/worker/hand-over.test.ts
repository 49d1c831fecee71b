import { useWfStep } from '@atscript/moost-wf'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type DurableApp,
  type DurableAppOptions,
  LEASE_MS,
  openDurableApp,
} from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const BUDGET_MS = 50_000
const DONE = { done: 1, handedOn: 0, waiting: 0, failed: 0, left: 0 }

/** Takes longer than the whole budget. */
const takeLong = () => void vi.advanceTimersByTime(BUDGET_MS)

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

describeOnRunStores(share => {
  const open = (options?: DurableAppOptions) => openDurableApp(share(), options)

  /** A run that was started by a process that died right behind that. */
  async function leaveRun(options?: DurableAppOptions) {
    const dead = await open(options)
    dead.deeds.ask = () => new Promise(() => {})
    const { flowId } = await dead.api.start('shop/order', ADA)
    share().clock.advance(LEASE_MS)
    return flowId
  }

  /** What the steps of a run wait for that is stopped. */
  const stopped = async (app: DurableApp) => {
    await vi.waitFor(() => expect(app.ran).toContain('work'))
    await app.api.stop({ graceMs: 1 })
  }

  describe.each(['step', 'pause'] as const)(
    'a run whose time is over, saved at each %s',
    checkpoint => {
      const strategy = { strategy: { checkpoint } }

      it('is let go of behind its step, is due at once, and goes on elsewhere', async () => {
        const first = await open(strategy)
        first.deeds.work = ctx => {
          ctx.work = (ctx.work ?? 0) + 1
          takeLong()
        }
        const flowId = await leaveRun(strategy)
        expect(await first.api.runDue({ budgetMs: BUDGET_MS })).toEqual({
          ...DONE,
          done: 0,
          handedOn: 1,
        })
        expect(first.ran).toEqual(['ask', 'work'])
        expect(await first.api.get(flowId)).toMatchObject({
          status: 'active',
          isHeld: false,
          attempts: 0,
          context: { name: 'Ada', work: 1 },
        })
        const second = await open(strategy)
        expect(await second.api.runDue()).toEqual(DONE)
        expect(second.ran).toEqual(['last'])
        const history = await second.api.history(flowId)
        const recovered = history.filter(({ type }) => type === 'recovered')
        expect(recovered.map(({ detail }) => detail.reason)).toEqual(['stuck_created', 'handed_on'])
      })

      it('ends where that was its last step: there is nothing to hand on', async () => {
        const app = await open(strategy)
        app.deeds.last = takeLong
        const flowId = await leaveRun(strategy)
        expect(await app.api.runDue({ budgetMs: BUDGET_MS })).toEqual(DONE)
        expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
      })
    },
  )

  describe('a process that is stopped', () => {
    it('hands its runs on behind their step, when the grace is over', async () => {
      const app = await open()
      app.deeds.work = () => {
        const { signal } = useWfStep()
        return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      }
      const { flowId } = await app.api.start('shop/order', ADA)
      await stopped(app)
      expect(app.ran).toEqual(['ask', 'work'])
      const other = await open()
      expect(await other.api.runDue()).toEqual(DONE)
      expect(other.ran).toEqual(['last'])
      expect(await other.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('does not call it a failure of a step that it has ended', async () => {
      const app = await open()
      app.deeds.work = () => {
        const { signal } = useWfStep()
        return new Promise<void>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('cut off')))
        })
      }
      const { flowId } = await app.api.start('shop/order', ADA)
      await stopped(app)
      expect(await app.api.get(flowId)).toMatchObject({ status: 'active', attempts: 0 })
      const other = await open()
      expect(await other.api.runDue()).toEqual(DONE)
      expect(other.ran).toEqual(['work', 'last'])
    })

    it('leaves alone a step that does not listen, until its lease is over', async () => {
      const app = await open()
      app.deeds.work = () => new Promise(() => {})
      await app.api.start('shop/order', ADA)
      await stopped(app)
      const other = await open()
      expect(await other.api.runDue()).toEqual({ ...DONE, done: 0 })
      share().clock.advance(LEASE_MS)
      expect(await other.api.runDue()).toEqual(DONE)
      expect(other.ran).toEqual(['work', 'last'])
    })
  })
})
