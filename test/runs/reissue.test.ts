import { outletEmail } from '@atscript/moost-wf'
import type { WfReissuedLink } from '@atscript/moost-wf/runs'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { describe, expect, it, vi } from 'vitest'
import { afterReads } from '../support/after-reads'
import { hangIn, LEASE_MS, openDurableApp, startOrder } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const TTL = 60_000

describeOnRunStores(share => {
  const open = async () => {
    const shared = share()
    return {
      ...shared,
      ...(await openDurableApp(shared, { strategy: { defaultTtl: TTL } })),
    }
  }
  type App = Awaited<ReturnType<typeof open>>

  /** A new link, which a mail has brought. */
  async function reissue({ api }: App, flowId: string) {
    const links: WfReissuedLink[] = []
    const version = await api.reissue(flowId, {
      actor: 'ada',
      deliver: async link => void links.push(link),
    })
    return { version, ...links[0]! }
  }

  /** A run that waits for somebody with a mail. */
  async function mailed(app: App) {
    app.deeds.ask = (ctx, input) => {
      if (!input) return outletEmail('ida@example.com', 'order', { item: 'a chair' })
      ctx.name = String(input.name)
    }
    const sent = app.mails.length
    const { flowId } = await app.api.start('shop/order')
    await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('paused'))
    // The mail leaves behind the commit.
    await vi.waitFor(() => expect(app.mails).toHaveLength(sent + 1))
    return { flowId, token: app.mails.at(-1)!.token }
  }

  describe('a link that is made anew', () => {
    it('goes on, and the one before is told that it was superseded', async () => {
      const app = await open()
      const { flowId, token } = await mailed(app)
      const { version } = (await app.api.get(flowId))!
      const fresh = await reissue(app, flowId)
      expect(fresh).toMatchObject({
        version: version + 1,
        outlet: 'email',
        recipient: { target: 'ida@example.com', template: 'order', context: { item: 'a chair' } },
        run: { flowId, stepId: 'shop/ask' },
        expiresAt: app.clock.now() + TTL,
      })
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'reissued',
        stepId: 'shop/ask',
        actor: 'ada',
      })
      const newest = await reissue(app, flowId)
      for (const dead of [token, fresh.token]) {
        expect(await app.runner.resume(dead, ADA)).toMatchObject({ code: 'WF_SUPERSEDED' })
      }
      expect(await app.runner.resume(newest.token, ADA)).toMatchObject({ kind: 'finished' })
      expect(await app.runner.resume(newest.token, ADA)).toMatchObject({ code: 'WF_USED' })
      expect(await app.api.links(flowId)).toEqual([])
    })

    it('is never made for whose turn it was, when it is the turn of another', async () => {
      const app = await open()
      const { flowId, token } = await mailed(app)
      app.deeds.work = ctx => (ctx.work ? undefined : outletEmail('boss@example.com', 'work'))
      afterReads(app.runs, 1, () => app.runner.resume(token, ADA))
      const deliver = vi.fn()
      await expect(app.api.reissue(flowId, { deliver })).rejects.toMatchObject({
        code: 'WF_CONFLICT',
      })
      expect(deliver).not.toHaveBeenCalled()
      expect(await app.api.links(flowId)).toMatchObject([{ recipient: 'boss@example.com' }])
    })

    it('is not there if it could not be sent, and the one before still works', async () => {
      const app = await open()
      const { flowId, token } = await mailed(app)
      let lost = ''
      const sending = app.api.reissue(flowId, {
        deliver: link => {
          lost = link.token
          throw new Error('no more stamps')
        },
      })
      await expect(sending).rejects.toThrow('no more stamps')
      expect((await app.api.history(flowId)).slice(-2)).toMatchObject([
        { type: 'reissued' },
        { type: 'undelivered', detail: { code: 'WF_OUTLET_FAILED' } },
      ])
      expect(await app.api.get(flowId)).toMatchObject({ lastError: { code: 'WF_OUTLET_FAILED' } })
      expect(await app.runner.resume(lost, ADA)).toMatchObject({ code: 'WF_USED' })
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('is refused where nobody waits, where it has expired and where somebody is at it', async () => {
      const app = await open()
      const { flowId, token } = await startOrder(app)
      const deliver = vi.fn()
      app.clock.advance(TTL)
      const late = app.api.reissue(flowId, { deliver })
      await expect(late).rejects.toMatchObject({ code: 'WF_EXPIRED' })
      await app.api.extend(flowId, { ttlMs: 2 * LEASE_MS })
      const { letGo, result } = await hangIn(app, 'ask', token, ADA.input)
      const busy = app.api.reissue(flowId, { deliver })
      await expect(busy).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      letGo()
      expect(await result).toMatchObject({ kind: 'finished' })
      expect(await app.api.reissue(flowId, { deliver })).toBeNull()
      expect(await app.api.reissue('nobody', { deliver })).toBeNull()
      expect(deliver).not.toHaveBeenCalled()
    })

    it('has not lost what was accepted before', async () => {
      const dead = await open()
      const { flowId, token } = await mailed(dead)
      await hangIn(dead, 'ask', token, ADA.input)
      dead.clock.advance(LEASE_MS)
      const app = await open()
      // Nobody holds it: its process has died.
      const deliver = vi.fn()
      await app.api.reissue(flowId, { deliver }).catch(() => undefined)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
    })

    it('is told of without what it takes to use it', async () => {
      const app = await open()
      const { flowId } = await mailed(app)
      const fresh = await reissue(app, flowId)
      expect(await app.api.links(flowId)).toEqual([
        {
          audience: 'out-of-band',
          pause: expect.any(Number),
          recipient: 'ida@example.com',
          expiresAt: app.clock.now() + TTL,
          createdAt: app.clock.now(),
          opens: 0,
        },
      ])
      const raw = fresh.token.split('.')[1]!
      const rows = [await app.runs.find(flowId), await app.runs.links(flowId)]
      expect(JSON.stringify([...rows, await app.api.history(flowId)])).not.toContain(raw)
    })

    it('travels with a snapshot', async () => {
      const app = await open()
      const { flowId, token } = await mailed(app)
      const fresh = await reissue(app, flowId)
      const snapshot = (await app.api.getSnapshot(flowId))!
      const { clock } = app
      const elsewhere = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
      elsewhere.deeds.ask = app.deeds.ask
      await elsewhere.api.restore(snapshot, { schemaId: 'shop/order' })
      expect(await elsewhere.runner.resume(token, ADA)).toMatchObject({ kind: 'refused' })
      expect(await elsewhere.runner.resume(fresh.token, ADA)).toMatchObject({ kind: 'finished' })
    })
  })
})
