import {
  Deadline,
  outletEmail,
  outletHttp,
  Step,
  type WfEmail,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import type { WfDeadlineOptions } from '@atscript/moost-wf/moost'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import {
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  paused,
} from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import { replayHistory } from '../support/replay-history'
import { describeOnRunStores } from '../support/run-stores'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const HOUR = 60 * 60_000
const ADA = { input: { name: 'Ada' } }

describeOnRunStores(share => {
  const open = async (options: DurableAppOptions = {}) => {
    const shared = share()
    const app = await openDurableApp(shared, {
      ...options,
      config: { logger: SILENT, ...options.config },
    })
    const typesOf = async (flowId: string) =>
      (await shared.runs.history(flowId)).map(({ type }) => type)
    const tokenOf = (mail: WfEmail | undefined) => mail?.token ?? ''
    return { ...app, ...shared, typesOf, tokenOf }
  }
  type App = Awaited<ReturnType<typeof open>>

  /** A run that has asked somebody by mail, who has until then. */
  async function ask(app: App, deadline: WfDeadlineOptions, options: object = {}) {
    app.deeds.ask = (ctx, input) => {
      if (!input?.name)
        return outletEmail('boss@example.com', 'decide', {}, { deadline, ...options })
      ctx.name = input.name as string
    }
    const started = await app.runner.start('shop/order')
    return 'flowId' in started ? started.flowId! : ''
  }

  const look = async ({ runs }: App, flowId: string) => (await runs.find(flowId))!

  describe('a deadline', () => {
    it('costs nothing until then', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'fail' })
      const at = app.clock.now() + HOUR
      expect(await look(app, flowId)).toMatchObject({ status: 'paused', dueAt: at })
      expect(await app.api.get(flowId)).toMatchObject({ deadline: { at, onTimeout: 'fail' } })
      app.clock.advance(HOUR - 1)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
      app.clock.advance(1)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
    })

    it('lets the run fail', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'fail' })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({
        status: 'failed',
        lastError: { code: 'WF_DEADLINE' },
      })
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'timed_out',
        'workflow_failed',
      ])
      expect(await app.runner.resume(app.tokenOf(app.mails[0]), ADA)).toMatchObject({
        kind: 'refused',
      })
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
    })

    it('gives whoever is asked again, because someone says so, all the time', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'fail' })
      app.clock.advance(HOUR)
      await app.api.runDue()
      await app.durable.manage.retry(flowId)
      expect(await look(app, flowId)).toMatchObject({ status: 'paused' })
      app.clock.advance(HOUR)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
      const answered = await app.runner.resume(app.tokenOf(app.mails[0]), ADA)
      expect(answered).toMatchObject({ kind: 'finished' })
    })

    it('cancels the run', async () => {
      const app = await open()
      const flowId = await ask(app, { at: app.clock.now() + HOUR, onTimeout: 'cancel' })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'cancelled',
        detail: { reason: 'deadline' },
      })
    })

    it('lets the run go on at a step, without an answer, and kills all links', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'last' })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(app.ran).toEqual(['ask', 'last'])
      expect(await look(app, flowId)).toMatchObject({ status: 'completed' })
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'timed_out',
        'step_started',
        'step_completed',
        'workflow_completed',
      ])
      const history = await app.runs.history(flowId)
      const { status, version, indexes, context } = replayHistory(history)
      const { state, ...run } = await look(app, flowId)
      expect({ status, version, indexes, context }).toEqual({
        status: run.status,
        version: run.version,
        indexes: state.indexes,
        context: state.context,
      })
      expect(history[2]).toMatchObject({
        stepId: 'shop/ask',
        detail: { onTimeout: 'shop/last', from: 'paused', to: 'active' },
      })
    })

    it('has killed the links before the step runs', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'last' })
      const seen: unknown[] = []
      app.deeds.last = async () => {
        seen.push(await app.runner.resume(app.tokenOf(app.mails[0]), ADA))
      }
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(seen).toMatchObject([{ kind: 'refused', code: 'WF_USED' }])
      expect(await look(app, flowId)).toMatchObject({ status: 'completed' })
    })

    it('goes on from there in another process, if the first one dies in the step', async () => {
      const dead = await open()
      const flowId = await ask(dead, { afterMs: HOUR, onTimeout: 'last' })
      let reached = () => {}
      const inStep = new Promise<void>(resolve => (reached = resolve))
      dead.deeds.last = () => {
        reached()
        return new Promise(() => {})
      }
      dead.clock.advance(HOUR)
      void dead.api.runDue()
      await inStep
      dead.clock.advance(LEASE_MS)
      const app = await open()
      await app.api.runDue()
      expect(app.ran).toEqual(['last'])
      expect(await look(app, flowId)).toMatchObject({ status: 'completed' })
    })

    it('is gone with the pause that was answered', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'fail' })
      app.deeds.work = () => outletHttp({ ask: 'more' })
      paused(await app.runner.resume(app.tokenOf(app.mails[0]), ADA))
      expect((await look(app, flowId)).dueAt).toBeGreaterThan(app.clock.now() + HOUR)
      expect((await app.api.get(flowId))?.deadline).toBeUndefined()
      app.clock.advance(HOUR)
      expect(await app.api.runDue()).toMatchObject({ done: 0 })
    })

    it('loses to an answer that was accepted before, whatever becomes of its process', async () => {
      const dead = await open()
      const flowId = await ask(dead, { afterMs: LEASE_MS / 2, onTimeout: 'fail' })
      await hangIn(dead, 'ask', dead.tokenOf(dead.mails[0]), ADA.input)
      dead.clock.advance(LEASE_MS / 2)
      const app = await open()
      app.deeds.ask = dead.deeds.ask
      expect(await app.takeUp(flowId)).toEqual({ kind: 'refused', reason: 'busy' })
      app.clock.advance(LEASE_MS)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({
        status: 'completed',
        state: { context: { name: 'Ada' } },
      })
    })

    it('is still there when the step that was answered has failed', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'cancel' })
      const { ask: asks } = app.deeds
      app.deeds.ask = () => {
        throw new Error('A test.')
      }
      await expect(app.runner.resume(app.tokenOf(app.mails[0]), ADA)).rejects.toThrow('A test.')
      app.deeds.ask = asks
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('stays as it was for whoever is asked again at the same step', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'cancel' })
      const at = app.clock.now() + HOUR
      app.clock.advance(HOUR / 2)
      await app.runner.resume(app.tokenOf(app.mails[0]))
      expect(app.mails).toHaveLength(2)
      expect(await look(app, flowId)).toMatchObject({ status: 'paused', dueAt: at })
    })

    it('is as it was when what was sent is refused', async () => {
      const dead = await open({ strategy: { secret: undefined } })
      const flowId = await ask(dead, { afterMs: HOUR, onTimeout: 'cancel' })
      const { dueAt } = await look(dead, flowId)
      await hangIn(dead, 'ask', dead.tokenOf(dead.mails[0]), ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open({ strategy: { secret: undefined } })
      app.deeds.ask = () => {
        throw new HttpError(409, 'not now')
      }
      await app.runner.resume(dead.tokenOf(dead.mails[0]), ADA)
      expect(await look(app, flowId)).toMatchObject({ status: 'paused', dueAt })
    })

    it('is kept by a change from outside, and by a new link', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'cancel' })
      const { dueAt, version } = await look(app, flowId)
      await app.api.update(flowId, version, () => ({ name: 'Eve' }))
      expect((await look(app, flowId)).dueAt).toBe(dueAt)
      await app.api.reissue(flowId, { deliver: () => {} })
      expect((await look(app, flowId)).dueAt).toBe(dueAt)
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('is not due sooner because whoever changed its run has died', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'cancel' })
      const { dueAt, version } = await look(app, flowId)
      void app.api.update(flowId, version, () => new Promise(() => {}))
      await expect.poll(async () => (await look(app, flowId)).leaseOwner).toBeDefined()
      expect((await look(app, flowId)).dueAt).toBe(dueAt)
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('is put off by whoever gives the links more time', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'cancel' })
      await app.api.extend(flowId, { ttlMs: 2 * HOUR })
      const at = app.clock.now() + 2 * HOUR
      expect(await look(app, flowId)).toMatchObject({ dueAt: at })
      await app.api.extend(flowId, { ttlMs: HOUR })
      expect(await look(app, flowId)).toMatchObject({ dueAt: at })
    })

    it('comes along with a snapshot', async () => {
      const app = await open()
      const flowId = await ask(app, { afterMs: HOUR, onTimeout: 'cancel' })
      const snapshot = await app.api.getSnapshot(flowId)
      app.clock.advance(HOUR)
      await app.api.cancel(flowId)
      app.clock.advance(30 * 24 * HOUR)
      await app.runs.removeEnded({ endedUntil: app.clock.now() })
      await app.api.restore(snapshot!, { schemaId: 'shop/order' })
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('fails the run by name if its step is gone', async () => {
      const before = await open()
      const flowId = await ask(before, { afterMs: HOUR, onTimeout: 'work' })
      const app = await open({ schema: ['ask', 'last'] })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({
        status: 'failed',
        lastError: { code: 'WF_NO_SUCH_STEP', step: 'shop/work' },
      })
    })

    it('finds its step where a deploy has put it', async () => {
      const before = await open()
      const flowId = await ask(before, { afterMs: HOUR, onTimeout: 'last' })
      const app = await open({ schema: ['work', 'ask', { steps: ['last'] }, 'work'] })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(app.ran).toEqual(['last', 'work'])
      expect(await look(app, flowId)).toMatchObject({ status: 'completed' })
    })

    it('fails the run by name if it never had that step', async () => {
      const app = await open()
      const { token, flowId } = await (async () => {
        const first = paused(await app.runner.start('shop/order'))
        return { token: first.token, flowId: first.flowId! }
      })()
      app.deeds.ask = () =>
        outletEmail('a@example.com', 'x', {}, { deadline: { afterMs: 1, onTimeout: 'nowhere' } })
      await expect(app.runner.resume(token, ADA)).rejects.toMatchObject({
        code: 'WF_NO_SUCH_STEP',
      })
      expect(await look(app, flowId)).toMatchObject({
        status: 'failed',
        lastError: { code: 'WF_NO_SUCH_STEP', step: 'nowhere' },
      })
    })

    it('is refused where nobody keeps it', async () => {
      const app = await open()
      const deadline = { afterMs: 1, onTimeout: 'fail' }
      app.deeds.ask = () => outletHttp({ ask: 'name' }, {}, { deadline })
      const starting = app.runner.start('shop/order', { strategy: 'encapsulated' })
      await expect(starting).rejects.toMatchObject({ code: 'WF_CONFIG' })
    })
  })

  describe('a reminder', () => {
    const DEADLINE = { afterMs: 3 * HOUR, remindEveryMs: HOUR, onTimeout: 'cancel' } as const

    it('sends the message again until the deadline, each time with a link that lives', async () => {
      const app = await open()
      const flowId = await ask(app, DEADLINE)
      for (let hour = 1; hour <= 2; hour++) {
        app.clock.advance(HOUR)
        expect(await app.api.runDue()).toMatchObject({ done: 1 })
      }
      expect(app.mails.map(({ reminder }) => reminder)).toEqual([undefined, 1, 2])
      expect(new Set(app.mails.map(({ token }) => token)).size).toBe(3)
      expect(app.mails[2]).toMatchObject({ target: 'boss@example.com', template: 'decide' })
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'reminded',
        'reminded',
      ])
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(app.mails).toHaveLength(3)
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
    })

    it.each([0, 1])('leaves every link good until one of them is answered: %i', async which => {
      const app = await open()
      await ask(app, DEADLINE)
      app.clock.advance(HOUR)
      await app.api.runDue()
      const tokens = app.mails.map(({ token }) => token)
      expect(await app.runner.resume(tokens[which]!, ADA)).toMatchObject({ kind: 'finished' })
      expect(await app.runner.resume(tokens[1 - which]!, ADA)).toMatchObject({
        kind: 'refused',
        code: 'WF_USED',
      })
    })

    it('has a link that lives as long as the first one did', async () => {
      const app = await open({ strategy: { defaultTtl: HOUR } })
      await ask(app, DEADLINE)
      app.clock.advance(HOUR)
      await app.api.runDue()
      const [first, second] = app.mails.map(({ token }) => token)
      expect(await app.runner.resume(first!, ADA)).toMatchObject({ code: 'WF_EXPIRED' })
      app.clock.advance(HOUR - 1)
      expect(await app.runner.resume(second!, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('goes out again if the process dies in its delivery', async () => {
      let reached = () => {}
      const inDelivery = new Promise<void>(resolve => (reached = resolve))
      const hanging = {
        name: 'email',
        tokenDelivery: 'out-of-band' as const,
        deliver: ({ reminder }: { reminder?: number | undefined }) => {
          if (reminder === undefined) return
          reached()
          return new Promise<void>(() => {})
        },
      }
      const dead = await open({ config: { outlets: [hanging] } })
      const flowId = await ask(dead, DEADLINE)
      dead.clock.advance(HOUR)
      void dead.api.runDue()
      await inDelivery
      dead.clock.advance(LEASE_MS)
      const app = await open()
      await app.api.runDue()
      expect(app.mails).toMatchObject([{ reminder: 1 }])
      expect(await look(app, flowId)).toMatchObject({ status: 'paused' })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(app.mails).toMatchObject([{ reminder: 1 }, { reminder: 2 }])
    })

    it('is no deadline, if the process dies in the delivery of the last one', async () => {
      let reached = () => {}
      const inDelivery = new Promise<void>(resolve => (reached = resolve))
      const hanging = {
        name: 'email',
        tokenDelivery: 'out-of-band' as const,
        deliver: ({ reminder }: { reminder?: number | undefined }) => {
          if (reminder === undefined) return
          reached()
          return new Promise<void>(() => {})
        },
      }
      const dead = await open({ config: { outlets: [hanging] } })
      const flowId = await ask(dead, { ...DEADLINE, afterMs: 2 * HOUR })
      dead.clock.advance(HOUR)
      void dead.api.runDue()
      await inDelivery
      dead.clock.advance(LEASE_MS)
      const app = await open()
      await app.api.runDue()
      expect(app.mails).toMatchObject([{ reminder: 1 }])
      expect(await look(app, flowId)).toMatchObject({ status: 'paused' })
      app.clock.advance(HOUR)
      await app.api.runDue()
      expect(await look(app, flowId)).toMatchObject({ status: 'cancelled' })
    })

    it('is tried again if it cannot be sent, and says so in the history', async () => {
      let isDown = false
      const mails: unknown[] = []
      const outlet = {
        name: 'email',
        tokenDelivery: 'out-of-band' as const,
        deliver: ({ reminder }: { reminder?: number | undefined }) => {
          if (isDown) throw new Error('A secret.')
          mails.push(reminder)
        },
      }
      const app = await open({ config: { outlets: [outlet] } })
      const flowId = await ask(app, DEADLINE)
      app.clock.advance(HOUR)
      isDown = true
      await app.api.runDue()
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        'reminded',
        'reminder_failed',
      ])
      isDown = false
      app.clock.advance(60_000)
      await app.api.runDue()
      expect(mails).toEqual([undefined, 1])
      expect(JSON.stringify(await app.api.history(flowId))).not.toContain('secret')
    })

    it('needs someone who was written to', async () => {
      const app = await open()
      app.deeds.ask = () => outletHttp({ ask: 'name' }, {}, { deadline: DEADLINE })
      await expect(app.runner.start('shop/order')).rejects.toMatchObject({ code: 'WF_CONFIG' })
    })
  })
})

it.each([
  ['decide', 'nowhere'],
  ['decide', 'decide', 'decide'],
  ['decide', 'last', 'last'],
])('refuses a workflow of %s in which a deadline does not go on at one step', async (...names) => {
  const onTimeout = names.at(-1)!

  @Controller('shop')
  class Shop {
    @Workflow('order')
    @WorkflowSchema(names.filter(name => name !== 'nowhere'))
    order() {}

    @Step('decide')
    @Deadline({ afterMs: 1, onTimeout })
    decide() {}

    @Step('last')
    last() {}
  }

  await expect(buildApp([Shop]).app.init()).rejects.toMatchObject({
    code: 'WF_CONFIG',
    message: expect.stringContaining(`goes on at "${onTimeout}"`),
  })
})

it('refuses deadlines that make no sense', () => {
  const wrong = [
    { onTimeout: 'fail' },
    { afterMs: 1, at: 1, onTimeout: 'fail' },
    { afterMs: 0, onTimeout: 'fail' },
    { afterMs: 1, onTimeout: '' },
    { afterMs: 1, remindEveryMs: 0, onTimeout: 'fail' },
  ]
  for (const options of wrong) {
    expect(() => Deadline(options)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  }
})
