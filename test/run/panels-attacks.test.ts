import { handOn } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { ADA, ask, BOB, CLEO, DAN, openPanelApp } from '../support/panel-app'

const HOUR_MS = 60 * 60_000

const fresh = (options = {}) => {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true, signals: true })
  return openPanelApp({ clock, runs }, options)
}

const NOTED = { kind: 'noted' }
const USED = { kind: 'refused', code: 'WF_USED' }
const DONE = { kind: 'finished' }
const TRANSITION = { code: 'WF_TRANSITION' }

describe('the link of one of several people', () => {
  it('is not made shorter by extending those of the others', async () => {
    const app = await fresh({ strategy: { defaultTtl: HOUR_MS } })
    const { flowId } = await app.start([ADA, BOB, CLEO])
    app.clock.advance(2 * HOUR_MS)
    await app.runner.askFresh(app.latest(ADA))
    await app.api.extend(flowId, { ttlMs: HOUR_MS / 2 })
    app.clock.advance(HOUR_MS / 2)
    expect(await app.vote(BOB, 'approve')).toMatchObject({ code: 'WF_EXPIRED' })
    await app.api.runDue()
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
  })

  it('has no message that is sent again, once they have answered', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    const hers = (await app.api.messages(flowId)).find(({ recipient }) => recipient === ADA)!
    await app.vote(ADA, 'approve')
    await expect(app.api.resend(hers.messageId)).rejects.toMatchObject(TRANSITION)
    await expect(app.api.resend(hers.messageId, { to: DAN })).rejects.toMatchObject(TRANSITION)
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
  })
})

describe('what others have answered', () => {
  it('is not there at the steps behind the one that has asked', async () => {
    const app = await fresh()
    const seen: unknown[] = []
    app.deeds.decide = (ctx, answers) => (answers.isDecided ? undefined : ask(ctx))
    app.deeds.escalate = (_ctx, answers) => void seen.push(answers.all.length, answers.outcome)
    await app.start([ADA], { quorum: 1 })
    expect(await app.vote(ADA, 'approve')).toMatchObject(DONE)
    expect(app.ran).toEqual(['decide', 'decide', 'escalate', 'tell'])
    expect(seen).toEqual([0, 'open'])
  })

  it('decides at once where the step asks fewer by then', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers, _input, action) => {
      if (action === 'delegate') ctx.people = [{ to: ADA }, { to: BOB }]
      if (!answers.isDecided) return ask(ctx)
      ctx.outcome = answers.outcome
    }
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all' })
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(CLEO, 'delegate')).toMatchObject(DONE)
    expect((await app.context(flowId)).outcome).toBe('reached')
  })
})

describe('who is asked', () => {
  it.each([
    ['nobody by a name', { requireUser: '' }],
    ['nobody by null', { requireUser: null }],
    ['nobody by false', { requireUser: false }],
  ])('must be signed in as somebody: %s', async (_what, user) => {
    const app = await fresh()
    await expect(app.start([{ to: ADA, ...(user as object) }], { quorum: 1 })).rejects.toThrow(
      TypeError,
    )
  })

  it.each([[[undefined]], [['']], [[null]], ['ada'], [[7]]])(
    'is told apart from whoever is excepted: %j',
    async except => {
      const app = await fresh()
      await expect(app.start([ADA], { quorum: 1, except: except as never })).rejects.toThrow(
        TypeError,
      )
    },
  )

  it('is asked for no secret, which would be kept until it is decided', async () => {
    const app = await fresh({ build: { form: LoginForm } })
    await expect(app.start([ADA], { quorum: 1, form: LoginForm })).rejects.toThrow(
      /asks for a secret/u,
    )
  })

  it('may be handed on to somebody who is somebody alone', () => {
    for (const user of ['', null, 7]) {
      expect(() => handOn({ to: DAN, user: user as never })).toThrow(TypeError)
    }
  })

  it('is nobody by an actor without a name', async () => {
    const app = await fresh()
    await app.start([ADA, BOB])
    expect(await app.vote(ADA, 'approve', { actor: '' })).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve', { actor: '' })).toMatchObject(DONE)
  })
})

describe('a link by which nobody can answer at this moment', () => {
  it('is not made to wait for a step that is tried again in an hour', async () => {
    const app = await fresh({
      strategy: { retry: { attempts: 3, baseMs: HOUR_MS, maxMs: HOUR_MS, jitter: 0 } },
    })
    let fails = true
    app.deeds.decide = (ctx, answers) => {
      if (!answers.isDecided) return ask(ctx)
      if (fails) throw new Error('A test.')
      ctx.outcome = answers.outcome
    }
    await app.start([ADA, BOB], { quorum: 1 })
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'retrying' })
    const began = performance.now()
    expect(await app.vote(BOB, 'approve')).toMatchObject({ kind: 'refused', code: 'WF_BUSY' })
    expect(performance.now() - began).toBeLessThan(5000)
    fails = false
    app.clock.advance(HOUR_MS)
    expect(await app.vote(BOB, 'approve')).toMatchObject(USED)
  })

  it('waits in turn where its answer is accepted through the application', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all' })
    const answer = (to: string) => app.api.answer(app.latest(to), { action: 'approve', input: {} })
    await Promise.all([answer(ADA), app.vote(BOB, 'approve'), answer(CLEO)])
    await app.api.runDue()
    expect((await app.context(flowId)).outcome).toBe('reached')
    await expect(answer(BOB)).rejects.toMatchObject({ code: 'WF_USED' })
  })
})
