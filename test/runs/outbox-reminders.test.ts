import type { WfDeadlineOptions } from '@atscript/moost-wf/moost'
import type { WfRunStore } from '@atscript/moost-wf/store'
import { expect, it } from 'vitest'
import { LEASE_MS } from '../support/durable-app'
import { ADA, openOutboxApp } from '../support/outbox-app'
import { describeOnRunStores } from '../support/run-stores'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DEADLINE: WfDeadlineOptions = {
  afterMs: 5 * HOUR,
  remindEveryMs: HOUR,
  onTimeout: 'cancel',
}

const down = async () => {
  throw new Error('ECONNREFUSED')
}

describeOnRunStores(
  share => {
    const open = async (options: Parameters<typeof openOutboxApp>[1] = {}, shared = share()) => {
      const link = { deadline: DEADLINE, ...options.link }
      const app = await openOutboxApp(shared, { ...options, link })
      const typesOf = async (flowId: string) =>
        (await app.runs.history(flowId)).map(({ type }) => type)
      return { ...app, typesOf }
    }

    it('a reminder and its message are one commit', async () => {
      const app = await open()
      const { flowId } = await app.start()
      await app.wait(0)
      app.post.carry = down
      await app.wait(HOUR)
      const [, message] = await app.messages(flowId)
      expect(message).toMatchObject({ recipient: ADA, pause: 2 })
      const { messageId } = message!
      expect((await app.runs.history(flowId)).at(-1)).toMatchObject({
        type: 'reminded',
        detail: { reminder: 1, messageId },
      })
      const run = (await app.runs.find(flowId))!
      expect(run).toMatchObject({ status: 'paused', dueAt: app.clock.now() + HOUR })
      expect(run.leaseOwner).toBeUndefined()
      expect(await app.api.get(flowId)).toMatchObject({ deadline: { reminders: 1 } })
    })

    it('a reminder that is not written is not sent, and is written later', async () => {
      const shared = share()
      const app = await open({}, shared)
      const { flowId } = await app.start()
      await app.wait(0)
      const dead = await open({}, { ...shared, runs: failingAt('reminded', shared.runs) })
      await dead.wait(HOUR)
      expect(await app.messages(flowId)).toHaveLength(1)
      await app.wait(LEASE_MS)
      await app.wait(0)
      expect([...app.attempts, ...dead.attempts]).toMatchObject([{}, { reminder: 1 }])
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    })

    it('a reminder is tried again, with the same id and a link of its own that lives', async () => {
      const app = await open({ strategy: { defaultTtl: HOUR } })
      const { flowId } = await app.start()
      await app.wait(0)
      app.post.carry = down
      await app.wait(HOUR)
      await app.wait(0)
      app.post.carry = async () => {}
      await app.wait(MINUTE)
      const [first, second, third, ...others] = app.attempts
      expect(others).toEqual([])
      expect(third).toEqual(second)
      expect(third).toMatchObject({ target: ADA, reminder: 1, context: { why: 'because' } })
      expect([third!.messageId, third!.token]).not.toContain(first!.messageId)
      expect(await app.answer(first!.token)).toMatchObject({ code: 'WF_EXPIRED' })
      expect(await app.answer(third!.token)).toMatchObject({ kind: 'finished' })
      expect(await app.answer(third!.token)).toMatchObject({ code: 'WF_USED' })
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    })

    it('a reminder says also what only the seal keeps', async () => {
      const context = { why: 'because', password: 'once' }
      const app = await open({ link: { context } })
      await app.start()
      await app.wait(0)
      for (const _reminder of [1, 2]) {
        await app.wait(HOUR)
        await app.wait(0)
      }
      expect(app.attempts).toMatchObject([
        { context, reminder: undefined },
        { context, reminder: 1 },
        { context, reminder: 2 },
      ])
    })

    it.each(['answered', 'cancelled', 'out of time'])(
      'a reminder is dropped when its pause is over: %s',
      async how => {
        const app = await open()
        const { flowId } = await app.start()
        await app.wait(0)
        app.post.carry = down
        await app.wait(HOUR)
        await app.wait(0)
        if (how === 'answered') await app.answer(app.attempts[0]!.token)
        if (how === 'cancelled') await app.api.cancel(flowId)
        if (how === 'out of time') {
          for (let hour = 2; hour <= 5; hour++) await app.wait(HOUR)
        }
        app.post.carry = async () => {}
        const before = app.attempts.length
        await app.wait(HOUR)
        expect(app.attempts).toHaveLength(before)
        expect(await app.messages(flowId)).toMatchObject([
          { status: 'sent' },
          { status: 'dropped' },
        ])
      },
    )

    it('nobody is reminded of what still waits to be sent', async () => {
      const app = await open()
      app.post.carry = down
      const { flowId } = await app.start()
      for (let hour = 1; hour <= 3; hour++) await app.wait(HOUR)
      expect(await app.messages(flowId)).toHaveLength(1)
      expect(await app.typesOf(flowId)).toEqual([
        'workflow_created',
        'paused',
        ...Array.from({ length: 3 }, () => 'reminder_failed'),
      ])
      app.post.carry = async () => {}
      await app.wait(15 * MINUTE)
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }])
      await app.wait(45 * MINUTE)
      await app.wait(0)
      expect(app.attempts.at(-1)).toMatchObject({ reminder: 1 })
    })

    it('a reminder has a code where the first message had one, and the latest counts', async () => {
      const app = await open({ link: { code: true } })
      const { watch, browser } = await app.start()
      await app.wait(0)
      app.post.carry = down
      await app.wait(HOUR)
      await app.wait(0)
      app.post.carry = async () => {}
      await app.wait(MINUTE)
      const [first, second, third] = app.attempts
      expect(third!.code).toBe(second!.code)
      expect(third!.code).not.toBe(first!.code)
      const type = (code: string) => app.runner.enterCode(watch!, code, { browser })
      expect(await type(first!.code!)).toMatchObject({ code: 'WF_CODE_WRONG' })
      expect(await type(third!.code!)).toMatchObject({ kind: 'sent' })
    })

    it('a code lives on when its reminder cannot be written', async () => {
      const shared = share()
      const app = await open({ link: { code: true } }, shared)
      const { watch, browser } = await app.start()
      await app.wait(0)
      const runs = failingAt('reminded', shared.runs)
      const dead = await open({ config: { ledger: app.ledger } }, { ...shared, runs })
      await dead.wait(HOUR)
      const { code } = app.attempts[0]!
      app.clock.advance(LEASE_MS)
      const typed = await app.runner.enterCode(watch!, code!, { browser })
      expect(typed).toMatchObject({ kind: 'sent' })
    })
  },
  { outbox: true },
)

/** A store that cannot write such an event. */
function failingAt(type: string, runs: WfRunStore): WfRunStore {
  const commit: WfRunStore['commit'] = (held, change) => {
    if (change.events.some(event => event.type === type)) throw new Error('There is no database.')
    return runs.commit(held, change)
  }
  return new Proxy(runs, {
    get: (target, name) => {
      const value: unknown = name === 'commit' ? commit : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
