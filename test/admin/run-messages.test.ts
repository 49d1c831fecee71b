import { randomBytes } from 'node:crypto'
import {
  createWfRunner,
  createWfRuns,
  DurableStateStrategy,
  MoostWf,
  outletEmail,
  Step,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
  type WfRuns,
} from '@atscript/moost-wf'
import { createWfAdminController } from '@atscript/moost-wf/admin'
import { useHeaders } from '@atscript/moost-wf/http'
import { AsWfStore, WfRunStoreMemory } from '@atscript/moost-wf/store'
import { Controller } from 'moost'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { sqliteDatabase } from '../support/databases'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'

/** An application whose mails wait in an outbox, and its admin API. */
async function openOutbox() {
  const database = await sqliteDatabase()
  const space = database.open()
  const states = space.table(ExpenseStateRow)
  await space.sync()
  const durable = new DurableStateStrategy({
    runs: new WfRunStoreMemory({ outbox: true }),
    secret: randomBytes(32),
  })
  const tokens: string[] = []
  const sentTo: unknown[] = []
  const world = { isDown: false }

  @Controller('orders')
  class Orders {
    @Workflow('ship')
    @WorkflowSchema(['sign'])
    ship() {}

    @Step('sign')
    sign(@WorkflowParam('input') input?: object) {
      const context = { note: 'a-note-for-ada' }
      return input ? undefined : outletEmail('ada@example.com', 'sign', context)
    }
  }

  const made: { runs?: WfRuns; wf?: MoostWf } = {}
  const Admin = createWfAdminController({
    store: new AsWfStore({ table: states }),
    wf: { describe: id => made.wf?.describe(id) },
    guard: () => useHeaders().authorization === 'Bearer admin',
    origins: ['https://app.example.com'],
    actor: () => 'admin@example.com',
    runs: () => made.runs!,
  })
  const { url, wf } = await startApp([Orders, Admin])
  const email = {
    name: 'email',
    tokenDelivery: 'out-of-band',
    deliver: ({ target }: { target?: string | undefined }, token: string) => {
      if (world.isDown) throw new Error(`no more stamps for ${token}`)
      tokens.push(token)
      sentTo.push(target)
      return {}
    },
  } as const
  const config = { state: { strategies: { durable }, default: 'durable' } } as const
  const runner = createWfRunner({ ...config, outlets: [email] }, wf)
  const logger = { ...console, warn: () => {}, error: () => {} } as never
  const runs = createWfRuns({ ...config, outlets: [email], worker: false, logger }, wf)
  Object.assign(made, { runs, wf })
  onTestFinished(async () => {
    await runs.stop()
    await space.close()
    await database.drop()
  })
  const headers = { authorization: 'Bearer admin' }
  const ask = (method: string, path: string, body: object = {}, more: object = {}) =>
    request(url, body, {
      method,
      path: `/api/admin/${path}`,
      headers: { ...headers, ...more },
    })
  return {
    runs,
    tokens,
    sentTo,
    world,
    ask,
    get: (path: string) => ask('GET', path),
    resume: (token: string) => runner.resume(token, { input: {} }),
    /** A run that waits for a signature, and its message. */
    async paused() {
      const { flowId } = await runs.start('orders/ship', {})
      await vi.waitFor(async () => expect((await runs.get(flowId))?.status).toBe('paused'))
      const [message] = await runs.messages(flowId)
      const { version } = (await runs.get(flowId))!
      return { flowId, version, messageId: message!.messageId }
    },
    post: (flowId: string, messageId: string, body: object) =>
      ask('POST', `runs/${flowId}/messages/${messageId}/resend`, body),
  }
}

describe('many runs whose messages wait in an outbox', () => {
  it('are reminded: their messages go out again, with the same links', async () => {
    const app = await openOutbox()
    const [one, two] = [await app.paused(), await app.paused()]
    await app.runs.runDue()
    expect(app.tokens).toHaveLength(2)
    const asked = { action: 'remind', select: { state: 'live' } }
    // In memory there are no columns to filter by.
    expect((await app.ask('POST', 'run-actions', { ...asked, count: 2 })).status).toBe(409)
    const runs = [one, two].map(({ flowId, version }) => ({ flowId, version }))
    const { body } = await app.ask('POST', 'run-actions', { action: 'remind', runs, count: 2 })
    await vi.waitFor(async () => {
      const job = (await app.get(`jobs/${body.job}`)).body
      expect(job).toMatchObject({ state: 'done', changed: 2, skipped: 0 })
    })
    await app.runs.runDue()
    expect(app.tokens).toHaveLength(4)
    expect(new Set(app.tokens).size).toBe(2)
    expect((await app.runs.history(one.flowId)).map(({ type }) => type)).toContain('resent')
    expect(await app.resume(app.tokens.at(-1)!)).toMatchObject({ kind: 'finished' })
  })

  it('are listed, and not counted where they are in no table', async () => {
    const app = await openOutbox()
    const { flowId } = await app.paused()
    expect((await app.get('runs')).body.runs).toMatchObject([{ flowId, state: 'live' }])
    for (const path of ['run-counts', 'run-funnel?workflow=a', 'run-trends', 'run-export']) {
      const { status, body } = await app.get(path)
      expect([status, body.error.code], path).toEqual([409, 'WF_NOT_ALLOWED'])
    }
  })
})

describe('the messages of a run in the admin API', () => {
  it('are shown with what became of them, and not with what they say', async () => {
    const app = await openOutbox()
    app.world.isDown = true
    const { flowId, messageId } = await app.paused()
    const waiting = (await app.get(`runs/${flowId}`)).body.messages
    expect(waiting).toMatchObject([{ messageId, status: 'waiting', attempts: 0, isAwaited: true }])
    await app.runs.runDue()
    const { body, text } = await app.get(`runs/${flowId}`)
    expect(body.messages).toEqual([
      {
        messageId,
        pause: body.version,
        outlet: 'email',
        recipient: 'ada@example.com',
        status: 'waiting',
        attempts: 1,
        nextAttemptAt: expect.any(Number),
        lastError: { code: 'WF_OUTLET_FAILED', at: expect.any(Number) },
        createdAt: expect.any(Number),
        settledAt: null,
        opens: 0,
        openedAt: null,
        isAwaited: true,
      },
    ])
    app.world.isDown = false
    await app.post(flowId, messageId, { version: body.version })
    await app.runs.runDue()
    for (const hidden of ['a-note-for-ada', 'stamps', app.tokens[0]!.split('.')[1]!]) {
      expect(text).not.toContain(hidden)
    }
  })

  it('are sent again as they were while they have not arrived, and else as another one', async () => {
    const app = await openOutbox()
    app.world.isDown = true
    const { flowId, version, messageId } = await app.paused()
    await app.runs.runDue()
    app.world.isDown = false
    const { status, body } = await app.post(flowId, messageId, { version })
    expect([status, body]).toEqual([200, { version: version + 1, queued: true }])
    await app.runs.runDue()
    expect((await app.runs.messages(flowId)).map(({ status: is }) => is)).toEqual(['sent'])
    expect((await app.post(flowId, messageId, { version: version + 1 })).status).toBe(200)
    await app.runs.runDue()
    expect((await app.runs.messages(flowId)).map(({ status: is }) => is)).toEqual(['sent', 'sent'])
    expect(new Set(app.tokens).size).toBe(1)
    expect((await app.runs.history(flowId)).filter(({ type }) => type === 'resent')).toMatchObject([
      { actor: 'admin@example.com' },
      { actor: 'admin@example.com' },
    ])
  })

  it('go to another address with a new link, and the former one is dead', async () => {
    const app = await openOutbox()
    const { flowId, version, messageId } = await app.paused()
    await app.runs.runDue()
    const to = 'ida+new@example.org'
    expect((await app.post(flowId, messageId, { version, to })).status).toBe(200)
    await app.runs.runDue()
    expect(app.sentTo).toEqual(['ada@example.com', to])
    const { recipient, messages } = (await app.get(`runs/${flowId}`)).body
    expect(recipient).toBe(to)
    expect(messages).toMatchObject([
      { recipient: 'ada@example.com', isAwaited: false },
      { recipient: to, status: 'sent', isAwaited: true },
    ])
    expect(await app.resume(app.tokens[0]!)).toMatchObject({ code: 'WF_SUPERSEDED' })
    expect(await app.resume(app.tokens[1]!)).toMatchObject({ kind: 'finished' })
    const ended = (await app.runs.get(flowId))!
    const late = await app.post(flowId, messageId, { version: ended.version })
    expect([late.status, late.body.error.code]).toEqual([409, 'WF_TRANSITION'])
  })

  it.each([
    '',
    'ida',
    'ida@example.com, eve@example.com',
    'Ida <ida@example.com>',
    'ida@example.com\r\nBcc: eve@example.com',
    'ida@example.com\u2028',
    `${'i'.repeat(243)}@example.com`,
    7,
    null,
    ['ida@example.com'],
  ])('do not go to %j', async to => {
    const app = await openOutbox()
    const { flowId, version, messageId } = await app.paused()
    expect((await app.post(flowId, messageId, { version, to })).status).toBe(400)
    expect((await app.runs.get(flowId))?.version).toBe(version)
  })

  it('are those of the run that was looked at, as it was, and no others', async () => {
    const app = await openOutbox()
    const { flowId, version, messageId } = await app.paused()
    const other = await app.paused()
    expect((await app.post(flowId, other.messageId, { version })).status).toBe(404)
    expect((await app.post(flowId, 'nothing', { version })).status).toBe(404)
    expect((await app.post(flowId, messageId, {})).status).toBe(400)
    expect((await app.post(flowId, messageId, { version: version - 1 })).status).toBe(409)
    const path = `runs/${flowId}/messages/${messageId}/resend`
    const seen = { version }
    expect((await app.ask('POST', path, seen, { authorization: 'Bearer eve' })).status).toBe(403)
    expect((await app.ask('POST', path, seen, { origin: 'https://evil.example' })).status).toBe(403)
    expect(app.tokens).toEqual([])
    expect((await app.runs.get(flowId))?.version).toBe(version)
  })
})
