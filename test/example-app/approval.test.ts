import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { WfRunRow } from '../../example-app/schemas/WfRunRows.as'
import { type ExampleApp, startSharedApp, tokenIn } from '../support/example-app'
import {
  ADMIN,
  APPROVE,
  type Expenses,
  MANAGER,
  MEMBER,
  NOTED,
  openExpenses,
  QUEUED,
  REJECT,
  SECOND,
} from './expenses'

let app: ExampleApp
let all: Expenses
beforeAll(async () => {
  app = await startSharedApp()
  all = await openExpenses(app)
})

const answered = (...what: object[]) => what.map(entry => expect.objectContaining(entry))

describe('an expense under the limit', () => {
  it('is submitted, seen by both, decided by the link alone, and told by mail', async () => {
    const { member, manager, submit, mine, mailAbout } = all
    const start = await member.wf({ wfid: 'approvals/expense' })
    expect(start.body.inputRequired.payload.id).toBe('ExpenseForm')
    const wrong = await member.wf({ wfs: start.body.wfs, input: { amount: -1, reason: '' } })
    const { errors } = wrong.body.inputRequired.context
    expect(Object.keys(errors).toSorted()).toEqual(['amount', 'currency', 'reason'])
    const sent = await submit(42.5, 'Books', member, 'USD')
    expect(sent.body).toEqual({ ...QUEUED, watch: expect.stringMatching(/^[\w-]{32}$/u) })

    expect(await mine('Books')).toMatchObject({
      amount: 42.5,
      currency: 'USD',
      applicant: MEMBER,
      status: 'waiting',
      needed: 1,
      people: [{ to: MANAGER }],
      history: [],
      escalatesAt: expect.any(Number),
    })
    const mail = await mailAbout(MANAGER, 'Books')
    expect(mail.subject).toBe(`Please decide: 42.50 USD for ${MEMBER}`)
    const wfs = tokenIn(mail)
    const { body, text } = await manager.get('/api/approvals')
    expect(body.waiting).toMatchObject([{ reason: 'Books', applicant: MEMBER }])
    expect(text).not.toContain(wfs.slice('durable.'.length))

    // Whoever holds the link decides; no session is needed.
    const holder = app.visitor()
    const form = await holder.wf({ wfs })
    expect(form.body.inputRequired.payload.id).toBe('DecisionForm')
    expect(form.body.inputRequired.context).toMatchObject({ amount: 42.5, reason: 'Books' })
    expect(form.body.wfs, 'looking at it uses nothing').toBe(wfs)
    const end = await holder.wf({ wfs, action: 'approve', input: { comment: 'Fine.' } })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    const late = await holder.wf({ wfs })
    expect(late.status).toBe(410)
    const answer = { at: expect.any(Number) }
    expect(late.body.error).toMatchObject({ code: 'WF_USED', answered: answer })

    expect(await mine('Books')).toMatchObject({
      status: 'approved',
      history: answered({ by: MANAGER, what: 'approve', comment: 'Fine.' }),
      decidedAt: expect.any(Number),
    })
    expect(await all.waitingFor(manager)).not.toContain('Books')
    expect((await mailAbout(MEMBER, 'Books', 'Approved: 42.50 USD')).text).toContain('Fine.')
    await mailAbout(MANAGER, 'Books', 'Approved: 42.50 USD')
  })

  it('goes back and forth until it is decided', async () => {
    const { member, manager, submit, mine, mailAbout, mailsTo } = all
    expect((await submit(10, 'Taxi')).body).toMatchObject(QUEUED)
    for (const [round, question, reply] of [
      [1, 'Where to?', 'To the airport.'],
      [2, 'Why no train?', 'At 3 am?'],
    ] as const) {
      await expect.poll(() => mailsTo(MANAGER, 'Taxi')).toHaveLength(round)
      const wfs = tokenIn((await mailsTo(MANAGER, 'Taxi'))[0]!)
      const silent = await manager.wf({ wfs, input: {} })
      expect(silent.body.wfs, 'what is refused uses nothing').toBe(wfs)
      const { errors } = silent.body.inputRequired.context
      expect(errors).toEqual({ comment: 'What do you want to know?' })
      expect((await manager.wf({ wfs, input: { comment: question } })).body).toMatchObject(QUEUED)
      expect(await mine('Taxi')).toMatchObject({ status: 'asked' })
      expect(await all.waitingFor(manager)).not.toContain('Taxi')
      expect((await manager.wf({ wfs, ...APPROVE })).status, 'the round is over').toBe(410)

      const asked = await mailAbout(MEMBER, question, 'A question about your expense of 10.00 EUR')
      const form = await member.wf({ wfs: tokenIn(asked) })
      expect(form.body.inputRequired.payload.id).toBe('AnswerForm')
      const back = await member.wf({ wfs: form.body.wfs, input: { comment: reply } })
      expect(back.body).toMatchObject(QUEUED)
      expect(await mine('Taxi')).toMatchObject({ status: 'waiting', people: [{ to: MANAGER }] })
    }
    await expect.poll(() => mailsTo(MANAGER, 'Taxi')).toHaveLength(3)
    const last = (await mailsTo(MANAGER, 'Taxi'))[0]!
    expect(last.text).toContain('They have answered: At 3 am?')
    const form = await manager.wf({ wfs: tokenIn(last) })
    expect(form.body.inputRequired.context.history).toEqual(
      answered(
        { by: MANAGER, what: 'ask', comment: 'Where to?' },
        { by: MEMBER, what: 'answer', comment: 'To the airport.' },
        { by: MANAGER, what: 'ask' },
        { by: MEMBER, what: 'answer' },
      ),
    )
    const end = await manager.wf({ wfs: form.body.wfs, ...REJECT })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'rejected' } })
    await mailAbout(MEMBER, 'Taxi', 'Rejected: 10.00')
  })

  it('at the limit takes one', async () => {
    await all.submit(1000, 'Chair')
    const end = await all.manager.wf({ wfs: await all.linkTo(MANAGER, 'Chair'), ...APPROVE })
    expect(end.body.finished).toBe(true)
  })

  it('is never decided by the applicant, who may hold the link', async () => {
    await all.submit(5, 'Coffee')
    const wfs = await all.linkTo(MANAGER, 'Coffee')
    for (const body of [{ wfs }, { wfs, ...APPROVE }, { wfs, ...REJECT }]) {
      const { status, text } = await all.member.wf(body)
      expect(status).toBe(403)
      expect(text).not.toContain('Coffee')
    }
    const end = await all.manager.wf({ wfs, ...APPROVE })
    expect(end.body.finished).toBe(true)
  })

  it('is decided by another manager who got the link, under the own name, and by no member', async () => {
    await all.submit(6, 'Tea')
    const wfs = await all.linkTo(MANAGER, 'Tea')
    await all.admin.wf({
      wfid: 'users/invite',
      input: { email: 'eve@example.com', role: 'member' },
    })
    const eve = app.visitor()
    const invited = tokenIn(await app.mailTo('eve@example.com'))
    await eve.wf({ wfs: invited, input: { name: 'Eve', password: 'a-long-enough-password' } })
    expect((await eve.wf({ wfs, ...APPROVE })).status).toBe(403)
    const end = await all.second.wf({ wfs, ...APPROVE })
    expect(end.body.finished).toBe(true)
    expect((await all.mine('Tea')).history).toEqual(answered({ by: SECOND, what: 'approve' }))
  })

  it('of a manager goes to somebody else', async () => {
    expect((await all.submit(7, 'Pens', all.manager)).body).toMatchObject(QUEUED)
    await all.linkTo(SECOND, 'Pens')
    expect(await all.mailsTo(MANAGER, 'Pens')).toEqual([])
  })

  it('needs somebody who is signed in', async () => {
    expect((await all.submit(5, 'Nothing', app.visitor())).status).toBe(401)
    expect((await app.visitor().get('/api/approvals')).status).toBe(401)
  })

  it('is found by its shadow columns while it waits', async () => {
    await all.submit(77, 'Chess set')
    const space = openSqlite(`${app.dataDir}/app.db`)
    const filter = { amount: 77, applicant: MEMBER, asking: `<${MANAGER}>` }
    const count = await space.table(WfRunRow).count({ filter })
    await space.close()
    expect(count).toBe(1)
  })
})

describe('an expense over the limit', () => {
  it('takes two of three people, in any order, who must be signed in', async () => {
    const { submit, mine, linkTo, manager, second, admin } = all
    expect((await submit(1000.01, 'Laptop')).body).toMatchObject(QUEUED)
    const [first, other, third] = await Promise.all(
      [MANAGER, SECOND, ADMIN].map(person => linkTo(person, 'Laptop')),
    )
    for (const body of [{ wfs: first }, { wfs: first, ...APPROVE }]) {
      for (const visitor of [app.visitor(), second, all.member]) {
        const refused = await visitor.wf(body)
        expect([refused.status, refused.body.error.code]).toEqual([403, 'WF_WRONG_USER'])
        expect(refused.text).not.toContain('Laptop')
      }
    }
    expect((await admin.wf({ wfs: third, ...APPROVE })).body).toEqual(NOTED)
    expect(await mine('Laptop')).toMatchObject({
      status: 'waiting',
      needed: 2,
      people: [{ to: MANAGER }, { to: SECOND }, { to: ADMIN, action: 'approve' }],
      history: answered({ by: ADMIN, what: 'approve' }),
    })
    expect(await all.waitingFor(admin)).not.toContain('Laptop')
    expect((await admin.wf({ wfs: third, ...APPROVE })).body.error.code).toBe('WF_USED')
    const end = await manager.wf({ wfs: first, ...APPROVE })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    expect((await second.wf({ wfs: other, ...REJECT })).body.error.code).toBe('WF_USED')
    expect((await mine('Laptop')).history).toEqual(answered({ by: ADMIN }, { by: MANAGER }))
    for (const person of [MEMBER, MANAGER, SECOND, ADMIN]) {
      await all.mailAbout(person, 'Laptop', 'Approved: 1,000.01 EUR')
    }
  })

  it('is rejected when two of them say no', async () => {
    await all.submit(2000, 'Two laptops')
    const reject = async (person: string, visitor = all.manager) =>
      (await visitor.wf({ wfs: await all.linkTo(person, 'Two laptops'), ...REJECT })).body
    expect(await reject(MANAGER)).toEqual(NOTED)
    expect(await reject(SECOND, all.second)).toMatchObject({ data: { status: 'rejected' } })
  })

  it('keeps what was said when somebody asks in between', async () => {
    const { submit, linkTo, mine, manager, second, admin, member } = all
    await submit(3000, 'A server')
    const [first, other, third] = await Promise.all(
      [MANAGER, SECOND, ADMIN].map(person => linkTo(person, 'A server')),
    )
    expect((await manager.wf({ wfs: first, ...APPROVE })).body).toEqual(NOTED)
    await second.wf({ wfs: other, input: { comment: 'Where will it stand?' } })
    expect((await admin.wf({ wfs: third, ...APPROVE })).body.error.code).toBe('WF_USED')
    const question = await linkTo(MEMBER, 'Where will it stand?')
    await member.wf({ wfs: question, input: { comment: 'In the cellar.' } })
    expect(await mine('A server')).toMatchObject({ people: [{ to: SECOND }, { to: ADMIN }] })
    await expect.poll(() => all.mailsTo(ADMIN, 'A server')).toHaveLength(2)
    const end = await admin.wf({ wfs: await linkTo(ADMIN, 'In the cellar.'), ...APPROVE })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
  })

  it('of somebody who could decide asks the two others', async () => {
    await all.submit(7000, 'Gold pens', all.manager)
    const approve = async (person: string, visitor = all.second) =>
      (await visitor.wf({ wfs: await all.linkTo(person, 'Gold pens'), ...APPROVE })).body
    expect(await approve(SECOND)).toEqual(NOTED)
    expect(await approve(ADMIN, all.admin)).toMatchObject({ data: { status: 'approved' } })
  })
})

describe('a part in a decision', () => {
  it('is delegated: the link is dead at once, and the other one decides', async () => {
    const { submit, linkTo, mine, manager, second } = all
    await submit(21, 'A plant')
    const former = await linkTo(MANAGER, 'A plant')
    const delegate = (delegateTo: string) =>
      manager.wf({ wfs: former, action: 'delegate', input: { delegateTo, comment: 'On leave.' } })
    for (const [address, problem] of [
      ['', 'Who shall decide?'],
      [MEMBER, 'It is their own expense.'],
      [MANAGER, 'They are asked already.'],
      ['nobody@example.com', 'Nobody here has this address.'],
      ['second-manager@example.com, eve@example.com', 'Nobody here has this address.'],
    ]) {
      const { body } = await delegate(address!)
      expect(body.inputRequired?.context.errors).toEqual({ delegateTo: problem })
      expect(body.wfs).toBe(former)
    }
    expect((await delegate(` ${SECOND.toUpperCase()} `)).body).toEqual(NOTED)
    const dead = await manager.wf({ wfs: former, ...APPROVE })
    expect([dead.status, dead.body.error.code]).toEqual([410, 'WF_REVOKED'])
    expect(await mine('A plant')).toMatchObject({
      people: [{ to: SECOND }],
      history: answered({ by: MANAGER, what: 'delegate', to: SECOND, comment: 'On leave.' }),
    })
    expect(await all.waitingFor(manager)).not.toContain('A plant')
    expect(await all.waitingFor(second)).toContain('A plant')
    const end = await second.wf({ wfs: await linkTo(SECOND, 'A plant'), ...APPROVE })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    expect((await mine('A plant')).history.at(-1)).toMatchObject({ by: SECOND, what: 'approve' })
    await all.mailAbout(MANAGER, 'A plant', 'Approved: 21.00')
  })

  it('over the limit goes to somebody who must sign in as well, and is one of three', async () => {
    const { submit, linkTo, manager, second, admin } = all
    await admin.wf({ wfid: 'users/invite', input: { email: 'zoe@example.com', role: 'member' } })
    const zoe = app.visitor()
    const invited = tokenIn(await app.mailTo('zoe@example.com'))
    await zoe.wf({ wfs: invited, input: { name: 'Zoe', password: 'a-long-enough-password' } })
    await submit(4000, 'A sofa')
    const wfs = await linkTo(MANAGER, 'A sofa')
    const input = { delegateTo: 'zoe@example.com' }
    expect((await manager.wf({ wfs, action: 'delegate', input })).body).toEqual(NOTED)
    const hers = await linkTo('zoe@example.com', 'A sofa')
    expect((await app.visitor().wf({ wfs: hers, ...APPROVE })).status).toBe(403)
    expect((await zoe.wf({ wfs: hers, ...APPROVE })).body).toEqual(NOTED)
    const end = await second.wf({ wfs: await linkTo(SECOND, 'A sofa'), ...APPROVE })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
  })
})

describe('an expense that is withdrawn', () => {
  it('is decided by nobody any more: links die, those who were asked are told', async () => {
    const { submit, linkTo, mine, member, manager, admin } = all
    await submit(5000, 'A boat')
    const links = await Promise.all([MANAGER, ADMIN].map(person => linkTo(person, 'A boat')))
    expect((await manager.wf({ wfs: links[0], ...APPROVE })).body).toEqual(NOTED)
    const { id } = await mine('A boat')
    const path = `/api/approvals/${id}/withdraw`
    for (const [visitor, status] of [
      [app.visitor(), 401],
      [manager, 404],
      [admin, 404],
    ] as const) {
      expect((await visitor.post(path)).status).toBe(status)
    }
    expect((await member.post(path, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await member.post(path, { reason: 'x'.repeat(501) })).status).toBe(400)
    expect((await member.post(path, { reason: 'No sea here.' })).body).toEqual({ withdrawn: true })
    for (const [visitor, wfs] of [
      [manager, links[0]],
      [admin, links[1]],
    ] as const) {
      const { status, body } = await visitor.wf({ wfs, ...APPROVE })
      expect([status, body.error.code]).toEqual([410, 'WF_REVOKED'])
    }
    expect(await mine('A boat')).toMatchObject({
      status: 'withdrawn',
      history: answered({ by: MANAGER, what: 'approve' }),
    })
    expect((await member.post(path)).status, 'twice').toBe(404)
    for (const person of [MANAGER, SECOND, ADMIN]) {
      const { text } = await all.mailAbout(person, 'A boat', 'Withdrawn: 5,000.00 EUR')
      expect(text).toContain('Why: No sea here.')
    }
    expect(await all.mailsTo(MEMBER, 'A boat', 'Withdrawn')).toEqual([])
    const filter = encodeURIComponent(JSON.stringify({ expenseId: id }))
    const [run] = (await admin.get(`/api/admin/runs?filter=${filter}`)).body.runs
    expect(run).toMatchObject({ status: 'cancelled' })
    const { body } = await admin.get(`/api/admin/runs/${run.flowId}`)
    expect(body.history.at(-1)).toMatchObject({
      type: 'cancelled',
      actor: MEMBER,
      detail: { reason: 'No sea here.' },
    })
  })

  it('cannot be one that is decided', async () => {
    await all.submit(22, 'A lamp')
    const { id } = await all.mine('A lamp')
    await all.manager.wf({ wfs: await all.linkTo(MANAGER, 'A lamp'), ...APPROVE })
    expect((await all.member.post(`/api/approvals/${id}/withdraw`)).status).toBe(404)
    expect(await all.mine('A lamp')).toMatchObject({ status: 'approved' })
  })

  it('can be one whose applicant was asked something', async () => {
    await all.submit(23, 'A rug')
    const wfs = await all.linkTo(MANAGER, 'A rug')
    await all.manager.wf({ wfs, input: { comment: 'Which colour, by the way?' } })
    const question = await all.linkTo(MEMBER, 'Which colour, by the way?')
    const { id } = await all.mine('A rug')
    expect((await all.member.post(`/api/approvals/${id}/withdraw`)).status).toBe(200)
    const late = await all.member.wf({ wfs: question, input: { comment: 'Red.' } })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_REVOKED'])
    await all.mailAbout(MANAGER, 'A rug', 'Withdrawn: 23.00')
  })
})

it('mails that only tell something cannot be sent by a request', async () => {
  const context = { to: MEMBER, mail: { subject: 'x', text: 'x', html: 'x' } }
  const { status } = await all.admin.wf({ wfid: 'approvals/notice', input: context, context })
  expect(status).toBe(403)
})
