import { handOn } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { getMoostInfact } from 'moost'
import { describe, expect, it } from 'vitest'
import { VoteForm as ChangedForm } from '../fixtures/schemas/next/vote-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { ReviewForm } from '../fixtures/schemas/vote-form.as'
import { ADA, askAll, BOB, CLEO, DAN, openPanelApp, type PanelApp } from '../support/panel-app'

const HOUR_MS = 60 * 60_000

const share = () => {
  const clock = new FakeClock()
  return { clock, runs: new WfRunStoreMemory({ clock, outbox: true, signals: true }) }
}
const fresh = (options = {}) => openPanelApp(share(), options)

const NOTED = { kind: 'noted' }
const USED = { kind: 'refused', code: 'WF_USED' }
const REVOKED = { kind: 'refused', code: 'WF_REVOKED' }
const DONE = { kind: 'finished' }
const CHANGED = { kind: 'refused', code: 'WF_DEFINITION_CHANGED' }

const delegating: PanelApp['deeds']['decide'] = (ctx, answers, input, action) =>
  action === 'delegate' ? handOn({ to: input!.comment! }) : askAll(ctx, answers, input, action)

describe('a run that asks several people, brought elsewhere', () => {
  it('has its answers there, its live links, and none that was dead', async () => {
    const app = await fresh({ decide: delegating })
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all' })
    await app.vote(ADA, 'approve', { comment: 'fine' })
    const former = app.latest(BOB)
    await app.vote(BOB, 'delegate', { comment: DAN })
    await app.api.runDue()
    const snapshot = await app.api.getSnapshot(flowId)
    const there = await fresh({ decide: delegating })
    there.mails.push(...app.mails)
    await there.api.restore(snapshot!, { schemaId: 'expense/approve' })
    expect((await there.api.get(flowId))?.asked).toEqual((await app.api.get(flowId))?.asked)
    expect(await there.runner.peek(former)).toMatchObject({ kind: 'refused' })
    expect(await there.vote(ADA, 'approve')).toMatchObject(USED)
    // Somebody can have a part there as well, although no message says what was told.
    expect(await there.api.reassign(flowId, { from: CLEO, to: 'eve@x.com' })).toBeGreaterThan(0)
    await there.api.runDue()
    expect(await there.vote(CLEO, 'approve')).toMatchObject(REVOKED)
    expect(await there.vote(DAN, 'approve')).toMatchObject(NOTED)
    expect(await there.vote('eve@x.com', 'approve')).toMatchObject(DONE)
    expect((await there.context(flowId)).history[0]).toBe(`${ADA} approve fine`)
  })

  it('goes on there with an answer that was accepted here', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    await acceptedOf(app, ADA)
    const snapshot = await app.api.getSnapshot(flowId)
    const there = await fresh()
    there.mails.push(...app.mails)
    await there.api.restore(snapshot!, { schemaId: 'expense/approve' })
    await there.api.runDue()
    expect((await there.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
    expect(await there.vote(ADA, 'approve')).toMatchObject(USED)
    expect(await there.vote(BOB, 'approve')).toMatchObject(DONE)
  })
})

describe('a build with another definition', () => {
  const redeployed = async (app: PanelApp, build: object, decide?: typeof askAll) => {
    getMoostInfact()._cleanup()
    const next = await openPanelApp(app, { build, decide, config: { ledger: app.ledger } })
    next.mails.push(...app.mails)
    return next
  }

  it('goes on where the step stands now', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve')
    const schema = ['escalate', 'decide', 'tell']
    const next = await redeployed(app, { schema })
    expect(await next.vote(ADA, 'approve')).toMatchObject(USED)
    expect((await next.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
    expect(await next.vote(BOB, 'approve')).toMatchObject(DONE)
    expect(next.ran).toEqual(['decide', 'tell'])
  })

  it('notes an answer where the step stands now, and goes on with it in the older one', async () => {
    const app = await fresh()
    await app.start([ADA, BOB])
    const next = await redeployed(app, { schema: ['escalate', 'decide', 'tell'] })
    expect(await next.vote(ADA, 'approve')).toMatchObject(NOTED)
    const older = await redeployed(next, {})
    expect(await older.vote(BOB, 'approve')).toMatchObject(DONE)
  })

  it('asks again by a sentence for what its form does not take, and what was answered counts', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve', { comment: 'fine' })
    const decide: typeof askAll = (ctx, answers, ...given) =>
      answers.isDecided ? askAll(ctx, answers, ...given) : undefined
    const next = await redeployed(app, { form: ChangedForm }, decide)
    const again = await next.vote(BOB, 'approve', { comment: 'too long' })
    const errors = { comment: expect.any(String) }
    expect(again).toMatchObject({ kind: 'paused', context: { errors } })
    expect(await next.vote(BOB, 'approve', { comment: 'short' })).toMatchObject(DONE)
    expect((await next.context(flowId)).history).toEqual([
      `${ADA} approve fine`,
      `${BOB} approve short`,
    ])
  })

  it('refuses all where the step is gone, and keeps what was answered', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve')
    const next = await redeployed(app, { schema: ['escalate', 'tell'] })
    for (const to of [ADA, BOB]) expect(await next.vote(to, 'approve')).toMatchObject(CHANGED)
    const back = await redeployed(next, {})
    expect((await back.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
    expect(await back.vote(BOB, 'approve')).toMatchObject(DONE)
  })

  it('keeps nothing of an answer to a form that asks for a secret by now', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    const next = await redeployed(app, { form: LoginForm })
    const input = { email: ADA, password: 'correct horse' }
    expect(await next.runner.resume(next.latest(ADA), { input })).toMatchObject(CHANGED)
    await expect(next.api.answer(next.latest(ADA), { input })).rejects.toMatchObject({
      code: 'WF_DEFINITION_CHANGED',
    })
    expect(JSON.stringify(await app.runs.find(flowId))).not.toContain('horse')
  })

  it('reads an answer by another form where the step has no other', async () => {
    const app = await fresh()
    await app.start([ADA, BOB])
    const decide: typeof askAll = () => undefined
    const next = await redeployed(app, { form: ReviewForm }, decide)
    expect(await next.runner.resume(next.latest(BOB), { input: { grade: 9 } })).toMatchObject({
      kind: 'paused',
      context: { errors: { grade: expect.any(String) } },
    })
  })
})

describe('an operator', () => {
  it('cancels a run, and all links are dead', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    await app.vote(ADA, 'approve')
    await app.api.cancel(flowId, { actor: 'admin' })
    for (const to of [ADA, BOB, CLEO]) expect(await app.vote(to, 'approve')).toMatchObject(REVOKED)
    await app.api.runDue()
    expect(app.ran).toEqual(['decide'])
  })

  it('gives a part to nobody whose answer waits to be gone on with', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    const { runs } = app
    const hers = (await app.api.messages(flowId)).find(({ recipient }) => recipient === ADA)!
    // As an application in another process accepts it.
    const seal = await acceptedOf(app, ADA)
    const code = 'WF_CONFLICT'
    await expect(app.api.reassign(flowId, { from: ADA, to: DAN })).rejects.toMatchObject({ code })
    await expect(app.api.resend(hers.messageId, { to: DAN })).rejects.toMatchObject({ code })
    expect((await runs.find(flowId))?.answer).toBe(seal)
    // The other one has not answered.
    expect(await app.api.reassign(flowId, { from: BOB, to: DAN })).toBeGreaterThan(0)
    await app.api.runDue()
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
    expect(await app.vote(DAN, 'approve')).toMatchObject(DONE)
  })

  it('loses no answer that was accepted, when another one is', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    await acceptedOf(app, ADA)
    const answer = app.api.answer(app.latest(BOB), { action: 'approve', input: {} })
    await Promise.all([answer, app.api.runDue()])
    await app.api.runDue()
    expect((await app.context(flowId)).history).toEqual([`${ADA} approve`, `${BOB} approve`])
  })

  it('gives more time to those alone who have a part', async () => {
    const app = await fresh({ decide: delegating, strategy: { defaultTtl: HOUR_MS } })
    const { flowId } = await app.start([ADA, BOB])
    const former = app.latest(ADA)
    await app.vote(ADA, 'delegate', { comment: DAN })
    await app.api.runDue()
    app.clock.advance(HOUR_MS)
    expect(await app.vote(DAN, 'approve')).toMatchObject({ code: 'WF_EXPIRED' })
    expect(await app.api.extend(flowId, { ttlMs: HOUR_MS })).toBe(true)
    expect(await app.runner.resume(former, { action: 'approve', input: {} })).toMatchObject(REVOKED)
    expect(await app.vote(DAN, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
  })

  it('changes the context while people answer', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all' })
    const change = () => app.api.recordStepResult(flowId, 'credit', 1)
    await Promise.all([
      app.vote(ADA, 'approve'),
      change(),
      app.vote(BOB, 'approve'),
      app.api.reassign(flowId, { from: CLEO, to: DAN }).catch(() => undefined),
    ])
    const { asked, context } = (await app.api.get(flowId))!
    expect(asked).toMatchObject({ agreed: 2 })
    expect(context).toMatchObject({ steps: { credit: { output: 1 } } })
  })
})

/** An answer that is accepted, and that nobody goes on with. */
async function acceptedOf({ durable, runs, latest }: PanelApp, to: string) {
  const token = latest(to)
  const handle = token.slice(token.indexOf('.') + 1)
  const answered = await durable.manage.accept(handle, {
    admit: () => null,
    keep: () => ({ action: 'approve', input: {} }),
    asker: () => ({}),
  })
  if ('refusal' in answered) throw new Error(answered.refusal)
  return (await runs.find(answered.flowId))?.answer
}
