import { randomBytes } from 'node:crypto'
import { createEmailOutlet, outletEmail, outletHttp, useWfStep } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { describe, expect, it, vi } from 'vitest'
import { answerToKeep } from '../../src/run/answer-to-keep'
import { resolveDurableOptions } from '../../src/strategies/durable/durable-options'
import {
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  paused,
  startOrder,
} from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }

describe('what is kept of a request', () => {
  const sealOf = (secret: Uint8Array) =>
    resolveDurableOptions({ runs: new WfRunStoreMemory(), secret }).seal
  const secret = randomBytes(32)
  const seal = sealOf(secret)

  it('opens for its own run and purpose alone', async () => {
    const request = await seal.closeRequest('one', { answer: ADA })
    expect((await seal.openRequest('one', request)).answer).toEqual(ADA)
    expect(await seal.openRequest('other', request)).toEqual({})
    expect(await seal.openInput('one', request)).toBeUndefined()
    const input = await seal.closeInput('one', ADA)
    expect(await seal.openInput('one', input)).toEqual(ADA)
    expect(await seal.openRequest('one', input)).toEqual({})
    expect(await sealOf(randomBytes(32)).openRequest('one', request)).toEqual({})
  })

  it('is told apart by digests that take the secret to make', async () => {
    const digest = await seal.digestFor('one')('123456')
    expect(await sealOf(secret).digestFor('one')('123456')).toBe(digest)
    expect(await sealOf(randomBytes(32)).digestFor('one')('123456')).not.toBe(digest)
    expect(await seal.digestFor('other')('123456')).not.toBe(digest)
  })

  it('is nothing of an answer to a sensitive form, whatever its keys are called', () => {
    const answer = { input: { favourite: 'blue' } }
    const form = { id: 'Form', digest: '', isSensitive: false }
    expect(answerToKeep(answer, [form as never])).toEqual(answer)
    expect(answerToKeep(answer, [{ ...form, isSensitive: true } as never])).toBeUndefined()
  })
})

describeOnRunStores(share => {
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    return { ...(await openDurableApp(shared, options)), ...shared }
  }

  it('a step that takes too long is told, and loses its run', async () => {
    const app = await open({ strategy: { leaseMs: 60, stepTimeoutMs: 1000 } })
    const { token } = await startOrder(app)
    let signal: AbortSignal | undefined
    app.deeds.work = () => {
      ;({ signal } = useWfStep())
      return new Promise(() => {})
    }
    void app.runner.resume(token, ADA).catch(() => {})
    await vi.waitFor(() => expect(signal).toBeDefined())
    app.clock.advance(1000)
    await vi.waitFor(() => expect(signal?.reason).toMatchObject({ code: 'WF_TIMEOUT' }))
  })

  it('a run that is let go of between two steps is looked after', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    app.deeds.work = () => {
      throw new HttpError(409, 'not now')
    }
    await app.runner.resume(token, ADA)
    app.deeds.work = () => undefined
    expect(await app.api.runDue()).toMatchObject({ done: 1 })
    expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
  })

  it.each([
    ['whose first step fails', () => Promise.reject(new Error('broken'))],
    ['whose first link cannot be delivered', () => outletEmail('ada@example.com', 'invite')],
  ])('a start %s leaves its key', async (_title, fails) => {
    const outlets = [createEmailOutlet(() => Promise.reject(new Error('no mail today')))]
    const app = await open({ config: { outlets } })
    const runKey = crypto.randomUUID()
    const { ask } = app.deeds
    app.deeds.ask = fails
    await app.runner.start('shop/order', { runKey }).catch(() => {})
    expect(await app.runs.findByKey(runKey)).toBeNull()
    app.deeds.ask = ask
    expect(await app.runner.start('shop/order', { runKey })).toMatchObject({ kind: 'paused' })
  })

  it('a start that nobody was told of is not begun again when its process has died', async () => {
    const dead = await open()
    const runKey = crypto.randomUUID()
    dead.deeds.ask = () => new Promise(() => {})
    void dead.runner.start('shop/order', { runKey })
    await vi.waitFor(async () => expect(await dead.runs.findByKey(runKey)).not.toBeNull())
    const { flowId } = (await dead.runs.findByKey(runKey))!
    dead.clock.advance(LEASE_MS)
    const app = await open()
    await app.api.runDue()
    expect(app.ran).toEqual([])
    expect(await app.api.get(flowId)).toMatchObject({ status: 'cancelled' })
  })

  it('a run that waits with an answer keeps it when it is extended', async () => {
    const dead = await open()
    const { token, flowId } = await startOrder(dead)
    await hangIn(dead, 'ask', token, ADA.input)
    dead.clock.advance(LEASE_MS)
    const app = await open()
    const { ask } = app.deeds
    app.deeds.ask = () => outletHttp({ ask: 'more' })
    expect(await app.api.runDue()).toMatchObject({ waiting: 1 })
    expect(await app.api.extend(flowId, { ttlMs: 1000 })).toBe(true)
    app.deeds.ask = ask
    await app.runner.resume(token, EVE)
    expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
  })

  it('a run that has failed without its answer waits for one when it is tried again', async () => {
    const strategy = { maxRecoveries: 0 }
    const dead = await open({ strategy })
    const { token, flowId } = await startOrder(dead)
    await hangIn(dead, 'ask', token, { name: 'Ada', password: 'hunter2' })
    dead.clock.advance(LEASE_MS)
    const app = await open({ strategy })
    await app.api.runDue()
    expect(await app.api.get(flowId)).toMatchObject({ status: 'failed' })
    await app.durable.manage.retry(flowId)
    expect(await app.api.get(flowId)).toMatchObject({ status: 'paused' })
    expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
  })

  it('a snapshot brings the links of its pause along, and no others', async () => {
    const app = await open()
    const { token: old, flowId } = await startOrder(app)
    app.deeds.work = () => outletHttp({ ask: 'more' })
    const { token } = paused(await app.runner.resume(old, ADA))
    const snapshot = (await app.api.getSnapshot(flowId))!
    const other = await openDurableApp({ ...app, runs: new WfRunStoreMemory(app) })
    await other.api.restore(snapshot, { schemaId: 'shop/order' })
    expect(await other.runner.resume(old, EVE)).toMatchObject({ kind: 'refused' })
    expect(await other.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
  })

  it('a run that was brought here between two steps goes on by itself', async () => {
    const dead = await open()
    const { token, flowId } = await startOrder(dead)
    await hangIn(dead, 'work', token, ADA.input)
    const snapshot = (await dead.api.getSnapshot(flowId))!
    const other = await openDurableApp({ ...dead, runs: new WfRunStoreMemory(dead) })
    await other.api.restore(snapshot, { schemaId: 'shop/order' })
    expect(await other.api.runDue()).toMatchObject({ done: 1 })
    expect(other.ran).toEqual(['work', 'last'])
  })

  it('a look at a link shows nothing of what the strategy notes', async () => {
    const app = await open()
    const { token } = await startOrder(app)
    const peek = await app.durable.peek(token.slice('durable.'.length))
    expect(peek).toMatchObject({ state: { meta: { wf: expect.anything() } } })
    expect(peek).not.toMatchObject({ state: { meta: { durable: expect.anything() } } })
  })

  it('an action that no form knows is kept in the history if it is short', async () => {
    for (const [action, isKept] of [
      ['approve', true],
      ['x'.repeat(200), false],
    ] as const) {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      await app.runner.resume(token, { ...ADA, action })
      const resumed = (await app.api.history(flowId)).find(({ type }) => type === 'resumed')
      expect(resumed?.detail.action === action).toBe(isKept)
    }
  })
})
