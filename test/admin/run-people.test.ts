import { describe, expect, it } from 'vitest'
import { ACTOR, openPeople } from './people-app'
import { openRuns } from './runs-app'

const [ADA, BOB, CLEO, DAN] = ['ada@x.com', 'bob@x.com', 'cleo@x.com', 'dan@x.com'] as const

type App = Awaited<ReturnType<typeof openPeople>>

/** Gives the part of somebody to somebody else, as the run was seen. */
const reassign = async (app: App, flowId: string, body: object) =>
  app.post(`runs/${flowId}/reassign`, { version: await app.version(flowId), ...body })

describe('the people of a run', () => {
  it('are told with what each has said, what is needed, and by which links they can answer', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, { to: BOB, requireUser: true }, CLEO])
    await app.vote(ADA, 'approve', 'fine by me')
    const { asked, recipient, expiresAt } = await app.shown(flowId)
    const waits = {
      state: 'waiting',
      answeredAt: null,
      by: null,
      action: null,
      said: null,
      handedOn: null,
      link: { expiresAt: expect.any(Number), opens: 0, openedAt: null },
      canReassign: true,
    }
    expect(asked).toEqual({
      outcome: 'open',
      agreed: 1,
      refused: 0,
      needed: 2,
      canChange: false,
      people: [
        {
          ...waits,
          id: ADA,
          to: ADA,
          user: null,
          state: 'agreed',
          answeredAt: expect.any(Number),
          action: 'approve',
          said: { comment: 'fine by me' },
          link: null,
          canReassign: false,
        },
        { ...waits, id: BOB, to: BOB, user: BOB },
        { ...waits, id: CLEO, to: CLEO, user: null },
      ],
    })
    expect(recipient).toBeNull()
    expect(expiresAt).toBe(asked.people[1].link.expiresAt)
    await app.vote(CLEO, 'approve')
    expect((await app.shown(flowId)).asked).toBeNull()
  })

  it('can answer again where they may change what they have said, and are then not to be replaced', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB, CLEO], { canChange: true })
    await app.vote(ADA, 'reject')
    const [ada] = (await app.shown(flowId)).asked.people
    expect(ada).toMatchObject({ state: 'refused', canReassign: false })
    expect(ada.link).not.toBeNull()
  })

  it('are one where one is asked, and nobody where a form was shown to the caller', async () => {
    const app = await openPeople()
    const one = await app.askingOne(ADA)
    expect((await app.shown(one)).asked).toMatchObject({
      needed: 1,
      people: [{ id: ADA, to: ADA, state: 'waiting', canReassign: true }],
    })
    // Without an outbox there is no message to send to anybody else.
    const without = await openRuns()
    const flowId = await without.paused()
    const { asked, version } = (await without.get(`runs/${flowId}`)).body
    expect(asked.people).toMatchObject([{ to: 'ada@example.com', canReassign: false }])
    const body = { version, from: 'ada@example.com', to: 'bob@example.com' }
    const refused = await without.post(`runs/${flowId}/reassign`, body)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'WF_NOT_ALLOWED'])
  })

  it('say nothing that holds a live link or a secret', async () => {
    const app = await openPeople({ isSecret: key => key === 'comment' })
    const flowId = await app.asking([ADA, BOB])
    await app.vote(ADA, 'approve', 'my salary')
    const { text } = await app.get(`runs/${flowId}`)
    expect(text).not.toContain('my salary')
    const open = await openPeople()
    const other = await open.asking([ADA, BOB])
    const { token } = open.mails.find(({ target }) => target === BOB)!
    await open.vote(ADA, 'approve', `look at ${token}`)
    const { text: shown, body } = await open.get(`runs/${other}`)
    expect(body.asked.people[0]).toMatchObject({ state: 'agreed', said: { comment: '•••' } })
    expect(shown).not.toContain(token.split('.')[1])
  })

  it('are waited for by their messages until they have answered, each by their own', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB, CLEO], { quorum: 3 })
    await app.vote(ADA, 'approve')
    const awaited = async () =>
      (await app.shown(flowId)).messages
        .filter(({ isAwaited }: { isAwaited: boolean }) => isAwaited)
        .map(({ recipient }: { recipient: string }) => recipient)
        .toSorted()
    expect(await awaited()).toEqual([BOB, CLEO])
    await reassign(app, flowId, { from: BOB, to: DAN })
    expect(await awaited()).toEqual([CLEO, DAN])
  })
})

describe('giving the part of somebody to somebody else', () => {
  it('sends them the message by a link of their own, and notes who, why and from whom', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB])
    const former = app.mails.find(({ target }) => target === ADA)!
    const version = await app.version(flowId)
    const { status, body } = await reassign(app, flowId, {
      from: ADA,
      to: DAN,
      reason: 'on holiday',
    })
    expect([status, body]).toEqual([200, { version: version + 1, queued: true }])
    await app.runs.runDue()
    expect(app.mails.at(-1)).toMatchObject({ target: DAN, template: 'decide' })
    expect(await app.runner.peek(former.token)).toMatchObject({ code: 'WF_REVOKED' })
    const { asked, history } = await app.shown(flowId)
    expect(asked.people[0]).toMatchObject({
      id: ADA,
      to: DAN,
      state: 'waiting',
      handedOn: { from: ADA, by: ACTOR, reason: 'on holiday' },
    })
    expect(asked.people[1].handedOn).toBeNull()
    const event = history.find(({ type }: { type: string }) => type === 'reassigned')
    expect(event).toMatchObject({
      actor: ACTOR,
      detail: { seat: ADA, from: ADA, to: DAN, reason: 'on holiday' },
    })
    // They are asked by the id of the part, whoever has it.
    expect((await reassign(app, flowId, { from: ADA, to: CLEO })).status).toBe(200)
    expect((await app.shown(flowId)).asked.people[0]).toMatchObject({ id: ADA, to: CLEO })
  })

  it('works for the only one who is asked as well', async () => {
    const app = await openPeople()
    const flowId = await app.askingOne(ADA)
    expect((await reassign(app, flowId, { from: ADA, to: DAN, reason: 'ill' })).status).toBe(200)
    await app.runs.runDue()
    const [person] = (await app.shown(flowId)).asked.people
    expect(person).toMatchObject({ id: DAN, to: DAN, handedOn: { from: ADA, reason: 'ill' } })
    const done = await app.runner.resume(app.mails.at(-1)!.token, { input: {} })
    expect(done).toMatchObject({ kind: 'finished' })
  })

  it('says who must be signed in from then on', async () => {
    const app = await openPeople()
    const flowId = await app.asking([{ to: ADA, requireUser: 'user-1' }, BOB])
    await reassign(app, flowId, { from: ADA, to: DAN, user: 'user-4' })
    expect((await app.shown(flowId)).asked.people[0]).toMatchObject({ to: DAN, user: 'user-4' })
  })

  it.each([
    {},
    { from: ADA },
    { to: DAN },
    { from: 7, to: DAN },
    { from: ADA, to: '' },
    { from: ADA, to: 'dan' },
    { from: ADA, to: [DAN] },
    { from: ADA, to: 'dan@x.com, eve@x.com' },
    { from: ADA, to: 'dan@x.com\r\nBcc: eve@x.com' },
    { from: ADA, to: `${'d'.repeat(250)}@x.com` },
    { from: ADA, to: ADA },
    { from: ADA, to: 'Ada@X.com' },
    { from: ADA, to: DAN, user: '' },
    { from: ADA, to: DAN, user: 7 },
    { from: ADA, to: DAN, reason: 'x'.repeat(201) },
    { from: ADA, to: DAN, reason: 'a\u0000' },
  ])('is refused for %j, with a sentence, and changes nothing', async body => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB])
    const version = await app.version(flowId)
    const answer = await reassign(app, flowId, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(/\.$/u)
    expect(await app.version(flowId)).toBe(version)
  })

  it.each([
    ['is not asked', CLEO, DAN],
    ['is not asked by any name', '__proto__', DAN],
    ['has answered', ADA, DAN],
  ])('is refused for somebody who %s', async (_what, from, to) => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB])
    await app.vote(ADA, 'approve')
    const version = await app.version(flowId)
    const { status, body } = await reassign(app, flowId, { from, to })
    expect([status, body.error.code]).toEqual([409, 'WF_TRANSITION'])
    expect(await app.version(flowId)).toBe(version)
  })

  it('makes nobody answer for two', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB, CLEO])
    const { status, body } = await reassign(app, flowId, { from: ADA, to: 'BOB@x.com' })
    expect([status, body.error.code]).toEqual([409, 'WF_TRANSITION'])
    expect(body.message).toContain('already')
  })

  it('is for admins alone, and for the run that was looked at, as it was', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB])
    const version = await app.version(flowId)
    const body = { version, from: ADA, to: DAN }
    const path = `runs/${flowId}/reassign`
    expect((await app.ask('POST', path, body, { authorization: 'Bearer eve' })).status).toBe(403)
    expect((await app.ask('POST', path, body, { origin: 'https://evil.example' })).status).toBe(403)
    const moved = await app.post(path, { ...body, version: version - 1 })
    expect([moved.status, moved.body.error.code]).toEqual([409, 'WF_CONFLICT'])
    expect((await app.post('runs/nothing/reassign', body)).status).toBe(404)
    expect(await app.version(flowId)).toBe(version)
  })
})

describe('everything that somebody on holiday waits for', () => {
  it('goes to somebody else at once, and the preview says what is left alone', async () => {
    const app = await openPeople()
    const waits = [await app.asking([ADA, BOB]), await app.askingOne(ADA)]
    const answered = await app.asking([ADA, BOB])
    await app.vote(ADA, 'approve')
    const others = await app.asking([BOB, CLEO])
    await app.asking([ADA, DAN])
    const ended = await app.askingOne(ADA)
    await app.runs.cancel(ended)
    const asked = { action: 'reassign', select: {}, from: 'Ada@x.com', to: DAN }
    const { body } = await app.post('run-actions/preview', asked)
    expect(body).toMatchObject({ matched: 6, count: 2 })
    const left = Object.fromEntries(
      body.left.map((each: { reason: string; count: number }) => [each.reason, each.count]),
    )
    expect(left).toEqual({
      answered: 1,
      'asks-others': 1,
      'asked-already': 1,
      'asks-nobody': 1,
    })
    const wrong = await app.post('run-actions', { ...asked, count: 3 })
    expect([wrong.status, wrong.body.error.code, wrong.body.count]).toEqual([409, 'WF_CONFLICT', 2])
    const job = await app.act({ ...asked, count: 2, reason: 'back in August' })
    expect(job).toMatchObject({ kind: 'reassign', state: 'done', changed: 2, skipped: 0 })
    for (const flowId of waits) {
      expect(
        (await app.runs.history(flowId)).find(({ type }) => type === 'reassigned'),
      ).toMatchObject({
        actor: ACTOR,
        detail: { from: ADA, to: DAN, reason: 'back in August' },
      })
    }
    for (const flowId of [answered, others]) {
      expect((await app.runs.history(flowId)).map(({ type }) => type)).not.toContain('reassigned')
    }
    expect(app.mails.filter(({ target }) => target === DAN)).toHaveLength(3)
  })

  it('is one vote for each part, however many of one run they had', async () => {
    const app = await openPeople()
    const people = [{ id: 'boss', to: ADA }, { id: 'deputy', to: ADA }, { to: BOB }]
    const flowId = await app.asking(people)
    const runs = [{ flowId, version: await app.version(flowId) }]
    await app.act({ action: 'reassign', runs, from: ADA, to: DAN, count: 1 })
    expect((await app.shown(flowId)).asked.people).toMatchObject([
      { id: 'boss', to: DAN },
      { id: 'deputy', to: DAN },
      { to: BOB },
    ])
  })

  it.each([
    [{}],
    [{ from: ADA }],
    [{ to: DAN }],
    [{ from: '', to: DAN }],
    [{ from: [ADA], to: DAN }],
    [{ from: ADA, to: 'dan' }],
    [{ from: ADA, to: 'ADA@x.com' }],
    [{ from: ADA, to: DAN, user: '' }],
  ])('is refused for %j', async body => {
    const app = await openPeople()
    for (const path of ['run-actions', 'run-actions/preview']) {
      const asked = { action: 'reassign', select: {}, count: 0, ...body }
      expect((await app.post(path, asked)).status, path).toBe(400)
    }
  })

  it('is reminded: everybody who has not answered, by the link that they have', async () => {
    const app = await openPeople()
    const flowId = await app.asking([ADA, BOB, CLEO])
    await app.vote(ADA, 'approve')
    const runs = [{ flowId, version: await app.version(flowId) }]
    const resend = await openPeople({ resend: () => {} })
    await resend.asking([ADA, BOB])
    const { body } = await resend.post('run-actions/preview', { action: 'resend', select: {} })
    expect(body.left).toEqual([{ reason: 'asks-several', count: 1 }])
    await app.act({ action: 'remind', runs, count: 1 })
    const again = app.mails.slice(3)
    expect(again.map(({ target }) => target).toSorted()).toEqual([BOB, CLEO])
    const tokens = new Set(app.mails.map(({ token }) => token))
    expect(tokens.size).toBe(3)
  })
})
