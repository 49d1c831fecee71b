import { outletEmail, outletHttp, swapStrategy, useWfFinished, WfError } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
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

function describeDurableRuns(share: () => SharedRuns): void {
  /** A process, and where to look at what it leaves. */
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    const app = await openDurableApp(shared, options)
    const look = async (flowId: string) => (await shared.runs.find(flowId))!
    const typesOf = async (flowId: string) =>
      (await shared.runs.history(flowId)).map(({ type }) => type)
    return { ...app, ...shared, look, typesOf }
  }

  describe('a run', () => {
    it('is begun and paused in one commit, if no step was completed in between', async () => {
      const app = await open()
      const commit = vi.spyOn(app.runs, 'begin')
      const { flowId } = await startOrder(app)
      expect(commit).toHaveBeenCalledTimes(1)
      const run = await app.look(flowId)
      expect(run).toMatchObject({ status: 'paused', version: 2, claimSeq: 0, attempts: 0 })
      expect(run.stepId).toBe('shop/ask')
      expect(await app.typesOf(flowId)).toEqual(['workflow_created', 'paused'])
      expect(await app.runs.links(flowId)).toMatchObject([{ pause: 2, audience: 'caller' }])
    })

    it('tells its whole life, and what it came to', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.last = () => useWfFinished().set({ type: 'data', value: { ok: true } })
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'resumed',
        'step_started',
        'step_completed',
        'step_started',
        'step_completed',
        'step_started',
        'step_completed',
        'workflow_completed',
      ])
      const run = await app.look(flowId)
      expect(run).toMatchObject({
        status: 'completed',
        version: 10,
        result: { data: { ok: true } },
      })
      expect(run.state.context).toEqual({ name: 'Ada', work: 1 })
      const history = await app.runs.history(flowId)
      expect(history[4]).toMatchObject({ stepId: 'shop/ask', detail: { changed: { name: 'Ada' } } })
      const moves = history.flatMap(({ detail: { from, to } }) => (to ? [[from, to]] : []))
      expect(moves).toEqual([
        [undefined, 'active'],
        ['active', 'paused'],
        ['paused', 'active'],
        ['active', 'completed'],
      ])
    })

    it('writes its last step and its end in one commit', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const commit = vi.spyOn(app.runs, 'commit')
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
      const written = commit.mock.calls.map(([, { events }]) => events.map(({ type }) => type))
      expect(written.slice(1)).toEqual([
        ['step_started', 'step_completed'],
        ['step_started', 'step_completed', 'workflow_completed'],
      ])
      const run = await app.look(flowId)
      expect([run.status, run.answer, run.dueAt]).toEqual(['completed', undefined, undefined])
    })

    it('keeps its last step if its end cannot be planned', async () => {
      const onFinished = () => {
        throw new Error('A test.')
      }
      const app = await open({ config: { onFinished } })
      const { token, flowId } = await startOrder(app)
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('A test.')
      expect(await app.look(flowId)).toMatchObject({ status: 'error', stepId: 'shop/last' })
    })

    it.each(['fail', 'release'] as const)(
      'keeps its last step if %s comes behind it',
      async end => {
        const { durable, runs } = await open()
        const token = await durable.persist({ schemaId: 'shop/order', indexes: [2], context: {} })
        const claim = await durable.claim(token, { admit: () => null })
        if ('refusal' in claim) throw new Error(claim.refusal)
        await claim.checkpoint?.({ ...claim.state, context: { last: true } }, { isLast: true })
        await claim[end](new Error('A test.'))
        const [run] = await runs.page({ limit: 1, schemaId: 'shop/order' })
        const types = (await runs.history(run!.flowId)).map(({ type }) => type)
        expect(types.slice(2, 5)).toEqual(['resumed', 'step_started', 'step_completed'])
        expect(run).toMatchObject({ state: { context: { last: true } } })
        expect(run!.leaseOwner).toBeUndefined()
      },
    )

    it('renews its lease with a commit only when a heartbeat would', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const leases: (number | undefined)[] = []
      const noteLease = async () => void leases.push((await app.look(flowId)).leaseUntil)
      app.deeds.ask = async ctx => {
        await noteLease()
        ctx.name = 'Ada'
        app.clock.advance(LEASE_MS / 4)
      }
      app.deeds.work = async () => {
        await noteLease()
        app.clock.advance(LEASE_MS / 4)
      }
      app.deeds.last = noteLease
      await app.runner.resume(token, ADA)
      const [claimed, soon, later] = leases
      expect(soon).toBe(claimed)
      expect(later).toBe(claimed! + LEASE_MS / 2)
      const { leaseUntil, leaseOwner, dueAt } = await app.look(flowId)
      expect([leaseUntil, leaseOwner, dueAt]).toEqual([undefined, undefined, undefined])
    })

    it('is saved at pauses only, if that is asked for', async () => {
      const app = await open({ strategy: { checkpoint: 'pause' } })
      const { token, flowId } = await startOrder(app)
      await app.runner.resume(token, ADA)
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'resumed',
        'workflow_completed',
      ])
      // What the steps have made of it is there all the same.
      expect((await app.look(flowId)).state.context).toEqual({ name: 'Ada', work: 1 })
      expect((await app.runs.history(flowId)).at(-1)).toMatchObject({
        detail: { changed: { name: 'Ada', work: 1 } },
      })
    })

    it('explains a link that was used, without a ledger', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      await app.runner.resume(token, ADA)
      expect(await app.runner.resume(token, ADA)).toMatchObject({
        kind: 'refused',
        code: 'WF_USED',
      })
    })

    it.each([true, false])(
      'holds attempt limits in its context (keepToken: %s)',
      async keepToken => {
        const app = await open()
        const tried: unknown[] = []
        app.deeds.ask = (ctx, input) => {
          const ask = outletHttp({ ask: 'code' }, {}, { keepToken })
          if (!input?.code) return ask
          tried.push(input.code)
          const tries = Number(ctx.tries ?? 0) + 1
          ctx.tries = tries
          return tries < 3 ? ask : undefined
        }
        const { token } = await startOrder(app)
        const tokens = new Set([token])
        for (let round = 0; round < 4; round++) {
          // With every token that there has ever been, many times at once.
          const guesses = [...tokens].flatMap(each => Array.from({ length: 8 }, () => each))
          const results = await Promise.all(
            guesses.map((each, code) => app.runner.resume(each, { input: { code: code + 1 } })),
          )
          for (const result of results) if (result.kind === 'paused') tokens.add(result.token)
        }
        expect(tried).toHaveLength(3)
        expect(tokens.size).toBe(keepToken ? 1 : 3)
      },
    )

    it('stays at a pause, with its link', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = ctx => {
        ctx.tries = Number(ctx.tries ?? 0) + 1
        return outletHttp({ ask: 'again' }, undefined, { keepToken: true })
      }
      for (const tries of [1, 2]) {
        expect(paused(await app.runner.resume(token, EVE)).token).toBe(token)
        expect((await app.look(flowId)).state.context).toEqual({ tries })
      }
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'resumed',
        'stayed',
        'resumed',
        'stayed',
      ])
    })

    it('has one that goes on: the second is told to wait, and leaves no trace', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { result, letGo } = await hangIn(app, 'ask', token, ADA.input)
      expect(await app.runner.resume(token, EVE)).toMatchObject({ code: 'WF_BUSY' })
      expect(await app.look(flowId)).toMatchObject({ version: 2, claimSeq: 1, status: 'paused' })
      letGo()
      expect(await result).toMatchObject({ kind: 'finished' })
      expect((await app.look(flowId)).state.context).toMatchObject({ name: 'Ada' })
    })
  })

  describe('a process that dies', () => {
    it('loses nothing that was committed, and no committed step runs again', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      const { result, letGo } = await hangIn(dead, 'work', token, ADA.input)
      const other = await open()
      const given: unknown[] = []
      other.deeds.work = (ctx, input) => {
        given.push(input)
        ctx.work = 1
      }
      expect(await other.runner.resume(token, EVE)).toMatchObject({ code: 'WF_BUSY' })
      dead.clock.advance(LEASE_MS)
      expect(await other.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
      expect(other.ran).toEqual(['work', 'last'])
      // What was sent was meant for a pause that is over.
      expect(given).toEqual([undefined])
      expect((await other.look(flowId)).state.context).toEqual({ name: 'Ada', work: 1 })
      expect(await other.typesOf(flowId)).toContain('recovered')
      // It was not dead: it is told, and changes nothing.
      const before = await other.runs.history(flowId)
      letGo()
      expect(await result).toMatchObject({ kind: 'refused', code: 'WF_CONFLICT' })
      expect(await other.runs.history(flowId)).toEqual(before)
      expect(await other.look(flowId)).toMatchObject({ status: 'completed' })
    })

    it('leaves the answer that was accepted, which is the one that counts', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      const { answer } = await dead.look(flowId)
      expect(answer).toBeTypeOf('string')
      expect(answer).not.toContain('Ada')
      dead.clock.advance(LEASE_MS)
      const other = await open()
      expect(await other.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
      const run = await other.look(flowId)
      expect(run.state.context).toEqual({ name: 'Ada', work: 1 })
      expect(run.answer).toBeUndefined()
      expect(JSON.stringify(await other.runs.history(flowId))).not.toContain('Eve')
    })

    it.each([
      ['a field that looks secret', { name: 'Ada', password: 'hunter2' }, {}],
      ['no secret to seal it with', { name: 'Ada' }, { secret: undefined }],
    ])('does not leave an answer with %s', async (_title, input, strategy) => {
      const dead = await open({ strategy })
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, input)
      expect((await dead.look(flowId)).answer).toBeUndefined()
      dead.clock.advance(LEASE_MS)
      const other = await open()
      await other.runner.resume(token, EVE)
      expect((await other.look(flowId)).state.context).toMatchObject({ name: 'Eve' })
    })

    it('leaves an answer that opens for no other run and no other secret', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const other = await open({ strategy: { secret: `${'f0'.repeat(31)}0f` } })
      await other.runner.resume(token, EVE)
      expect((await other.look(flowId)).state.context).toMatchObject({ name: 'Eve' })
    })

    it('is told from one that takes long', async () => {
      const app = await open({ strategy: { leaseMs: 60 } })
      const { token, flowId } = await startOrder(app)
      const { result, letGo } = await hangIn(app, 'work', token, ADA.input)
      for (let beats = 0; beats < 3; beats++) {
        const { leaseUntil } = await app.look(flowId)
        app.clock.advance(30)
        await vi.waitFor(async () => {
          expect((await app.look(flowId)).leaseUntil).toBeGreaterThan(leaseUntil!)
        })
      }
      expect(await app.runner.resume(token)).toMatchObject({ code: 'WF_BUSY' })
      letGo()
      expect(await result).toMatchObject({ kind: 'finished' })
    })
  })

  describe('a step that fails', () => {
    it('leaves the run at its pause, without what it has done to the context', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { ask } = app.deeds
      app.deeds.ask = ctx => {
        ctx.name = 'half done'
        throw new Error('the password is hunter2')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('hunter2')
      const run = await app.look(flowId)
      expect(run).toMatchObject({ status: 'paused', attempts: 1 })
      expect(run.lastError).toMatchObject({ code: 'WF_INTERNAL' })
      expect(run.state.context).toEqual({})
      expect(run.leaseOwner).toBeUndefined()
      expect(run.answer).toBeUndefined()
      const history = await app.runs.history(flowId)
      expect(history.slice(2).map(({ type }) => type)).toEqual(['resumed', 'step_failed'])
      expect(JSON.stringify([run, history])).not.toContain('hunter2')
      app.deeds.ask = ask
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
      expect(await app.look(flowId)).toMatchObject({ attempts: 0 })
    })

    it('behind a checkpoint leaves the run there, and its link goes on from there', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { work } = app.deeds
      app.deeds.work = ctx => {
        ctx.work = 100
        throw new WfError('WF_CONFIG', 'broken')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('broken')
      const run = await app.look(flowId)
      expect(run).toMatchObject({ status: 'error', lastError: { code: 'WF_CONFIG' }, attempts: 1 })
      expect(run.state.context).toEqual({ name: 'Ada' })
      expect((await app.runs.history(flowId)).at(-1)).toMatchObject({
        type: 'step_failed',
        stepId: 'shop/work',
      })
      app.deeds.work = work
      app.ran.length = 0
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
      expect(app.ran).toEqual(['work', 'last'])
      expect((await app.look(flowId)).state.context).toEqual({ name: 'Ada', work: 1 })
    })

    it('while a flow begins leaves nothing', async () => {
      const app = await open()
      const begin = vi.spyOn(app.runs, 'begin')
      app.deeds.ask = () => {
        throw new Error('broken')
      }
      await expect(app.runner.start('shop/order')).rejects.toThrow('broken')
      expect(begin).not.toHaveBeenCalled()
    })

    it('that refuses the request leaves no trace in the version and the history', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const before = await app.runs.history(flowId)
      app.deeds.ask = () => {
        throw new HttpError(409, 'not now')
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ code: 'WF_REJECTED' })
      expect(await app.runs.history(flowId)).toEqual(before)
      expect(await app.look(flowId)).toMatchObject({ version: 2, claimSeq: 1, status: 'paused' })
    })
  })

  describe('a link', () => {
    it('that cannot be delivered leaves the former one alive', async () => {
      const app = await open({ config: { outlets: [BROKEN] } })
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = ctx => {
        ctx.name = 'undone'
        return outletEmail('ada@example.com', 'invite')
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ code: 'WF_OUTLET_FAILED' })
      const run = await app.look(flowId)
      expect(run).toMatchObject({ status: 'paused', lastError: { code: 'WF_OUTLET_FAILED' } })
      expect(run.state.context).toEqual({})
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'resumed',
        'paused',
        'undelivered',
      ])
      app.deeds.ask = () => undefined
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('that cannot be delivered behind a checkpoint leaves the run there', async () => {
      const app = await open({ config: { outlets: [BROKEN] } })
      const { token, flowId } = await startOrder(app)
      app.deeds.work = () => outletEmail('ada@example.com', 'invite')
      expect(await app.runner.resume(token, ADA)).toMatchObject({ code: 'WF_OUTLET_FAILED' })
      expect(await app.look(flowId)).toMatchObject({ status: 'error' })
      app.deeds.work = () => undefined
      app.ran.length = 0
      expect(await app.runner.resume(token)).toMatchObject({ kind: 'finished' })
      expect(app.ran).toEqual(['work', 'last'])
    })

    it('that cannot be delivered when a flow begins ends the run', async () => {
      const app = await open({ config: { outlets: [BROKEN] } })
      const begin = vi.spyOn(app.runs, 'begin')
      app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
      expect(await app.runner.start('shop/order')).toMatchObject({ code: 'WF_OUTLET_FAILED' })
      const { flowId } = begin.mock.calls[0]![0]
      expect(await app.look(flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('is kept with whom it was sent to, and by its hash alone', async () => {
      const app = await open()
      app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
      const { flowId } = (await app.runner.start('shop/order')) as { flowId: string }
      const [link] = await app.runs.links(flowId)
      expect(link).toMatchObject({ audience: 'out-of-band', recipient: 'ada@example.com' })
      const handle = app.mails[0]!.token.split('.')[1]!
      expect(JSON.stringify([link, await app.look(flowId)])).not.toContain(handle)
    })
  })

  describe('a flow', () => {
    it('moves into durable', async () => {
      const app = await open()
      const first = paused(await app.runner.start('shop/order', { strategy: 'encapsulated' }))
      app.deeds.ask = () => {
        swapStrategy('durable')
        return outletHttp({ ask: 'more' })
      }
      const second = paused(await app.runner.resume(first.token, ADA))
      expect(second.token).toMatch(/^durable\./u)
      expect(await app.typesOf(first.flowId!)).toEqual(['moved_in', 'paused'])
      app.deeds.ask = () => undefined
      expect(await app.runner.resume(second.token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('does not move out of it, and is where it was', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.ask = () => {
        swapStrategy('encapsulated')
        return outletHttp({ ask: 'more' })
      }
      await expect(app.runner.resume(token, ADA)).rejects.toMatchObject({ code: 'WF_CONFIG' })
      expect(await app.look(flowId)).toMatchObject({ status: 'paused' })
      app.deeds.ask = () => undefined
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('is one per key, and a process that died at its beginning does not keep the key', async () => {
      const app = await open()
      const runKey = crypto.randomUUID()
      const start = () => app.runner.start('shop/order', { runKey })
      const { token } = paused(await start())
      expect(await start()).toMatchObject({ code: 'WF_CONFLICT' })
      await app.runner.resume(token, ADA)
      const { ask } = app.deeds
      const hanging = new Promise<void>(resolve => {
        app.deeds.ask = () => {
          resolve()
          return new Promise(() => {})
        }
      })
      void start()
      await hanging
      app.deeds.ask = ask
      expect(await start()).toMatchObject({ code: 'WF_CONFLICT' })
      app.clock.advance(LEASE_MS)
      expect(await start()).toMatchObject({ kind: 'paused' })
    })
  })
}

const BROKEN = {
  name: 'email',
  tokenDelivery: 'out-of-band',
  deliver: async () => {
    throw new Error('no mail today')
  },
} as const

describeOnRunStores(describeDurableRuns)
