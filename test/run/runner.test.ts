import { randomBytes } from 'node:crypto'
import {
  abortWf,
  createEmailOutlet,
  createWfRunner,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  Step,
  useWfAction,
  useWfAttempts,
  useWfFinished,
  type WfEmail,
  WfLedgerMemory,
  type WfRunResult,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfPausedResult, WfRunnerConfig } from '@atscript/moost-wf/run'
import { HttpError, useCookies, useRequest, useResponse } from '@atscript/moost-wf/http'
import { FakeClock, race } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

interface Ctx {
  name?: string
  asked?: number
}
type Input = Record<string, string> | undefined

/** A workflow application without a server, and a runner on it. */
async function openRunner(overrides: Partial<WfRunnerConfig> = {}) {
  const ran: string[] = []
  const mails: WfEmail[] = []
  const clock = new FakeClock()
  const store = new WfStateStoreMemory({ clock })
  const steps = { onName: (_input: Input, _ctx: Ctx): unknown => undefined }

  @Controller('shop')
  class Shop {
    @Workflow('order')
    @WorkflowSchema<Ctx>(['name', 'done'])
    order() {}

    @Workflow('hidden')
    @WorkflowSchema<Ctx>(['name'])
    hidden() {}

    @Step('name')
    async name(@WorkflowParam('context') ctx: Ctx, @WorkflowParam('input') input: Input) {
      ran.push(useWfAction().getAction() ?? 'name')
      const outcome = await steps.onName(input, ctx)
      if (outcome !== undefined) return outcome
      if (!input?.name) return outletHttp({ ask: 'name' }, { hint: ctx.asked })
      ctx.name = input.name
    }

    @Step('done')
    done(@WorkflowParam('context') ctx: Ctx) {
      const cookies = { session: { value: 'opaque' } }
      useWfFinished().set({ type: 'data', value: { ...ctx }, status: 201, cookies })
    }
  }

  const { app, wf, log } = buildApp([Shop])
  await app.init()
  const runner = createWfRunner(
    {
      allow: ['shop/order'],
      state: new HandleStateStrategy({ store }),
      outlets: [createEmailOutlet(async mail => void mails.push(mail))],
      clock,
      ...overrides,
    },
    wf,
  )
  return { runner, ran, mails, clock, store, steps, log }
}

const ADA = { name: 'Ada' }

function paused(result: WfRunResult): WfPausedResult {
  if (result.kind === 'paused') return result
  throw new Error(`It is ${result.kind}: ${JSON.stringify(result)}`)
}

describe('a runner', () => {
  it('starts, pauses, resumes and finishes, all in plain data', async () => {
    const { runner } = await openRunner()
    const first = paused(await runner.start('/shop/order/', { context: { asked: 7 } }))
    expect(first).toEqual({
      kind: 'paused',
      wfid: 'shop/order',
      flowId: expect.any(String),
      payload: { ask: 'name' },
      context: { hint: 7 },
      token: expect.stringMatching(/^default\./u),
      expiresAt: expect.any(Number),
    })
    const done = await runner.resume(first.token, { input: ADA })
    expect(done).toEqual({
      kind: 'finished',
      wfid: 'shop/order',
      flowId: first.flowId,
      data: { name: 'Ada', asked: 7 },
      response: {
        type: 'data',
        value: { name: 'Ada', asked: 7 },
        status: 201,
        cookies: { session: { value: 'opaque' } },
      },
    })
  })

  it('keeps who has started a flow', async () => {
    const { runner, store } = await openRunner()
    const { token } = paused(await runner.start('shop/order', { actor: 'ada' }))
    const stored = await store.get(token.slice('default.'.length))
    expect(stored?.state.meta?.wf).toMatchObject({ flow: { startedBy: 'ada' } })
  })

  it('hands the action to the step that had paused', async () => {
    const { runner, ran } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    await runner.resume(token, { action: 'resend' })
    expect(ran).toEqual(['name', 'resend'])
  })

  it('says that a message has gone out, and not to whom nor with what', async () => {
    const { runner, steps, mails } = await openRunner()
    steps.onName = () => outletEmail('ada@example.com', 'invite')
    const sent = await runner.start('shop/order')
    expect(sent).toEqual({
      kind: 'sent',
      wfid: 'shop/order',
      flowId: expect.any(String),
      outlet: 'email',
    })
    steps.onName = () => undefined
    expect((await runner.resume(mails[0]!.token, { input: ADA })).kind).toBe('finished')
  })

  it('says that a step has aborted', async () => {
    const { runner, steps } = await openRunner()
    steps.onName = () => abortWf('locked', { message: 'Too many.' })
    const aborted = await runner.start('shop/order')
    expect(aborted).toMatchObject({ kind: 'finished', aborted: true })
    expect(aborted).toMatchObject({ data: { reason: 'locked', message: 'Too many.' } })
  })

  it('looks at a token and leaves it', async () => {
    const { runner } = await openRunner()
    const { token, expiresAt } = paused(await runner.start('shop/order'))
    for (let n = 0; n < 2; n++) {
      const peek = await runner.peek(token)
      expect(peek).toEqual({ kind: 'resumable', wfid: 'shop/order', expiresAt })
    }
    expect((await runner.resume(token, { input: ADA })).kind).toBe('finished')
    expect(await runner.peek(token)).toMatchObject({ kind: 'refused', code: 'WF_STATE_GONE' })
  })
})

describe('a runner refuses', () => {
  it.each([
    ['what is not allowed', 'shop/hidden', 'WF_NOT_ALLOWED'],
    ['what it does not know', 'shop/nothing', 'WF_UNKNOWN'],
  ])('to start %s', async (_what, wfid, code) => {
    const { runner, ran } = await openRunner()
    const { kind, ...refused } = await runner.start(wfid)
    expect([kind, refused]).toMatchObject(['refused', { code }])
    expect(ran).toEqual([])
  })

  it.each([undefined, null, 7, {}, '', 'x', 'default.', 'default.nope', 'other.x'])(
    '%j for a token',
    async token => {
      const { runner } = await openRunner()
      for (const result of [
        await runner.resume(token as never, { input: ADA }),
        await runner.peek(token as never),
      ]) {
        expect(result.kind).toBe('refused')
      }
    },
  )

  it('a token of what is no longer allowed, and of another workflow', async () => {
    const { runner, store } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    const other = await openRunner({
      allow: ['shop/hidden'],
      state: new HandleStateStrategy({ store }),
    })
    expect(await other.runner.resume(token)).toMatchObject({ code: 'WF_NOT_ALLOWED' })
    expect(await runner.resume(token, { wfid: 'shop/hidden' })).toMatchObject({
      code: 'WF_MISMATCH',
    })
  })

  it('all but one of those who have the same token', async () => {
    const { runner, ran } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    const results = await race(20, () => runner.resume(token, { input: ADA }))
    expect(results.filter(({ kind }) => kind === 'finished')).toHaveLength(1)
    expect(ran).toEqual(['name', 'name'])
  })

  it('a link for one browser without its proof', async () => {
    const { runner, steps, mails } = await openRunner()
    steps.onName = () => outletEmail('a@b.cd', 'sign-in', {}, { link: 'sameBrowser' })
    const sent = await runner.start('shop/order')
    steps.onName = () => undefined
    const { token } = mails[0]!
    const proof = sent.kind === 'sent' ? sent.browser : undefined
    for (const browser of [undefined, '', 'guess', 'x'.repeat(43)]) {
      for (const result of [
        await runner.resume(token, { input: ADA, browser }),
        await runner.peek(token, { browser }),
      ]) {
        expect(result).toMatchObject({ kind: 'refused', code: 'WF_WRONG_BROWSER' })
      }
    }
    expect((await runner.resume(token, { input: ADA, browser: proof })).kind).toBe('finished')
  })

  it('more starts than are allowed, by actor and by client', async () => {
    const ledger = new WfLedgerMemory()
    const { runner } = await openRunner({ ledger, startLimit: { limit: 1, windowMs: 60_000 } })
    const kinds = []
    for (const who of [{ actor: 'ada' }, { actor: 'ada' }, { client: 'a' }, { client: 'b' }]) {
      kinds.push((await runner.start('shop/order', who)).kind)
    }
    expect(kinds).toEqual(['paused', 'refused', 'paused', 'paused'])
  })

  it('input that would reach a prototype', async () => {
    const { runner, ran } = await openRunner()
    const input: unknown = JSON.parse('{"a":{"__proto__":{"polluted":1}}}')
    const refused = await runner.start('shop/order', { input })
    expect(refused).toMatchObject({ kind: 'refused', code: 'WF_BAD_REQUEST' })
    expect(ran).toEqual([])
  })

  it.each([{ name: 'NUL\0' }, { name: '\uD800' }, { 'k\0': 1 }])('%j for input', async input => {
    const { runner } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    expect(await runner.resume(token, { input })).toMatchObject({ code: 'WF_BAD_REQUEST' })
    expect(await runner.resume(token, { input: ADA, action: 'a\0' })).toMatchObject({
      code: 'WF_BAD_REQUEST',
    })
    expect((await runner.resume(token, { input: ADA })).kind).toBe('finished')
  })

  it('what a step refuses, and the flow stays', async () => {
    const { runner, steps } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    steps.onName = () => {
      throw new HttpError(422, 'No deliveries there.')
    }
    const refused = await runner.resume(token, { input: ADA })
    expect(refused).toMatchObject({ code: 'WF_REJECTED', message: 'No deliveries there.' })
    steps.onName = () => {
      throw Object.assign(new Error('Not today.'), { statusCode: 409 })
    }
    expect(await runner.resume(token, { input: ADA })).toMatchObject({ message: 'Not today.' })
    steps.onName = () => undefined
    expect((await runner.resume(token, { input: ADA })).kind).toBe('finished')
  })
})

describe('a step without a request', () => {
  it.each<[string, () => unknown]>([
    ['useRequest', () => useRequest().method],
    ['useResponse', () => useResponse().setStatus(201)],
    ['useCookies', () => useCookies().getCookie('a')],
  ])('that asks for one with %s is told so in a sentence, and the flow stays', async (_, ask) => {
    const { runner, steps } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    steps.onName = ask
    const failing = runner.resume(token, { input: ADA })
    await expect(failing).rejects.toMatchObject({ code: 'WF_CONFIG' })
    await expect(failing).rejects.toThrow('asks for the HTTP request')
    steps.onName = () => undefined
    expect((await runner.resume(token, { input: ADA })).kind).toBe('finished')
  })

  it('that fails throws what it threw, and the flow stays', async () => {
    const { runner, steps } = await openRunner()
    const { token } = paused(await runner.start('shop/order'))
    steps.onName = () => Promise.reject(new RangeError('Half way.'))
    await expect(runner.resume(token, { input: ADA })).rejects.toThrow(RangeError)
    steps.onName = () => undefined
    expect((await runner.resume(token, { input: ADA })).kind).toBe('finished')
  })

  it('can count attempts', async () => {
    const { runner, steps } = await openRunner({ ledger: new WfLedgerMemory() })
    const left: number[] = []
    steps.onName = async () => {
      const attempts = useWfAttempts({ key: 'otp', limit: 2, windowMs: 60_000 })
      left.push((await attempts.spend()).left)
    }
    await runner.start('shop/order')
    await runner.start('shop/order')
    expect(left).toEqual([1, 0])
  })
})

describe('a request that is sent to a runner again', () => {
  it('gets the same result, and no step runs twice', async () => {
    const { runner, steps, ran } = await openRunner({ ledger: new WfLedgerMemory() })
    steps.onName = (_input, ctx) => {
      ctx.asked = (ctx.asked ?? 0) + 1
    }
    const { token } = paused(await runner.start('shop/order'))
    const asked = { input: {}, requestId: 'r1' }
    const results = await race(5, () => runner.resume(token, asked))
    expect(new Set(results.map(result => JSON.stringify(result))).size).toBe(1)
    expect(results[0]).toMatchObject({ kind: 'paused', context: { hint: 2 } })
    expect(ran).toHaveLength(2)
    const other = await runner.resume(token, { input: ADA, requestId: 'r1' })
    expect(other).toMatchObject({ code: 'WF_REQUEST_CHANGED' })
  })

  it('gets no second session', async () => {
    const { runner } = await openRunner({ ledger: new WfLedgerMemory() })
    const { token } = paused(await runner.start('shop/order'))
    const asked = { input: ADA, requestId: 'r1' }
    expect((await runner.resume(token, asked)).kind).toBe('finished')
    expect(await runner.resume(token, asked)).toMatchObject({ code: 'WF_FINISHED' })
  })
})

describe('two runners with one secret', () => {
  it('go on with the flows of one another', async () => {
    const secret = randomBytes(32)
    const state = () => new EncapsulatedStateStrategy({ secret })
    const one = await openRunner({ state: state() })
    const other = await openRunner({ state: state() })
    const { token } = paused(await one.runner.start('shop/order'))
    expect((await other.runner.resume(token, { input: ADA })).kind).toBe('finished')
  })
})

describe('createWfRunner', () => {
  it.each([
    {},
    { allow: 'shop/order' },
    { onFinished: 1 },
    { clock: {} },
    { ledger: {} },
    { startLimit: { limit: 1, windowMs: 1 } },
    { anonymousTtlMs: 0 },
  ])('refuses %j', options => {
    const state = 'allow' in options || Object.keys(options).length > 0 ? new Store() : undefined
    expect(() => createWfRunner({ state, ...options } as never, {} as never)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })
})

class Store extends HandleStateStrategy {
  constructor() {
    super({ store: new WfStateStoreMemory() })
  }
}
