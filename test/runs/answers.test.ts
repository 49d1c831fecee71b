import { randomBytes } from 'node:crypto'
import {
  createEmailOutlet,
  createWfRuns,
  DurableStateStrategy,
  outletEmail,
  Step,
  useWfFacts,
  type WfEmail,
  WfInput,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it, vi } from 'vitest'
import { DecisionForm } from '../fixtures/schemas/decision-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import {
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  startOrder,
} from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }

describeOnRunStores(share => {
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    return { ...(await openDurableApp(shared, options)), ...shared }
  }

  describe('an answer', () => {
    it('is accepted at once, and the run goes on with it by itself', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const facts = { language: 'de' }
      let known: unknown
      app.deeds.work = () => {
        known = useWfFacts()
      }
      const answer = { ...ADA, action: 'order', actor: 'ada', facts }
      expect(await app.api.answer(token, answer)).toEqual({ flowId })
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
      expect(known).toEqual(facts)
      const [accepted, begun] = (await app.api.history(flowId)).slice(2)
      expect(accepted).toMatchObject({
        type: 'answered',
        actor: 'ada',
        stepId: 'shop/ask',
        detail: { action: 'order' },
      })
      expect(begun).toMatchObject({
        type: 'recovered',
        detail: { reason: 'answered', askedBy: 'ada', action: 'order' },
      })
      await expect(app.api.answer(token, EVE)).rejects.toMatchObject({ code: 'WF_USED' })
    })

    it('wins against all others that come at the same moment', async () => {
      const app = await open()
      app.deeds.work = () => new Promise(() => {})
      const { token, flowId } = await startOrder(app)
      const names = Array.from({ length: 8 }, (_, index) => `Ada ${index}`)
      const answers = await Promise.allSettled(
        names.map(name => app.api.answer(token, { input: { name } })),
      )
      const losses = answers.filter(answer => answer.status === 'rejected')
      expect(losses).toHaveLength(names.length - 1)
      for (const { reason } of losses) expect(reason).toMatchObject({ code: 'WF_CONFLICT' })
      const winner = names[answers.findIndex(({ status }) => status === 'fulfilled')]
      await vi.waitFor(async () => {
        expect(await app.api.get(flowId)).toMatchObject({ context: { name: winner } })
      })
      expect(app.ran.filter(step => step === 'ask')).toHaveLength(2)
    })

    it('does not reach a run that somebody works on, and takes over from one who has died', async () => {
      const dead = await open()
      const { token, flowId } = await startOrder(dead)
      // Its answer holds a secret, so that nothing is kept of it.
      await hangIn(dead, 'ask', token, { name: 'Eve', password: 'secret' })
      const app = await open()
      await expect(app.api.answer(token, ADA)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      app.clock.advance(LEASE_MS)
      await app.api.answer(token, ADA)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
    })

    it('lets the links live if its step fails, as any other does', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { ask } = app.deeds
      app.deeds.ask = () => {
        throw new Error('no')
      }
      await app.api.answer(token, ADA)
      await vi.waitFor(async () => {
        expect((await app.api.history(flowId)).at(-1)).toMatchObject({ type: 'step_failed' })
      })
      app.deeds.ask = ask
      await app.api.answer(token, EVE)
      expect(await app.api.result(flowId)).toMatchObject({ status: 'completed' })
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Eve' } })
    })
  })

  describe('an answer is refused, and changes nothing,', () => {
    const refused = async (
      app: Awaited<ReturnType<typeof open>>,
      token: string,
      answer: Parameters<typeof app.api.answer>[1],
      code: string,
    ) => {
      const { flowId } = (await app.api.list()).runs[0]!
      const before = await app.runs.find(flowId)
      await expect(app.api.answer(token, answer)).rejects.toMatchObject({ code })
      expect(await app.runs.find(flowId)).toEqual(before)
    }

    it('for a token that stands for nothing, or was made by another strategy', async () => {
      const app = await open()
      await startOrder(app)
      const other = await app.runner.start('shop/order', { strategy: 'encapsulated' })
      await refused(app, 'durable.nothing', ADA, 'WF_STATE_GONE')
      await refused(app, (other as { token: string }).token, ADA, 'WF_STATE_GONE')
    })

    it('for another workflow, or one that is not allowed here', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      await refused(app, token, { ...ADA, wfid: 'shop/gift' }, 'WF_MISMATCH')
      const strict = await open({ config: { allow: [] } })
      await refused(strict, token, ADA, 'WF_NOT_ALLOWED')
    })

    it('by a link that has expired, and by one of a run that was cancelled', async () => {
      const app = await open({ strategy: { defaultTtl: 1000 } })
      const { token, flowId } = await startOrder(app)
      app.clock.advance(1000)
      await refused(app, token, ADA, 'WF_EXPIRED')
      await app.api.cancel(flowId)
      await refused(app, token, ADA, 'WF_REVOKED')
    })

    it('by a link for one browser without its proof', async () => {
      const app = await open()
      const { ask } = app.deeds
      app.deeds.ask = (ctx, input) =>
        input ? ask(ctx, input) : outletEmail('a@b.cd', 'sign-in', {}, { link: 'sameBrowser' })
      const sent = await app.runner.start('shop/order')
      const { token } = app.mails[0]!
      await refused(app, token, ADA, 'WF_WRONG_BROWSER')
      await refused(app, token, { ...ADA, browser: 'guess' }, 'WF_WRONG_BROWSER')
      const { browser } = sent as { browser?: string }
      expect(await app.api.answer(token, { ...ADA, browser })).toEqual({
        flowId: (sent as { flowId?: string }).flowId,
      })
    })

    it('by a link whose run has left the step that it was for behind', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      app.deeds.work = () => {
        throw new Error('no')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('no')
      await refused(app, token, EVE, 'WF_CONFLICT')
    })

    it('where its workflow was changed in a way that this build cannot go on from', async () => {
      const { token } = await startOrder(await open())
      await refused(await open({ schema: ['work', 'last'] }), token, ADA, 'WF_DEFINITION_CHANGED')
    })

    it('if it holds a secret, or nothing, or what cannot be stored', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      await refused(app, token, { input: { password: 'secret' } }, 'WF_NEEDS_REQUEST')
      await refused(app, token, {}, 'WF_NEEDS_REQUEST')
      await refused(app, token, { input: { name: '\0' } }, 'WF_BAD_REQUEST')
      await refused(app, token, { input: JSON.parse('{"__proto__":{}}') }, 'WF_BAD_REQUEST')
    })

    it('by a strategy that has no secret to keep it by', async () => {
      const app = await open({ strategy: { secret: undefined } })
      const { token } = await startOrder(app)
      await refused(app, token, ADA, 'WF_CONFIG')
    })
  })
})

describe('an answer to a form', () => {
  /** A workflow that asks for a decision, or for a password, by mail. */
  async function openForms() {
    const clock = new FakeClock()
    const mails: WfEmail[] = []
    const given: unknown[] = []

    @Controller('users')
    class Users {
      @Workflow('decide')
      @WorkflowSchema(['decision'])
      decide() {}

      @Workflow('join')
      @WorkflowSchema(['login'])
      join() {}

      @Step('decision')
      decision(@WfInput({ ask: false }) input?: DecisionForm) {
        if (!input) return outletEmail('boss@example.com', 'decide', {}, { form: DecisionForm })
        given.push(input)
      }

      @Step('login')
      login(@WfInput({ ask: false }) input?: LoginForm) {
        if (!input) return outletEmail('ida@example.com', 'join', {}, { form: LoginForm })
      }
    }
    const { app, wf } = buildApp([Users])
    await app.init()
    const runs = new WfRunStoreMemory({ clock })
    const state = new DurableStateStrategy({ runs, secret: randomBytes(32) })
    const outlets = [createEmailOutlet(async mail => void mails.push(mail))]
    const api = createWfRuns({ state, outlets, clock, worker: false }, wf)
    const start = async (wfid: string) => {
      const { flowId } = await api.start(wfid)
      await vi.waitFor(() => expect(mails).toHaveLength(1))
      return { flowId, token: mails[0]!.token }
    }
    return { api, start, given }
  }

  it('is checked by it, and loses what the form does not know', async () => {
    const { api, start, given } = await openForms()
    const { flowId, token } = await start('users/decide')
    for (const input of [{}, { decision: 'perhaps' }]) {
      await expect(api.answer(token, { input })).rejects.toMatchObject({
        code: 'WF_BAD_REQUEST',
        sentences: { errors: { decision: expect.any(String) } },
      })
    }
    await api.answer(token, { input: { decision: 'approve', isAdmin: true } })
    expect(await api.result(flowId)).toMatchObject({ status: 'completed' })
    expect(given).toEqual([{ decision: 'approve' }])
  })

  it('that asks for a password is refused, and not kept', async () => {
    const { api, start } = await openForms()
    const { flowId, token } = await start('users/join')
    const input = { email: 'ida@example.com', password: 'a-long-enough-password' }
    const asked = api.answer(token, { input })
    await expect(asked).rejects.toMatchObject({ code: 'WF_NEEDS_REQUEST' })
    expect((await api.history(flowId)).at(-1)).toMatchObject({ type: 'paused' })
  })
})
