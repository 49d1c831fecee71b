import {
  createEmailOutlet,
  outletEmail,
  outletHttp,
  useWfFacts,
  useWfStep,
  type WfEmail,
  WfLedgerMemory,
} from '@atscript/moost-wf'
import { HttpError, useRequest } from '@atscript/moost-wf/http'
import { describe, expect, it, vi } from 'vitest'
import {
  type DurableApp,
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
const DAY = 24 * 60 * 60_000
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

    it('sends its mails without a code, which nobody could type', async () => {
      const mails: WfEmail[] = []
      const outlets = [createEmailOutlet(async mail => void mails.push(mail))]
      const ledger = new WfLedgerMemory()
      const app = await crashIn('work', ADA.input, { config: { outlets, ledger } })
      app.deeds.work = () => outletEmail('boss@example.com', 'decide', {}, { code: true })
      await app.takeUp(app.flowId)
      expect(mails).toEqual([expect.not.objectContaining({ code: expect.anything() })])
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
      // Only to be given up, when its link has expired long ago.
      expect(run.dueAt).toBeGreaterThan(app.clock.now() + 30 * DAY)
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
      await vi.waitFor(() => expect(app.ran).toContain('work'))
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

  describe('a step', () => {
    /** The keys and attempts of steps, as they run. */
    function noting(app: DurableApp) {
      const noted: { step: string; key: string; attempt: number }[] = []
      for (const step of ['ask', 'work', 'last'] as const) {
        const former = app.deeds[step]
        app.deeds[step] = (...given) => {
          const { idempotencyKey, attempt } = useWfStep()
          noted.push({ step, key: idempotencyKey, attempt })
          return former(...given)
        }
      }
      return noted
    }

    it('has the same key in another process, and another one than every other step', async () => {
      const dead = await open()
      const before = noting(dead)
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'work', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      const after = noting(app)
      await app.takeUp(flowId)
      expect(before.map(({ step }) => step)).toEqual(['ask', 'ask'])
      expect(after.map(({ step, attempt }) => [step, attempt])).toEqual([
        ['work', 2],
        ['last', 1],
      ])
      const keys = [...before, ...after].map(({ key }) => key)
      expect(new Set(keys).size).toBe(4)
      expect(keys.every(key => key.startsWith(`${flowId}:`))).toBe(true)
    })

    it('has the same key after it has failed, at a pause and behind one', async () => {
      for (const step of ['ask', 'work'] as const) {
        const app = await open()
        const { token } = await startOrder(app)
        const former = app.deeds[step]
        let keys: string[] = []
        app.deeds[step] = (...given) => {
          const { idempotencyKey, attempt } = useWfStep()
          keys = [...keys, `${idempotencyKey} ${attempt}`]
          if (attempt < 3) throw new Error('broken')
          return former(...given)
        }
        await expect(app.runner.resume(token, ADA)).rejects.toThrow('broken')
        await expect(app.runner.resume(token, ADA)).rejects.toThrow('broken')
        expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
        const [key] = keys[0]!.split(' ')
        expect(keys).toEqual([`${key} 1`, `${key} 2`, `${key} 3`])
      }
    })

    it('has the same key where each commit is at a pause', async () => {
      const dead = await open({ strategy: { checkpoint: 'pause' } })
      const before = noting(dead)
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'last', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open({ strategy: { checkpoint: 'pause' } })
      const after = noting(app)
      await app.takeUp(flowId)
      expect(after.slice(0, 2).map(({ key }) => key)).toEqual(before.slice(1).map(({ key }) => key))
    })

    it('is told when another process has the run', async () => {
      const dead = await open({ strategy: { leaseMs: 30, stepTimeoutMs: Infinity } })
      const { token, flowId } = await startOrder(dead)
      let signal: AbortSignal | undefined
      dead.deeds.work = () => {
        ;({ signal } = useWfStep())
        return new Promise(() => {})
      }
      void dead.runner.resume(token, ADA).catch(() => undefined)
      await vi.waitFor(() => expect(signal).toBeDefined())
      expect(signal?.aborted).toBe(false)
      const app = await open()
      // It says that it is alive: whoever comes between that and the end of the lease is too early.
      await vi.waitFor(async () => {
        dead.clock.advance(LEASE_MS)
        await app.takeUp(flowId)
        expect((await app.look(flowId)).status).toBe('completed')
      }, PATIENCE)
      await vi.waitFor(() => expect(signal?.aborted).toBe(true), PATIENCE)
      expect(signal?.reason).toMatchObject({ code: 'WF_CONFLICT' })
    })

    it('has a key on every strategy', async () => {
      const app = await open()
      const noted = noting(app)
      const { token } = paused(await app.runner.start('shop/order', { strategy: 'encapsulated' }))
      await app.runner.resume(token, ADA)
      expect(noted.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1])
      expect(new Set(noted.map(({ key }) => key)).size).toBe(4)
    })
  })

  describe('facts of a request', () => {
    it('are known to its steps, and to those that run when it is over', async () => {
      const facts = { language: 'de' }
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      const seen: unknown[] = []
      dead.deeds.ask = () => void seen.push(useWfFacts())
      dead.deeds.work = () => {
        seen.push(useWfFacts())
        return new Promise(() => {})
      }
      void dead.runner.resume(token, { ...ADA, facts })
      await vi.waitFor(() => expect(seen).toEqual([facts, facts]))
      dead.clock.advance(LEASE_MS)
      const app = await open()
      app.deeds.work = () => void seen.push(useWfFacts())
      app.deeds.last = () => void seen.push(useWfFacts())
      await app.takeUp(flowId)
      expect(seen.slice(2)).toEqual([facts, facts])
      // They are sealed, and gone when nobody needs them any more.
      const { answer } = await app.look(flowId)
      expect(answer).toBeUndefined()
    })

    it.each([
      ['a step fails', () => Promise.reject(new Error('broken'))],
      ['a mail cannot be delivered', () => outletEmail('nobody@example.com', 'decide')],
    ])('are still known when it is tried again because %s', async (_title, fails) => {
      const outlets = [createEmailOutlet(() => Promise.reject(new Error('no mail today')))]
      const app = await open({ config: { outlets } })
      const { token, flowId } = await startOrder(app)
      app.deeds.work = fails
      const facts = { language: 'de' }
      await app.runner.resume(token, { ...ADA, facts }).catch(() => {})
      expect(await app.look(flowId)).toMatchObject({ status: 'error' })
      let seen: unknown
      app.deeds.work = () => {
        seen = useWfFacts()
      }
      await app.durable.manage.retry(flowId)
      await app.takeUp(flowId)
      expect(seen).toEqual(facts)
    })

    it('are those of whoever has answered, whoever comes next', async () => {
      const dead = await open()
      const { token } = await startOrder(dead)
      const { ask } = dead.deeds
      dead.deeds.ask = () => new Promise(() => {})
      void dead.runner.resume(token, { ...ADA, facts: { language: 'de' } })
      await vi.waitFor(() => expect(dead.ran).toEqual(['ask', 'ask']))
      dead.clock.advance(LEASE_MS)
      dead.deeds.ask = ask
      let seen: unknown
      dead.deeds.work = () => {
        seen = useWfFacts()
      }
      await dead.runner.resume(token, { ...EVE, facts: { language: 'fr' } })
      expect(seen).toEqual({ language: 'de' })
    })

    it('that were not kept are waited for', async () => {
      const app = await crashIn('ask')
      app.deeds.work = () => void useWfFacts()
      expect(await app.takeUp(app.flowId)).toEqual({ kind: 'waiting' })
      const facts = { language: 'fr' }
      expect(await app.runner.resume(app.token, { facts })).toMatchObject({ kind: 'finished' })
    })

    it.each([
      ['no object', 7],
      ['a list', [1]],
      ['no JSON', { big: 1n }],
      ['too much', { text: 'x'.repeat(5000) }],
      ['no text', { text: '\0' }],
    ])('are a mistake of the program if they are %s', async (_title, facts) => {
      const app = await open()
      const { token } = await startOrder(app)
      const options = { ...ADA, facts: facts as never }
      await expect(app.runner.resume(token, options)).rejects.toMatchObject({ code: 'WF_CONFIG' })
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })
  })
})

function lookingInto({ runs }: SharedRuns) {
  return { look: async (flowId: string) => (await runs.find(flowId))! }
}
