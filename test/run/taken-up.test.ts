import {
  createEmailOutlet,
  outletEmail,
  outletHttp,
  type WfEmail,
} from '@atscript/moost-wf'
import { HttpError, useRequest } from '@atscript/moost-wf/http'
import { describe, expect, it, vi } from 'vitest'
import {
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  paused,
  startOrder,
} from '../support/durable-app'
import { describeOnRunStores, type SharedRuns } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }
const PATIENCE = { timeout: 10_000, interval: 5 }

describeOnRunStores(share => {
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    return { ...(await openDurableApp(shared, options)), ...shared, ...lookingInto(shared) }
  }
  type App = Awaited<ReturnType<typeof open>>

  /** A process that has died in a step, and another that shares its runs. */
  async function crashIn(
    step: 'ask' | 'work',
    input: object = ADA.input,
    options?: DurableAppOptions,
  ): Promise<App & { readonly token: string; readonly flowId: string }> {
    const dead = await open(options)
    const { token, flowId } = await startOrder(dead)
    await hangIn(dead, step, token, input)
    dead.clock.advance(LEASE_MS)
    return { ...(await open(options)), token, flowId }
  }

  describe('a run that is taken up', () => {
    it('goes on with what was answered, although nobody asks', async () => {
      const app = await crashIn('ask')
      const taken = await app.takeUp(app.flowId)
      expect(taken).toMatchObject({ kind: 'settled', outcome: { kind: 'finished' } })
      expect(await app.look(app.flowId)).toMatchObject({
        status: 'completed',
        lastUpdatedBy: 'worker 1',
      })
      expect((await app.look(app.flowId)).state.context).toEqual({ name: 'Ada', work: 1 })
      expect((await app.runs.history(app.flowId))[2]).toMatchObject({
        type: 'recovered',
        actor: 'worker 1',
        detail: { reason: 'a test', from: 'paused', to: 'active' },
      })
    })

    it('goes on behind what was committed', async () => {
      const app = await crashIn('work')
      await app.takeUp(app.flowId)
      expect(app.ran).toEqual(['work', 'last'])
      expect(await app.look(app.flowId)).toMatchObject({ status: 'completed' })
    })

    it('is left to whoever works on it', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { letGo, result } = await hangIn(app, 'ask', token, ADA.input)
      expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
      letGo()
      expect(await result).toMatchObject({ kind: 'finished' })
      expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'used' })
      expect(await app.takeUp('nobody')).toEqual({ kind: 'refused', reason: 'gone' })
    })

    it('says in its history for whom it goes on', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      const { ask } = dead.deeds
      dead.deeds.ask = () => new Promise(() => {})
      void dead.runner.resume(token, { ...ADA, actor: 'ada@example.com' })
      await vi.waitFor(async () => expect((await dead.look(flowId)).leaseOwner).toBeDefined())
      dead.clock.advance(LEASE_MS)
      dead.deeds.ask = ask
      await dead.takeUp(flowId)
      expect((await dead.runs.history(flowId))[2]).toMatchObject({
        actor: 'worker 1',
        detail: { askedBy: 'ada@example.com' },
      })
    })

    it('notes what a step throws, and does not run on', async () => {
      const app = await crashIn('work')
      app.deeds.work = () => {
        throw new Error('broken')
      }
      await expect(app.takeUp(app.flowId)).rejects.toThrow('broken')
      expect(await app.look(app.flowId)).toMatchObject({ status: 'error', attempts: 2 })
    })

    it('sends its mails', async () => {
      const mails: WfEmail[] = []
      const outlets = [createEmailOutlet(async mail => void mails.push(mail))]
      const app = await crashIn('ask', ADA.input, { config: { outlets } })
      app.deeds.work = () => outletEmail('boss@example.com', 'decide')
      expect(await app.takeUp(app.flowId)).toMatchObject({ outcome: { kind: 'sent' } })
      app.deeds.work = () => undefined
      expect(await app.runner.resume(mails[0]!.token)).toMatchObject({ kind: 'finished' })
    })
  })

  describe('a run that needs someone who is not there', () => {
    const NEEDS: Readonly<Record<string, () => unknown>> = {
      'asks the caller': () => outletHttp({ ask: 'more' }),
      'asks for the HTTP request': () => void useRequest(),
      'asks for the HTTP request, and wraps what it gets': () => {
        try {
          useRequest()
        } catch (cause) {
          throw new Error('no request', { cause })
        }
      },
      'is refused by a guard': () => {
        throw new HttpError(401, 'Who are you?')
      },
    }

    it.each(Object.entries(NEEDS))('waits at its pause: it %s', async (_title, need) => {
      const app = await crashIn('ask')
      const { ask } = app.deeds
      app.deeds.ask = need
      expect(await app.takeUp(app.flowId)).toEqual({ kind: 'waiting' })
      const run = await app.look(app.flowId)
      expect(run).toMatchObject({ status: 'paused', lastError: { code: 'WF_NEEDS_REQUEST' } })
      expect(run.dueAt).toBeUndefined()
      expect(run.leaseOwner).toBeUndefined()
      expect((await app.runs.history(app.flowId)).at(-1)).toMatchObject({
        type: 'waiting',
        detail: { code: 'WF_NEEDS_REQUEST', from: 'active', to: 'paused' },
      })
      // What was accepted still counts.
      app.deeds.ask = ask
      expect(await app.runner.resume(app.token, EVE)).toMatchObject({ kind: 'finished' })
      expect((await app.look(app.flowId)).state.context).toMatchObject({ name: 'Ada' })
    })

    it.each(Object.entries(NEEDS))('waits behind a completed step: it %s', async (_title, need) => {
      const app = await crashIn('work')
      app.deeds.work = need
      expect(await app.takeUp(app.flowId)).toEqual({ kind: 'waiting' })
      expect(await app.look(app.flowId)).toMatchObject({ status: 'paused', version: 7 })
      const seen = vi.fn()
      app.deeds.work = (_ctx, input) => seen(input)
      app.ran.length = 0
      expect(await app.runner.resume(app.token, EVE)).toMatchObject({ kind: 'finished' })
      expect(app.ran).toEqual(['work', 'last'])
      expect(seen).toHaveBeenCalledWith(undefined)
    })

    it('and dies again does not hand what was sent to another step', async () => {
      const app = await crashIn('work')
      app.deeds.work = () => outletHttp({ ask: 'more' })
      await app.takeUp(app.flowId)
      app.deeds.work = () => undefined
      await hangIn(app, 'work', app.token, EVE.input)
      app.clock.advance(LEASE_MS)
      const next = await open()
      const seen = vi.fn()
      next.deeds.work = (_ctx, input) => seen(input)
      expect(await next.takeUp(app.flowId)).toMatchObject({ outcome: { kind: 'finished' } })
      expect(seen).toHaveBeenCalledWith(undefined)
    })

    it('ends if it never had a link', async () => {
      const app = await open()
      app.deeds.ask = () => undefined
      const begin = vi.spyOn(app.runs, 'begin')
      app.deeds.work = () => new Promise(() => {})
      void app.runner.start('shop/order')
      await vi.waitFor(() => expect(begin).toHaveReturned())
      await begin.mock.results[0]!.value
      const { flowId } = begin.mock.calls[0]![0]
      app.clock.advance(LEASE_MS)
      app.deeds.work = () => outletHttp({ ask: 'more' })
      expect(await app.takeUp(flowId)).toEqual({ kind: 'waiting' })
      expect(await app.look(flowId)).toMatchObject({
        status: 'failed',
        lastError: { code: 'WF_NEEDS_REQUEST' },
      })
    })
  })
})

function lookingInto({ runs }: SharedRuns) {
  return { look: async (flowId: string) => (await runs.find(flowId))! }
}
