import { handOn, outletEach, outletEmail, useAtscriptWf } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { ReviewForm, VoteForm } from '../fixtures/schemas/vote-form.as'
import { ADA, ask, BOB, CLEO, DAN, openPanelApp, type PanelApp } from '../support/panel-app'

const HOUR_MS = 60 * 60_000

const fresh = (options = {}) => {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true, signals: true })
  return openPanelApp({ clock, runs }, options)
}

const targetsOf = ({ mails }: PanelApp) => mails.map(({ target }) => target)

const NOTED = { kind: 'noted' }
const USED = { kind: 'refused', code: 'WF_USED' }
const REVOKED = { kind: 'refused', code: 'WF_REVOKED' }
const DONE = { kind: 'finished' }

describe('a pause that asks several people', () => {
  it('sends each a link of their own, and tells the caller that it will', async () => {
    const app = await fresh()
    const sent = await app.start([ADA, BOB, { to: CLEO, context: { why: 'you are the boss' } }])
    expect(sent).toMatchObject({ kind: 'sent', outlet: 'email', queued: true })
    expect(sent.watch).toBeTruthy()
    expect(targetsOf(app).toSorted()).toEqual([ADA, BOB, CLEO])
    expect(new Set(app.mails.map(({ token }) => token)).size).toBe(3)
    const hers = app.mails.find(({ target }) => target === CLEO)
    expect(hers).toMatchObject({ template: 'decide', context: { why: 'you are the boss' } })
    const asked = { outcome: 'open', agreed: 0, refused: 0, needed: 2 }
    expect((await app.api.get(sent.flowId))?.asked).toMatchObject(asked)
  })

  it('goes on once, when as many have agreed as are needed, and all links end then', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    expect(await app.vote(ADA, 'approve', { comment: 'fine' })).toMatchObject(NOTED)
    expect(app.ran).toEqual(['decide'])
    expect(await app.vote(ADA, 'approve')).toMatchObject(USED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    expect(app.ran).toEqual(['decide', 'decide', 'tell'])
    expect(await app.vote(CLEO, 'approve')).toMatchObject(USED)
    const { outcome, history } = await app.context(flowId)
    expect([outcome, history]).toEqual(['reached', [`${ADA} approve fine`, `${BOB} approve`]])
  })

  it('ends when as many as are needed cannot agree any more', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    expect(await app.vote(ADA, 'reject')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'reject')).toMatchObject(DONE)
    expect((await app.context(flowId)).outcome).toBe('impossible')
    expect(await app.vote(CLEO, 'approve')).toMatchObject(USED)
  })

  it.each([
    ['all', ['approve', 'approve', 'approve'], 'reached'],
    ['all', ['approve', 'reject'], 'impossible'],
    ['first', ['approve'], 'reached'],
    ['first', ['reject'], 'impossible'],
    [1, ['reject', 'reject', 'approve'], 'reached'],
    [1, ['reject', 'reject', 'reject'], 'impossible'],
    [3, ['reject'], 'impossible'],
  ] as const)('decides by a quorum of %s on %j: %s', async (quorum, votes, outcome) => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum })
    const people = [ADA, BOB, CLEO]
    for (const [at, action] of votes.entries()) {
      const isLast = at === votes.length - 1
      expect(await app.vote(people[at]!, action)).toMatchObject(isLast ? DONE : NOTED)
    }
    expect((await app.context(flowId)).outcome).toBe(outcome)
  })

  it('counts the form itself where it has no actions', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB], {}, 'expense/review')
    const grade = (to: string, input: object) => app.runner.resume(app.latest(to), { input })
    expect(await grade(ADA, { grade: 9 })).toMatchObject({ kind: 'paused' })
    expect(await grade(ADA, { grade: 4, made: 'up' })).toMatchObject(NOTED)
    expect(await grade(BOB, { grade: 2 })).toMatchObject(DONE)
    expect((await app.context(flowId)).grades).toEqual([4, 2])
  })

  it('hands an answer that neither agrees nor refuses to the step, and asks on', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers, input, action) => {
      if (action === undefined && input) ctx.history = [...ctx.history, `asks: ${input.comment}`]
      return answers.isDecided ? undefined : ask(ctx)
    }
    const { flowId } = await app.start([ADA, BOB])
    const token = app.latest(ADA)
    const asked = await app.runner.resume(token, { input: { comment: 'what for?' } })
    expect(asked).toMatchObject({ kind: 'noted', canChange: true })
    expect((await app.context(flowId)).history).toEqual(['asks: what for?'])
    expect(app.mails).toHaveLength(2)
    // Their link works on, and shows what was asked.
    const seen = await app.runner.resume(app.latest(BOB))
    expect(seen).toMatchObject({ kind: 'paused', context: { history: ['asks: what for?'] } })
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
  })

  it('lets a step ask again what somebody has answered, by the link that they have', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers, input, action) => {
      if (action === undefined && input) {
        useAtscriptWf(VoteForm).requireInput({ errors: { comment: 'What do you want to know?' } })
      }
      return answers.isDecided ? undefined : ask(ctx)
    }
    const { flowId } = await app.start([ADA, BOB])
    const [hers, his] = [app.latest(ADA), app.latest(BOB)]
    const again = await app.runner.resume(hers, { input: {} })
    const errors = { comment: 'What do you want to know?' }
    expect(again).toMatchObject({ kind: 'paused', token: hers, context: { errors } })
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 0, needed: 2 })
    expect(app.mails).toHaveLength(2)
    expect(await app.runner.resume(his, { action: 'approve', input: {} })).toMatchObject(NOTED)
    expect(await app.runner.resume(hers, { action: 'approve', input: {} })).toMatchObject(DONE)
  })

  it('runs the step with each answer where it wants to, and lets it decide by itself', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers) => {
      const { current } = answers
      if (current) ctx.history = [...ctx.history, `${current.to} ${current.stance}`]
      if (current?.input?.comment === 'enough') return void (ctx.outcome = 'enough')
      return ask(ctx)
    }
    const { flowId } = await app.start([ADA, BOB, CLEO], { runsEach: true, quorum: 'all' })
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
    expect((await app.context(flowId)).history).toEqual([`${ADA} for`])
    expect(await app.vote(ADA, 'approve')).toMatchObject(USED)
    expect(await app.vote(BOB, 'approve', { comment: 'enough' })).toMatchObject(DONE)
    expect(await app.vote(CLEO, 'approve')).toMatchObject(USED)
    expect(app.mails).toHaveLength(3)
  })

  it('lets answers be changed until it is decided, if it may be so', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO], { canChange: true })
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'noted', canChange: true })
    expect(await app.vote(ADA, 'reject', { comment: 'I have read it' })).toMatchObject(NOTED)
    expect((await app.api.get(flowId))?.asked).toMatchObject({
      agreed: 0,
      refused: 1,
      people: [{ id: ADA, stance: 'against', input: { comment: 'I have read it' } }, {}, {}],
    })
    const seats = (await app.api.links(flowId)).map(({ seat }) => seat)
    expect(seats.toSorted()).toEqual([ADA, BOB, CLEO])
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(ADA, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).history).toEqual([`${ADA} approve`, `${BOB} approve`])
  })

  it('shows each what the others have said, if it may be so, and not by a look', async () => {
    const app = await fresh()
    await app.start([ADA, BOB], { showsAnswers: true })
    await app.vote(ADA, 'approve', { comment: 'fine' })
    const shown = await app.runner.resume(app.latest(BOB))
    const answers = [{ by: ADA, action: 'approve', input: { comment: 'fine' } }]
    expect(shown).toMatchObject({ kind: 'paused', context: { amount: 7, answers } })
    expect(await app.runner.peek(app.latest(BOB))).toMatchObject({ context: {} })
    const shy = await fresh()
    await shy.start([ADA, BOB])
    await shy.vote(ADA, 'approve', { comment: 'fine' })
    expect(JSON.stringify(await shy.runner.resume(shy.latest(BOB)))).not.toContain('fine')
  })

  it('tells each answer in the history, with who has given it', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve', { comment: 'fine', actor: 'ada' })
    await app.vote(BOB, 'approve')
    const answered = (await app.api.history(flowId)).filter(({ type }) => type === 'answered')
    expect(answered).toMatchObject([
      {
        actor: 'ada',
        detail: { seat: ADA, to: ADA, action: 'approve', stance: 'for', said: { comment: 'fine' } },
      },
      { detail: { seat: BOB, to: BOB, action: 'approve', stance: 'for' } },
    ])
    expect(answered[1]).not.toHaveProperty('actor', expect.anything())
  })

  it('begins anew with another round', async () => {
    const app = await fresh()
    let rounds = 0
    app.deeds.decide = (ctx, answers) => {
      if (answers.isDecided && rounds++ > 0) return undefined
      return ask(ctx)
    }
    await app.start([ADA, BOB], { quorum: 'first' })
    const old = app.latest(BOB)
    expect(await app.vote(ADA, 'reject')).toMatchObject({ kind: 'sent' })
    await app.api.runDue()
    expect(app.mails).toHaveLength(4)
    expect(await app.runner.resume(old, { action: 'approve', input: {} })).toMatchObject(USED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
  })
})

describe('who may answer', () => {
  it('is whoever has the link, unless somebody must be signed in', async () => {
    const app = await fresh()
    await app.start([
      { to: ADA, requireUser: true },
      { to: BOB, requireUser: 'user-7' },
    ])
    const WRONG = { kind: 'refused', code: 'WF_WRONG_USER' }
    for (const actor of [undefined, BOB, 'user-7']) {
      expect(await app.vote(ADA, 'approve', { actor: actor! })).toMatchObject(WRONG)
      expect(await app.runner.resume(app.latest(ADA), { actor })).toMatchObject(WRONG)
      expect(await app.runner.peek(app.latest(ADA), { actor })).toMatchObject(WRONG)
    }
    expect(await app.runner.peek(app.latest(ADA), { actor: ADA })).toMatchObject({
      wfid: 'expense/approve',
    })
    expect(await app.vote(ADA, 'approve', { actor: ADA })).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve', { actor: 'user-7' })).toMatchObject(DONE)
  })

  it('is never one of those who are excepted, whatever link they have', async () => {
    const app = await fresh()
    await app.start([ADA, BOB], { except: ['the applicant'], quorum: 1 })
    const actor = 'the applicant'
    expect(await app.vote(ADA, 'approve', { actor })).toMatchObject({ code: 'WF_WRONG_USER' })
    expect(await app.runner.peek(app.latest(ADA), { actor })).toMatchObject({
      code: 'WF_WRONG_USER',
    })
    const late = app.api.answer(app.latest(ADA), { action: 'approve', input: {}, actor })
    await expect(late).rejects.toMatchObject({ code: 'WF_WRONG_USER' })
    expect(await app.vote(ADA, 'approve')).toMatchObject(DONE)
  })

  it('has one voice, by however many links', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    expect(await app.vote(ADA, 'approve', { actor: 'eve' })).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve', { actor: 'eve' })).toMatchObject({
      code: 'WF_WRONG_USER',
    })
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
    expect(await app.vote(BOB, 'approve', { actor: 'bob' })).toMatchObject(DONE)
  })
})

describe('a part', () => {
  it('can be handed on by whoever has it: their link is dead, and somebody else decides', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers, input, action) => {
      if (action === 'delegate') return handOn({ to: input!.comment!, reason: 'on holiday' })
      if (!answers.isDecided) return ask(ctx)
      ctx.history = answers.all.map(({ id, to, by }) => `${id} ${to} ${by}`)
      ctx.outcome = answers.outcome
    }
    const { flowId } = await app.start([{ to: ADA, requireUser: true }, BOB])
    const former = app.latest(ADA)
    const handed = await app.vote(ADA, 'delegate', { comment: DAN, actor: ADA })
    expect(handed).toMatchObject(NOTED)
    expect(handed).not.toHaveProperty('canChange', true)
    await app.api.runDue()
    const again = await app.runner.resume(former, { action: 'approve', input: {}, actor: ADA })
    expect(again).toMatchObject(REVOKED)
    expect(app.mails.at(-1)).toMatchObject({ target: DAN, template: 'decide' })
    expect(await app.vote(DAN, 'approve', { actor: ADA })).toMatchObject({ code: 'WF_WRONG_USER' })
    expect(await app.vote(DAN, 'approve', { actor: DAN })).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).history).toEqual([
      `${ADA} ${DAN} ${DAN}`,
      `${BOB} ${BOB} undefined`,
    ])
    const event = (await app.api.history(flowId)).find(({ type }) => type === 'reassigned')
    expect(event).toMatchObject({
      actor: ADA,
      detail: { seat: ADA, from: ADA, to: DAN, reason: 'on holiday' },
    })
  })

  it('can be given to somebody else by the application', async () => {
    const app = await fresh()
    const { flowId } = await app.start([
      { to: ADA, context: { secret: 'x' }, requireUser: true },
      BOB,
    ])
    const former = app.latest(ADA)
    const how = { from: ADA, to: DAN, actor: 'admin', reason: 'she has left' }
    expect(await app.api.reassign(flowId, how)).toBeGreaterThan(0)
    await app.api.runDue()
    expect(app.mails.at(-1)).toMatchObject({ target: DAN, context: { secret: 'x' } })
    expect(await app.runner.peek(former, { actor: ADA })).toMatchObject(REVOKED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(DAN, 'approve', { actor: DAN })).toMatchObject(DONE)
    const event = (await app.api.history(flowId)).find(({ type }) => type === 'reassigned')
    expect(event).toMatchObject({
      actor: 'admin',
      detail: { from: ADA, to: DAN, reason: 'she has left' },
    })
  })

  it('of somebody who has answered, or who is not asked, is not to be had', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve')
    for (const from of [ADA, CLEO, '', '__proto__', 'constructor']) {
      await expect(app.api.reassign(flowId, { from, to: DAN })).rejects.toMatchObject({
        code: 'WF_TRANSITION',
      })
    }
    await expect(app.api.reassign(flowId, { from: BOB, to: '' })).rejects.toThrow(TypeError)
    expect(await app.api.reassign('made-up', { from: BOB, to: DAN })).toBeNull()
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    await expect(app.api.reassign(flowId, { from: BOB, to: DAN })).rejects.toMatchObject({
      code: 'WF_TRANSITION',
    })
  })

  it('is added and taken away by the step, which asks by another list', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers, _input, action) => {
      if (action === 'delegate') ctx.people = [{ to: BOB }, { to: CLEO }, { to: DAN }]
      return answers.isDecided ? undefined : ask(ctx)
    }
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 3 })
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    const [gone, kept] = [app.latest(ADA), app.latest(CLEO)]
    expect(await app.vote(ADA, 'delegate')).toMatchObject(NOTED)
    await app.api.runDue()
    expect(targetsOf(app).toSorted()).toEqual([ADA, BOB, CLEO, DAN])
    expect(await app.runner.peek(gone)).toMatchObject(REVOKED)
    expect(await app.runner.resume(kept, { action: 'approve', input: {} })).toMatchObject(NOTED)
    expect(await app.vote(DAN, 'approve')).toMatchObject(DONE)
    const stays = (await app.api.history(flowId)).filter(({ type }) => type === 'stayed')
    expect(stays[1]).toMatchObject({ detail: { asked: [{ seat: DAN, to: DAN }], ended: [ADA] } })
  })

  it('has a message that can be sent again, also to another address', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB])
    const [first] = await app.api.messages(flowId)
    const [former, others] = [app.latest(ADA), app.latest(BOB)]
    await app.api.resend(first!.messageId, { to: DAN, actor: 'admin' })
    await app.api.runDue()
    expect(await app.runner.peek(former)).toMatchObject({ code: 'WF_SUPERSEDED' })
    expect(await app.runner.peek(others)).toMatchObject({ kind: 'resumable' })
    expect(await app.vote(DAN, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
  })

  it('gets a new link alone, for as long as it is not answered', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    const former = app.latest(BOB)
    const tokens: string[] = []
    const reissue = (person?: string) =>
      app.api.reissue(flowId, {
        person,
        deliver: ({ token, recipient }) => void tokens.push(`${recipient?.target} ${token}`),
      })
    expect(await reissue(BOB)).toBeGreaterThan(0)
    const [target, token] = tokens[0]!.split(' ')
    expect(target).toBe(BOB)
    expect(await app.runner.peek(former)).toMatchObject({ code: 'WF_SUPERSEDED' })
    expect(await app.runner.peek(app.latest(ADA))).toMatchObject({ kind: 'resumable' })
    expect(await app.runner.resume(token!, { action: 'approve', input: {} })).toMatchObject(NOTED)
    for (const person of [BOB, DAN, undefined]) expect(await reissue(person)).toBeNull()
    expect(tokens).toHaveLength(1)
    expect(await app.vote(ADA, 'approve')).toMatchObject(DONE)
  })

  it.each([
    ['and keeps what they have said', false],
    ['also where they may change what they have said', true],
  ])('has no message any more for whoever has answered, %s', async (_what, canChange) => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB], { canChange })
    const all = await app.api.messages(flowId)
    const { messageId } = all.find(({ recipient }) => recipient === ADA)!
    await app.vote(ADA, 'approve', { comment: 'fine' })
    for (const again of [{}, { to: DAN }]) {
      await expect(app.api.resend(messageId, again)).rejects.toMatchObject({
        code: 'WF_TRANSITION',
      })
    }
    await app.api.runDue()
    expect(targetsOf(app).toSorted()).toEqual([ADA, BOB])
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).history).toEqual([`${ADA} approve fine`, `${BOB} approve`])
  })

  it('is sent a fresh link for one that has expired, to whoever has it', async () => {
    const app = await fresh({ strategy: { defaultTtl: HOUR_MS } })
    const { flowId } = await app.start([ADA, BOB])
    const former = app.latest(ADA)
    app.clock.advance(2 * HOUR_MS)
    expect(await app.runner.peek(former)).toMatchObject({ code: 'WF_EXPIRED', fresh: true })
    expect(await app.runner.askFresh(former)).toBe(true)
    await app.api.runDue()
    expect(targetsOf(app).toSorted()).toEqual([ADA, ADA, BOB])
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
    // The other one is as expired as before, until it is extended.
    expect(await app.vote(BOB, 'approve')).toMatchObject({ code: 'WF_EXPIRED' })
    expect(await app.api.extend(flowId, { ttlMs: HOUR_MS })).toBe(true)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
  })
})

describe('time', () => {
  it('reminds those alone who have not answered, by links of their own', async () => {
    const app = await fresh()
    const deadline = { afterMs: 48 * HOUR_MS, remindEveryMs: 12 * HOUR_MS, onTimeout: 'escalate' }
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all', deadline })
    await app.vote(ADA, 'approve')
    const former = app.latest(BOB)
    await app.wait(12 * HOUR_MS)
    await app.wait(0)
    const reminded = app.mails.filter(({ reminder }) => reminder === 1)
    expect(reminded.map(({ target }) => target).toSorted()).toEqual([BOB, CLEO])
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    // Of both links of one person, one counts.
    expect(await app.runner.resume(former, { action: 'approve', input: {} })).toMatchObject(USED)
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 2 })
    expect(await app.vote(CLEO, 'approve')).toMatchObject(DONE)
  })

  it('leads to another step, which knows what was said by then, and nobody answers any more', async () => {
    const app = await fresh()
    let known: unknown
    app.deeds.escalate = (ctx, answers) => {
      known = answers
      return answers.isDecided ? undefined : outletEmail('boss@x.com', 'escalated')
    }
    const deadline = { afterMs: HOUR_MS, onTimeout: 'escalate' }
    const { flowId } = await app.start([ADA, BOB], { deadline })
    await app.vote(ADA, 'approve', { comment: 'fine' })
    await app.wait(HOUR_MS)
    await app.wait(0)
    expect(known).toMatchObject({
      agreed: 1,
      missing: [{ id: BOB }],
      all: [{ input: { comment: 'fine' } }],
    })
    expect(known).not.toHaveProperty('current', expect.anything())
    expect(await app.vote(BOB, 'approve')).toMatchObject(USED)
    expect(app.mails.at(-1)).toMatchObject({ target: 'boss@x.com' })
    expect((await app.api.get(flowId))?.asked).toBeUndefined()
  })
})

describe('what a step cannot ask', () => {
  const fails = async (people: string[], how: object, decide?: never) => {
    const app = await fresh(decide ? { decide } : {})
    return app.start(people, how)
  }

  it.each([
    ['nobody', [], {}, /at least one/u],
    ['somebody twice', [ADA, ADA], {}, /twice/u],
    ['for more than are asked', [ADA], { quorum: 2 }, /quorum/u],
    ['for nobody to agree', [ADA], { quorum: 0 }, /quorum/u],
    ['for half of a person', [ADA, BOB], { quorum: 1.5 }, /quorum/u],
    ['for a quorum that is none', [ADA], { quorum: 'most' }, /quorum/u],
    ['without an address', [''], {}, /address/u],
    ['with a form of another step', [ADA], { quorum: 1, form: ReviewForm }, /does not declare/u],
    [
      'by an outlet that answers the caller',
      [ADA],
      { quorum: 1, outlet: 'http' },
      /answers the caller/u,
    ],
  ])('is %s', async (_what, people, how, sentence) => {
    await expect(fails(people, how)).rejects.toThrow(sentence)
  })

  it('is anything without an outbox', async () => {
    const clock = new FakeClock()
    const app = await openPanelApp({ clock, runs: new WfRunStoreMemory({ clock }) })
    await expect(app.start([ADA, BOB])).rejects.toThrow(/outbox/u)
  })

  it('is to give on what nobody has', async () => {
    const app = await fresh()
    app.deeds.decide = () => handOn({ to: DAN })
    await expect(app.start([ADA])).rejects.toThrow(/handOn\(\)/u)
    expect(() => handOn({ to: '' })).toThrow(TypeError)
  })

  it('is more than fifty people', () => {
    const people = Array.from({ length: 51 }, (_, at) => ({ to: `p${at}@x.com` }))
    expect(() => outletEach(people, { form: ReviewForm, quorum: 1 })).toThrow(/50/u)
  })
})
