import { randomBytes } from 'node:crypto'
import { createWfRuns, NonRetryableError, outletEmail, WfError } from '@atscript/moost-wf'
import type { WfRunStore } from '@atscript/moost-wf/store'
import type { Logger } from '@wooksjs/event-core'
import { expect, it, vi } from 'vitest'
import { afterReads } from '../support/after-reads'
import { hangIn, SECRET } from '../support/durable-app'
import { ADA, openOutboxApp } from '../support/outbox-app'
import { describeOnRunStores } from '../support/run-stores'

const BOB = 'bob@example.com'
const BOSS = 'boss@example.com'
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger

const down = async () => {
  throw new Error('ECONNREFUSED')
}

describeOnRunStores(
  share => {
    const open = (options?: Parameters<typeof openOutboxApp>[1]) => openOutboxApp(share(), options)

    it('a pause is answered before its message is sent, and stands', async () => {
      const app = await open()
      const sent = await app.start()
      expect(sent).toMatchObject({ kind: 'sent', outlet: 'email', queued: true })
      expect(await app.runner.watch(sent.watch!)).toMatchObject({ state: 'waiting' })
      expect(app.attempts).toEqual([])
      const [message, ...others] = await app.messages(sent.flowId)
      expect(others).toEqual([])
      expect(message).toMatchObject({ status: 'waiting', outlet: 'email', recipient: ADA })
      const before = await app.runs.find(sent.flowId)
      expect(await app.wait(0)).toMatchObject({ done: 1 })
      const { messageId } = message!
      expect(app.attempts).toMatchObject([{ messageId, target: ADA, context: { why: 'because' } }])
      expect(await app.messages(sent.flowId)).toMatchObject([{ status: 'sent', attempts: 1 }])
      // Whoever answers at that moment is not disturbed: neither the run nor its version knows of it.
      expect(await app.runs.find(sent.flowId)).toEqual(before)
      expect(await app.api.history(sent.flowId)).toMatchObject([
        { type: 'workflow_created', seq: 1 },
        { type: 'paused', seq: 2 },
        { type: 'sent', seq: 2, detail: { messageId, attempts: 1 } },
      ])
      expect(await app.wait(DAY)).toMatchObject({ done: 0 })
      expect((await app.answer(app.attempts[0]!.token)).kind).toBe('finished')
      expect((await app.api.history(sent.flowId)).map(({ type }) => type)).toEqual([
        'workflow_created',
        'paused',
        'sent',
        'resumed',
        ...Array.from({ length: 3 }, () => ['step_started', 'step_completed']).flat(),
        'workflow_completed',
      ])
    })

    it('a message is tried again, later each time, with the same id, link and code', async () => {
      const app = await open({ link: { code: true } })
      app.post.carry = down
      const sent = await app.start()
      expect(sent).toMatchObject({ queued: true, code: true })
      await app.wait(0)
      const pauses: number[] = []
      for (let attempt = 1; attempt < 12; attempt++) {
        const [message] = await app.messages(sent.flowId)
        expect(message).toMatchObject({ status: 'waiting', attempts: attempt })
        expect(message!.lastError).toMatchObject({ code: 'WF_OUTLET_FAILED' })
        const pause = message!.nextAttemptAt! - app.clock.now()
        pauses.push(pause)
        expect(await app.wait(pause - 1)).toMatchObject({ failed: 0 })
        expect(await app.wait(1)).toMatchObject({ failed: 1 })
      }
      for (const [at, pause] of pauses.entries()) {
        const most = Math.min(5 * SECOND * 2 ** at, 15 * MINUTE)
        expect([at, pause >= 0.75 * most && pause <= most]).toEqual([at, true])
      }
      app.post.carry = async () => {}
      await app.retry(sent.flowId)
      const [first] = app.attempts
      expect(new Set(app.attempts.map(attempt => JSON.stringify(attempt))).size).toBe(1)
      expect(app.attempts).toHaveLength(13)
      const typed = await app.runner.enterCode(sent.watch!, first!.code!, { browser: sent.browser })
      expect(typed).toMatchObject({ kind: 'sent' })
      expect(await app.answer(first!.token)).toMatchObject({ kind: 'refused', code: 'WF_USED' })
    })

    it('a message that nobody takes is undelivered, and can be sent again as it was', async () => {
      const app = await open()
      const config = { ...app.runConfig, outbox: { attempts: 2, baseMs: SECOND } }
      const api = createWfRuns({ ...config, worker: false, logger: SILENT }, app.wf)
      app.post.carry = down
      const { flowId } = await app.start()
      await api.runDue()
      app.clock.advance(SECOND)
      await api.runDue()
      const [message] = await app.messages(flowId)
      const { messageId } = message!
      expect(message).toMatchObject({ status: 'undelivered', attempts: 2 })
      expect(await api.history(flowId)).toMatchObject([
        {},
        { type: 'paused' },
        { type: 'undelivered', seq: 2, detail: { messageId, code: 'WF_OUTLET_FAILED' } },
      ])
      app.clock.advance(2 * DAY)
      expect(await api.runDue()).toMatchObject({ failed: 0 })
      app.post.carry = async () => {}
      expect(await api.resend(messageId, { actor: 'an admin' })).toBe(3)
      await api.runDue()
      expect(await app.messages(flowId)).toMatchObject([{ messageId, status: 'sent', attempts: 1 }])
      expect(await api.history(flowId)).toMatchObject([
        {},
        {},
        { type: 'resent', actor: 'an admin', detail: { messageId } },
        { type: 'sent' },
      ])
      const [first, , third] = app.attempts
      expect(third).toEqual(first)
      expect((await app.answer(third!.token)).kind).toBe('finished')
      await expect(api.resend(messageId)).rejects.toMatchObject({ code: 'WF_TRANSITION' })
      expect(await api.resend('msg_nobody')).toBeNull()
    })

    it('a message that has arrived goes out again as another one, with the same link', async () => {
      const app = await open()
      const { flowId } = await app.start()
      await app.wait(0)
      const [message] = await app.messages(flowId)
      await app.api.resend(message!.messageId)
      await app.wait(0)
      const [first, second] = app.attempts
      expect(second!.messageId).not.toBe(first!.messageId)
      expect({ ...second, messageId: '' }).toEqual({ ...first, messageId: '' })
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    })

    it('a message to another address has a link of its own, and the one that went astray is dead', async () => {
      const app = await open({ link: { code: true } })
      const sent = await app.start()
      await app.wait(0)
      const [message] = await app.messages(sent.flowId)
      await app.api.resend(message!.messageId, { to: BOB, actor: 'an admin' })
      await app.wait(0)
      const [first, second] = app.attempts
      expect(second).toMatchObject({ target: BOB, code: undefined, context: { why: 'because' } })
      const late = await app.answer(first!.token)
      expect(late).toMatchObject({ kind: 'refused', code: 'WF_SUPERSEDED' })
      // It is Bob's turn now: Ada can have no link any more.
      expect(late).not.toHaveProperty('fresh', true)
      expect(await app.runner.askFresh(first!.token)).toBe(false)
      expect(
        await app.runner.enterCode(sent.watch!, first!.code!, { browser: sent.browser }),
      ).toMatchObject({ code: 'WF_SUPERSEDED' })
      expect(await app.api.links(sent.flowId)).toMatchObject([{ recipient: BOB }])
      expect((await app.answer(second!.token)).kind).toBe('finished')
    })

    it('a message to another address never carries the link of a later pause', async () => {
      const app = await open()
      app.deeds.work = ctx => (ctx.work ? undefined : outletEmail(BOSS, 'work'))
      const { flowId } = await app.start()
      await app.wait(0)
      const [message] = await app.messages(flowId)
      afterReads(app.runs, 0, () => app.answer(app.attempts[0]!.token))
      const resending = app.api.resend(message!.messageId, { to: BOB })
      await expect(resending).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      await app.wait(0)
      expect(app.attempts.map(({ target }) => target)).toEqual([ADA, BOSS])
      expect(await app.api.links(flowId)).toMatchObject([{ recipient: BOSS }])
    })

    it('the turn of the only one who is asked can be given to somebody else, with a reason', async () => {
      const app = await open()
      const { flowId } = await app.start()
      await app.wait(0)
      expect(await app.api.get(flowId)).toMatchObject({ recipient: ADA })
      const given = { to: BOB, actor: 'an admin', reason: 'on holiday' }
      const other = app.api.reassign(flowId, { from: BOSS, ...given })
      await expect(other).rejects.toMatchObject({ code: 'WF_TRANSITION' })
      await app.api.reassign(flowId, { from: ADA, ...given })
      await app.wait(0)
      const [first, second] = app.attempts
      expect(second).toMatchObject({ target: BOB, context: { why: 'because' } })
      expect(await app.answer(first!.token)).toMatchObject({ kind: 'refused', code: 'WF_REVOKED' })
      expect(await app.api.get(flowId)).toMatchObject({ recipient: BOB })
      expect(await app.api.history(flowId)).toContainEqual(
        expect.objectContaining({
          type: 'reassigned',
          actor: 'an admin',
          detail: { from: ADA, to: BOB, reason: 'on holiday' },
        }),
      )
      expect((await app.answer(second!.token)).kind).toBe('finished')
      const late = app.api.reassign(flowId, { from: BOB, to: ADA })
      await expect(late).rejects.toMatchObject({ code: 'WF_TRANSITION' })
    })

    it('a message that waits is not sent any more when it goes to another address', async () => {
      const app = await open()
      app.post.carry = down
      const { flowId } = await app.start()
      await app.wait(0)
      const [message] = await app.messages(flowId)
      await app.api.resend(message!.messageId, { to: BOB })
      app.post.carry = async () => {}
      await app.wait(MINUTE)
      expect(app.attempts.map(({ target }) => target)).toEqual([ADA, BOB])
      expect(await app.messages(flowId)).toMatchObject([
        { recipient: ADA, status: 'dropped', lastError: { code: 'WF_SUPERSEDED' } },
        { recipient: BOB, status: 'sent' },
      ])
    })

    it('a person whose link has expired gets a fresh one by the outbox', async () => {
      const app = await open({ strategy: { defaultTtl: HOUR } })
      const { flowId } = await app.start()
      await app.wait(0)
      const [first] = app.attempts
      app.clock.advance(HOUR)
      expect(await app.answer(first!.token)).toMatchObject({ code: 'WF_EXPIRED', fresh: true })
      app.post.carry = down
      expect(await app.runner.askFresh(first!.token)).toBe(true)
      await app.wait(0)
      app.post.carry = async () => {}
      await app.wait(MINUTE)
      const [, second, third, ...others] = app.attempts
      expect([third, others]).toEqual([second, []])
      expect(third!.messageId).not.toBe(first!.messageId)
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
      expect(await app.answer(first!.token)).toMatchObject({ code: 'WF_SUPERSEDED' })
      expect((await app.answer(third!.token)).kind).toBe('finished')
    })

    it.each([
      ['answered', 'WF_USED'],
      ['cancelled', 'WF_REVOKED'],
      ['expired', 'WF_EXPIRED'],
    ] as const)('a message is not sent any more when its pause was %s', async (how, code) => {
      const app = await open({ strategy: { defaultTtl: HOUR } })
      app.post.carry = down
      const { flowId } = await app.start()
      await app.wait(0)
      // It had arrived after all.
      if (how === 'answered') await app.answer(app.attempts[0]!.token)
      if (how === 'cancelled') await app.api.cancel(flowId)
      app.post.carry = async () => {}
      await app.wait(HOUR)
      expect(app.attempts).toHaveLength(1)
      expect(await app.messages(flowId)).toMatchObject([{ status: 'dropped', lastError: { code } }])
      const history = await app.api.history(flowId)
      expect(history.find(({ type }) => type === 'dropped')).toMatchObject({ detail: { code } })
    })

    it('a message is sent once more by the next when whoever had it has died', async () => {
      const app = await open()
      const { flowId } = await app.start()
      const [message] = await app.runs.outbox!.of(flowId)
      await app.runs.outbox!.claim(message!, MINUTE)
      expect(await app.wait(MINUTE - 1)).toMatchObject({ done: 0 })
      expect(await app.wait(1)).toMatchObject({ done: 1 })
      expect(app.attempts).toHaveLength(1)
    })

    it('a message that is sent by two at once is the same one, and its link works once', async () => {
      const app = await open()
      const { flowId } = await app.start()
      let letGo = () => {}
      app.post.carry = () => new Promise(resolve => (letGo = resolve))
      const slow = app.api.runDue()
      await vi.waitFor(() => expect(app.attempts).toHaveLength(1))
      const other = await openOutboxApp(share())
      app.clock.advance(2 * MINUTE)
      expect(await other.api.runDue()).toMatchObject({ done: 1 })
      letGo()
      await slow
      const [one, two] = [app.attempts[0]!, other.attempts[0]!]
      expect(two).toEqual(one)
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent', attempts: 2 }])
      const answers = await Promise.all([app.answer(one.token), other.answer(two.token)])
      expect(answers.filter(({ kind }) => kind === 'finished')).toHaveLength(1)
    })

    it('an answer is not disturbed by what becomes of a message meanwhile', async () => {
      const app = await open()
      const { flowId } = await app.start()
      app.post.carry = down
      await app.wait(0)
      const { result, letGo } = await hangIn(app, 'ask', app.attempts[0]!.token, { name: 'Ada' })
      await app.wait(MINUTE)
      app.post.carry = async () => {}
      await app.wait(MINUTE)
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }])
      letGo()
      expect((await result).kind).toBe('finished')
    })

    it('a message is kept for a build that can send it', async () => {
      const app = await open()
      const { flowId } = await app.start()
      const others = [
        await openOutboxApp(share(), { strategy: { secret: randomBytes(32) } }),
        await openOutboxApp(share(), { config: { outlets: [] } }),
        await openOutboxApp(share(), { config: { allow: ['shop/other'] } }),
      ]
      for (const other of others) {
        expect(await other.wait(30 * SECOND)).toMatchObject({ left: 1, done: 0 })
        expect(other.attempts).toEqual([])
      }
      const [message] = await app.messages(flowId)
      expect(message).toMatchObject({ status: 'waiting', attempts: 0 })
      expect(message!.lastError).toMatchObject({ code: 'WF_NOT_ALLOWED' })
      expect(await app.wait(30 * SECOND)).toMatchObject({ done: 1 })
      const { flowId: second } = await app.start()
      expect(await others[1]!.wait(DAY)).toMatchObject({ left: 1 })
      expect(await app.messages(second)).toMatchObject([{ status: 'undelivered', attempts: 1 }])
    })

    it('a message keeps its link when the secret is replaced meanwhile', async () => {
      const app = await open()
      app.post.carry = down
      const { flowId } = await app.start()
      await app.wait(0)
      const next = await openOutboxApp(share(), { strategy: { secret: [randomBytes(32), SECRET] } })
      await next.wait(MINUTE)
      expect(next.attempts).toEqual(app.attempts)
      const [message] = await next.messages(flowId)
      await next.api.resend(message!.messageId)
      await next.wait(0)
      expect(next.attempts[1]!.token).toBe(app.attempts[0]!.token)
      expect((await next.answer(app.attempts[0]!.token)).kind).toBe('finished')
    })

    it.each([
      new WfError('WF_CONFIG', 'This address is none of ours.'),
      new NonRetryableError('There is no such mailbox.'),
    ])('what another attempt does not mend is not tried again: $code', async error => {
      const app = await open()
      app.post.carry = () => Promise.reject(error)
      const { flowId } = await app.start()
      await app.wait(0)
      const [message] = await app.messages(flowId)
      expect(message).toMatchObject({ status: 'undelivered', lastError: { code: error.code } })
    })

    it('an outlet that hangs is given up on, and what it says in the end counts', async () => {
      const app = await open()
      const config = { ...app.runConfig, outbox: { timeoutMs: 30, attempts: 1 }, logger: SILENT }
      const api = createWfRuns({ ...config, worker: false }, app.wf)
      let letGo = () => {}
      app.post.carry = () => new Promise(resolve => (letGo = resolve))
      const { flowId } = await app.start()
      expect(await api.runDue()).toMatchObject({ failed: 1 })
      expect(await app.messages(flowId)).toMatchObject([
        { status: 'undelivered', lastError: { code: 'WF_TIMEOUT' } },
      ])
      letGo()
      await vi.waitFor(async () =>
        expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }]),
      )
    })

    it('a message leaves at once in the process that has written it', async () => {
      const app = await open()
      app.api.startWorker({ everyMs: HOUR })
      const { flowId } = await app.start()
      await vi.waitFor(async () =>
        expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }]),
      )
      await app.api.stop()
      await app.start()
      expect(app.attempts).toHaveLength(1)
    })

    it('a reissue that cannot be delivered lets the message go out that it had replaced', async () => {
      const app = await open()
      app.post.carry = down
      const { flowId } = await app.start()
      await app.wait(0)
      app.post.carry = async () => {}
      const deliver = async () => {
        await app.wait(MINUTE)
        expect(await app.messages(flowId)).toMatchObject([{ status: 'dropped' }])
        throw new Error('no mail today')
      }
      await expect(app.api.reissue(flowId, { deliver })).rejects.toThrow('no mail today')
      await app.wait(0)
      expect(await app.messages(flowId)).toMatchObject([{ status: 'sent' }])
      expect(app.attempts[1]).toEqual(app.attempts[0])
      expect((await app.answer(app.attempts[1]!.token)).kind).toBe('finished')
    })

    it('a run that goes on by itself writes to others by the outbox as well', async () => {
      const app = await open()
      const { flowId } = await app.api.start('shop/order')
      await vi.waitFor(async () => expect(await app.messages(flowId)).toHaveLength(1))
      app.post.carry = down
      await app.wait(0)
      app.post.carry = async () => {}
      await app.wait(MINUTE)
      expect(app.attempts[1]).toEqual(app.attempts[0])
      expect(await app.answer(app.attempts[1]!.token)).toMatchObject({ kind: 'finished' })
    })

    it('without a secret, or without an outbox, the request delivers', async () => {
      const { runs, clock } = share()
      const places = [
        [runs, { secret: undefined }],
        [withoutOutbox(runs), {}],
      ] as const
      for (const [store, strategy] of places) {
        const app = await openOutboxApp({ runs: store, clock }, { strategy })
        app.post.carry = down
        const failed = await app.runner.start('shop/order')
        expect(failed).toMatchObject({ kind: 'refused', code: 'WF_OUTLET_FAILED' })
        app.post.carry = async () => {}
        const sent = await app.start()
        expect(sent).toMatchObject({ kind: 'sent' })
        expect(sent).not.toHaveProperty('queued', true)
        expect(app.attempts[1]).toMatchObject({ messageId: undefined })
      }
    })
  },
  { outbox: true },
)

/** The same runs in a store that has no place for messages. */
function withoutOutbox(runs: WfRunStore): WfRunStore {
  return new Proxy(runs, {
    get: (target, name) => {
      const value: unknown = name === 'outbox' ? undefined : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
