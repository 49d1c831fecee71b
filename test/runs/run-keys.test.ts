import { outletEmail, type WfRunResult } from '@atscript/moost-wf'
import type { WfStartRunOptions } from '@atscript/moost-wf/runs'
import { describe, expect, it, vi } from 'vitest'
import { type DurableApp, openDurableApp } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const ROUNDS = scaled(10, 200)

describeOnRunStores(share => {
  const open = async (options?: Parameters<typeof openDurableApp>[1]) => {
    const shared = share()
    const app = await openDurableApp(shared, options)
    app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
    return { ...app, ...shared }
  }
  const aliveOf = async ({ api }: DurableApp, flowIds: readonly string[]) =>
    (await api.getMany(flowIds)).filter(({ isTerminal }) => !isTerminal)
  const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error)
  const flowOf = (result: WfRunResult) => ('flowId' in result ? result.flowId : undefined)

  describe('a start whose key another run has', () => {
    it('comes to that run if it may join, wherever that stands', async () => {
      const app = await open()
      const how = { runKey: crypto.randomUUID(), onConflict: 'join' } as const
      const { flowId, created } = await app.api.start('shop/order', how)
      expect(created).toBe(true)
      expect(await app.api.start('shop/order', how)).toEqual({ flowId, created: false })
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('paused'))
      expect(await app.api.start('shop/order', how)).toEqual({ flowId, created: false })
      await app.api.cancel(flowId)
      expect(await app.api.start('shop/order', how)).toMatchObject({ created: true })
    })

    it('ends that run and says which one it was, and has its key', async () => {
      const app = await open()
      const how = { runKey: crypto.randomUUID(), onConflict: 'supersede', actor: 'ada' } as const
      const { flowId: former } = await app.api.start('shop/order', how)
      const { flowId } = await app.api.start('shop/order', { ...how, actor: 'bob' })
      expect(await app.api.result(former)).toMatchObject({ status: 'cancelled' })
      expect((await app.api.history(former)).at(-1)).toMatchObject({
        type: 'cancelled',
        actor: 'bob',
        detail: { reason: 'superseded', by: flowId },
      })
      expect((await app.api.history(flowId))[0]).toMatchObject({
        type: 'workflow_created',
        detail: { supersedes: former },
      })
      expect(await app.runs.findByKey(how.runKey)).toMatchObject({ flowId })
      await app.api.stop()
    })

    it('ends it also while it is worked on', async () => {
      const app = await open()
      let began = () => {}
      const hasBegun = new Promise<void>(resolve => {
        began = resolve
      })
      app.deeds.ask = () => {
        began()
        return new Promise(() => {})
      }
      const how = { runKey: crypto.randomUUID(), onConflict: 'supersede' } as const
      const { flowId: former } = await app.api.start('shop/order', how)
      await hasBegun
      app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
      const { flowId } = await app.api.start('shop/order', how)
      expect(await app.api.get(former)).toMatchObject({ status: 'cancelled', isHeld: false })
      await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('paused'))
    })

    it('neither joins nor ends a run of another workflow', async () => {
      const app = await open()
      const runKey = crypto.randomUUID()
      const state = { schemaId: 'shop/invoice', indexes: [], context: {} }
      await app.durable.begin(state, { runKey })
      const { flowId } = (await app.runs.findByKey(runKey))!
      for (const onConflict of ['join', 'supersede'] as const) {
        const refused = app.api.start('shop/order', { runKey, onConflict })
        await expect(refused).rejects.toMatchObject({ code: 'WF_ALREADY_ACTIVE', flowId })
        const how = { runKey, onConflict }
        expect(await app.runner.start('shop/order', how)).toMatchObject({ code: 'WF_CONFLICT' })
      }
      expect((await app.api.get(flowId))?.isTerminal).toBe(false)
    })

    it.each(['', 'x'.repeat(201), 7])('is refused with a key that is none: %#', async runKey => {
      const app = await open()
      const started = app.api.start('shop/order', { runKey: runKey as string })
      await expect(started).rejects.toMatchObject({ code: 'WF_STATE_INVALID' })
    })
  })

  describe('a start by a runner', () => {
    it('comes to the run that has its key, and is given no token of it', async () => {
      const app = await open()
      const how = { runKey: crypto.randomUUID(), onConflict: 'join' } as const
      const first = await app.runner.start('shop/order', how)
      const again = await app.runner.start('shop/order', { ...how, actor: 'bob' })
      expect(again).toEqual({
        kind: 'joined',
        wfid: 'shop/order',
        flowId: flowOf(first),
        created: false,
      })
    })

    it.each([
      ['the same', 'ada', 'ada', 'sent'],
      ['another', 'ada', 'eve', 'refused'],
      ['nobody in particular', 'ada', undefined, 'refused'],
      ['nobody, as it was started by', undefined, undefined, 'refused'],
    ])('ends it for %s', async (_who, starter, actor, kind) => {
      const app = await open()
      const how = { runKey: crypto.randomUUID(), onConflict: 'supersede' } as const
      const first = await app.runner.start('shop/order', { ...how, actor: starter })
      const second = await app.runner.start('shop/order', { ...how, actor })
      expect(second.kind).toBe(kind)
      const hasEnded = (await app.api.get(flowOf(first)!))?.status === 'cancelled'
      expect(hasEnded).toBe(kind === 'sent')
    })

    it('leaves the former run dead when its own comes to nothing', async () => {
      const app = await open()
      const how = { runKey: crypto.randomUUID(), onConflict: 'supersede', actor: 'ada' } as const
      await app.runner.start('shop/order', how)
      app.deeds.ask = () => {
        throw new Error('broken')
      }
      await app.runner.start('shop/order', how).catch(() => {})
      expect(await app.runs.findByKey(how.runKey)).toBeNull()
    })
  })

  describe('at the same moment', () => {
    const startMany = (apps: readonly DurableApp[], how: WfStartRunOptions, many: number) =>
      Promise.all(
        Array.from({ length: many }, (_, index) =>
          apps[index % apps.length]!.api.start('shop/order', how).catch(codeOf),
        ),
      )

    it('many join one run', async () => {
      const apps = await Promise.all([open(), open()])
      const how = { runKey: crypto.randomUUID(), onConflict: 'join' } as const
      const started = (await startMany(apps, how, 40)) as { flowId: string; created: boolean }[]
      expect(new Set(started.map(({ flowId }) => flowId)).size).toBe(1)
      expect(started.filter(({ created }) => created)).toHaveLength(1)
    })

    it('many supersede one another, and one is left', async () => {
      const apps = await Promise.all([open(), open()])
      const how = { runKey: crypto.randomUUID(), onConflict: 'supersede' } as const
      const started = (await startMany(apps, how, 20)) as { flowId: string }[]
      const alive = await aliveOf(
        apps[0]!,
        started.map(({ flowId }) => flowId),
      )
      expect(alive).toHaveLength(1)
      expect(alive[0]).toMatchObject({ runKey: how.runKey })
    })

    it('one ends that is superseded, and one of both is what happened', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const app = await open()
        const how = { runKey: crypto.randomUUID(), onConflict: 'supersede' } as const
        app.deeds.ask = () => undefined
        const { flowId: former } = await app.api.start('shop/order', how)
        app.deeds.ask = () => outletEmail('ada@example.com', 'invite')
        const { flowId } = await app.api.start('shop/order', how)
        const { status } = (await app.api.result(former))!
        expect(['completed', 'cancelled']).toContain(status)
        expect(await app.runs.findByKey(how.runKey)).toMatchObject({ flowId })
        await app.api.stop()
      }
    })
  })
})
