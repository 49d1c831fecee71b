import { randomBytes } from 'node:crypto'
import {
  createEmailOutlet,
  createWfRunner,
  createWfRuns,
  DurableStateStrategy,
  outletEmail,
  Step,
  type WfEmail,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { expect, it, vi } from 'vitest'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { buildApp } from '../support/moost-app'

const LEASE_MS = 600_000
const ANSWER = { email: 'ida@example.com', password: 'a-long-enough-password' }

/** A workflow whose mail carries a form with a password, and processes that run it. */
function newWorld() {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock })
  const mails: WfEmail[] = []
  const secret = randomBytes(32)
  return {
    clock,
    mails,
    async open(accept: () => unknown = () => undefined) {
      @Controller('users')
      class Users {
        @Workflow('join')
        @WorkflowSchema<{ name?: string }>(['accept'])
        join() {}

        @Step('accept')
        accept(
          @WorkflowParam('context') ctx: { name?: string },
          @WfInput({ ask: false }) input?: LoginForm,
        ) {
          if (!input) return outletEmail('ida@example.com', 'join', {}, { form: LoginForm })
          ctx.name = input.email
          return accept()
        }
      }
      const { app, wf } = buildApp([Users])
      await app.init()
      const durable = new DurableStateStrategy({ runs, secret, leaseMs: LEASE_MS })
      const config = {
        state: { strategies: { durable }, default: 'durable' },
        outlets: [createEmailOutlet(async mail => void mails.push(mail))],
        clock,
      } as const
      const api = createWfRuns({ ...config, worker: false }, wf)
      return { runner: createWfRunner(config, wf), api }
    },
  }
}

it('waits for the answer to a form that was not kept, and sends no second mail', async () => {
  const { open, clock, mails } = newWorld()
  const reached = vi.fn()
  const dead = await open(() => {
    reached()
    return new Promise(() => {})
  })
  const { flowId } = await dead.api.start('users/join')
  await vi.waitFor(() => expect(mails).toHaveLength(1))
  const { token } = mails[0]!
  void dead.runner.resume(token, { input: ANSWER })
  await vi.waitFor(() => expect(reached).toHaveBeenCalled())
  clock.advance(LEASE_MS)

  const app = await open()
  expect(await app.api.runDue()).toMatchObject({ waiting: 1 })
  expect(mails).toHaveLength(1)
  expect((await app.api.history(flowId)).slice(-2)).toMatchObject([
    { type: 'recovered', detail: { reason: 'lost' } },
    { type: 'waiting', detail: { to: 'paused' } },
  ])
  expect(await app.api.runDue()).toMatchObject({ waiting: 0, done: 0 })
  expect(await app.runner.resume(token, { input: ANSWER })).toMatchObject({ kind: 'finished' })
})

it('waits as well when it is tried again after it was given up on', async () => {
  const { open, clock, mails } = newWorld()
  const reached = vi.fn()
  const hang = () => {
    reached()
    return new Promise(() => {})
  }
  const first = await open(hang)
  const { flowId } = await first.api.start('users/join')
  await vi.waitFor(() => expect(mails).toHaveLength(1))
  const { token } = mails[0]!
  // Whoever comes is taken along, again and again.
  for (let times = 1; times <= 6; times++) {
    const dead = await open(hang)
    void dead.runner.resume(token, { input: ANSWER })
    await vi.waitFor(() => expect(reached).toHaveBeenCalledTimes(times))
    clock.advance(LEASE_MS)
  }
  const app = await open()
  await app.api.runDue()
  expect(await app.api.get(flowId)).toMatchObject({ status: 'failed' })
  expect(await app.api.retry(flowId, { actor: 'ada' })).toBe(true)
  expect((await app.api.history(flowId)).slice(-2)).toMatchObject([
    { type: 'retried', actor: 'ada' },
    { type: 'waiting', detail: { to: 'paused' } },
  ])
  expect(await app.runner.resume(token, { input: ANSWER })).toMatchObject({ kind: 'finished' })
  expect(mails).toHaveLength(1)
})
