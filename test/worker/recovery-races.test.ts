import { createEmailOutlet, outletEmail, type WfEmail, WfError } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { describe, expect, it, vi } from 'vitest'
import {
  type DurableAppOptions,
  hangIn,
  LEASE_MS,
  openDurableApp,
  startOrder,
} from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }

describeOnRunStores(share => {
  const open = async (options?: DurableAppOptions) => {
    const shared = share()
    const app = await openDurableApp(shared, options)
    const look = async (flowId: string) => (await shared.runs.find(flowId))!
    const typesOf = async (flowId: string) =>
      (await app.api.history(flowId)).map(({ type }) => type)
    return { ...app, ...shared, look, typesOf }
  }

  /** A run whose process died in the step that was answered. */
  async function dieIn(step: 'ask' | 'work', options?: DurableAppOptions) {
    const dead = await open(options)
    const { token, flowId } = await startOrder(dead)
    await hangIn(dead, step, token, ADA.input)
    dead.clock.advance(LEASE_MS)
    return { token, flowId }
  }

  describe('whoever looks for runs that are due', () => {
    it('leaves a run alone that another has brought to its next pause meanwhile', async () => {
      const { flowId } = await dieIn('ask')
      const mails: WfEmail[] = []
      const outlets = [createEmailOutlet(async mail => void mails.push(mail))]
      const slow = await open({ config: { outlets } })
      const quick = await open({ config: { outlets } })
      for (const app of [slow, quick]) {
        app.deeds.work = (_ctx, input) => input ?? outletEmail('boss@example.com', 'decide')
      }
      const due = slow.runs.due.bind(slow.runs)
      vi.spyOn(slow.runs, 'due').mockImplementationOnce(async limit => {
        const found = await due(limit)
        await quick.takeUp(flowId)
        return found
      })
      expect(await slow.api.runDue()).toMatchObject({ done: 0, left: 1 })
      expect(slow.ran).toEqual([])
      expect(mails).toHaveLength(1)
      expect(await quick.runner.resume(mails[0]!.token, EVE)).toMatchObject({ kind: 'finished' })
    })

    it('does not wake a run that has ended or waits, when it puts it off', async () => {
      const { flowId } = await dieIn('ask')
      const app = await open()
      const seen = await app.look(flowId)
      await app.api.runDue()
      const ended = await app.look(flowId)
      expect(ended.status).toBe('completed')
      expect(await app.runs.postpone(seen, 5, { code: 'X' })).toBe(false)
      expect(await app.runs.postpone(ended, 5, { code: 'X' })).toBe(false)
      const { flowId: waits } = await startOrder(app)
      const waiting = await app.look(waits)
      expect(await app.runs.postpone(waiting, 5, { code: 'X' })).toBe(false)
      expect(await app.look(waits)).toEqual(waiting)
    })

    it('does not put off a run that another holds', async () => {
      const { flowId } = await dieIn('ask')
      const app = await open()
      app.deeds.ask = () => new Promise(() => {})
      void app.takeUp(flowId)
      await vi.waitFor(() => expect(app.ran).toEqual(['ask']))
      const held = await app.look(flowId)
      expect(await app.runs.postpone(held, 5, { code: 'X' })).toBe(false)
      expect(await app.look(flowId)).toEqual(held)
    })

    it('is told of a conflict where another has taken the run, and leaves no trace', async () => {
      const { flowId } = await dieIn('work')
      const apps = await Promise.all([open(), open(), open()])
      const reports = await Promise.all(apps.map(({ api }) => api.runDue()))
      const count = (key: 'done' | 'failed') =>
        reports.map(report => report[key]).reduce((one, other) => one + other)
      expect([count('done'), count('failed')]).toEqual([1, 0])
      expect(apps.flatMap(({ ran }) => ran)).toEqual(['work', 'last'])
      const recoveries = (await apps[0].typesOf(flowId)).filter(type => type === 'recovered')
      expect(recoveries).toHaveLength(1)
    })

    it('and a request come to one continuation, with what was accepted first', async () => {
      const { flowId, token } = await dieIn('ask')
      const [app, other] = [await open(), await open()]
      const [result, report] = await Promise.all([
        app.runner.resume(token, EVE),
        other.api.runDue(),
      ])
      const winner = report.done === 1 ? other : app
      expect(['finished', 'refused']).toContain(result.kind)
      expect(winner.ran).toEqual(['ask', 'work', 'last'])
      expect([...app.ran, ...other.ran]).toHaveLength(3)
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada', work: 1 },
      })
    })
  })

  describe('an answer that was accepted', () => {
    it('goes on by itself although someone else was refused meanwhile', async () => {
      const { flowId, token } = await dieIn('ask')
      const app = await open()
      const { ask } = app.deeds
      app.deeds.ask = () => {
        throw new HttpError(403, 'Not you.')
      }
      expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'refused' })
      app.deeds.ask = ask
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'completed',
        context: { name: 'Ada' },
      })
    })
  })

  describe('a commit of which nobody knows what became', () => {
    const UNAVAILABLE = new WfError('WF_DB_UNAVAILABLE', 'The database does not answer.')

    /** An application whose next commit is lost, carried out or not. */
    async function openLosing(type: string, isCarriedOut: boolean) {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const commit = app.runs.commit.bind(app.runs)
      let isLost = false
      vi.spyOn(app.runs, 'commit').mockImplementation(async (held, change) => {
        const isMeant = !isLost && change.events.some(event => event.type === type)
        if (!isMeant) return commit(held, change)
        isLost = true
        if (isCarriedOut) await commit(held, change)
        throw UNAVAILABLE
      })
      return { ...app, token, flowId }
    }

    it.each([true, false])(
      'is no failure of its step: the run goes on by itself (carried out: %s)',
      async isCarriedOut => {
        const app = await openLosing('step_completed', isCarriedOut)
        await expect(app.runner.resume(app.token, ADA)).rejects.toMatchObject({
          code: 'WF_DB_UNAVAILABLE',
        })
        app.clock.advance(LEASE_MS)
        app.ran.length = 0
        const seen: unknown[] = []
        app.deeds.work = (_ctx, input) => void seen.push(input)
        expect(await app.api.runDue()).toMatchObject({ done: 1 })
        expect(app.ran).toEqual(isCarriedOut ? ['work', 'last'] : ['ask', 'work', 'last'])
        // What was answered is for the step that it was for.
        expect(seen).toEqual([undefined])
        expect(await app.api.get(app.flowId)).toMatchObject({
          status: 'completed',
          context: { name: 'Ada' },
        })
        expect(await app.typesOf(app.flowId)).not.toContain('step_failed')
      },
    )

    it('keeps the answer where the next pause was lost', async () => {
      const app = await openLosing('paused', false)
      const { ask } = app.deeds
      app.deeds.ask = () => outletEmail('ada@example.com', 'more')
      await expect(app.runner.resume(app.token, ADA)).rejects.toMatchObject({
        code: 'WF_DB_UNAVAILABLE',
      })
      app.deeds.ask = ask
      app.clock.advance(LEASE_MS)
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(app.flowId)).toMatchObject({ context: { name: 'Ada' } })
    })
  })

  describe('a process that dies while it changes a context', () => {
    it('leaves the run as it was, and no step runs for that', async () => {
      const dead = await open()
      const { flowId, token } = await startOrder(dead)
      const { version } = await dead.look(flowId)
      void dead.api.update(flowId, version, () => new Promise(() => {}))
      await vi.waitFor(async () => expect((await dead.look(flowId)).leaseOwner).toBeDefined())
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.runDue()).toEqual({
        done: 0,
        handedOn: 0,
        waiting: 0,
        failed: 0,
        left: 0,
      })
      expect(app.ran).toEqual([])
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('leaves an answer that was accepted before, which goes on', async () => {
      const { flowId } = await dieIn('ask')
      const dead = await open()
      const { version } = await dead.look(flowId)
      void dead.api.update(flowId, version, () => new Promise(() => {}))
      await vi.waitFor(async () =>
        expect((await dead.look(flowId)).leaseUntil).toBeGreaterThan(dead.clock.now()),
      )
      dead.clock.advance(LEASE_MS)
      const app = await open()
      expect(await app.api.runDue()).toMatchObject({ done: 1 })
      expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
    })
  })
})
