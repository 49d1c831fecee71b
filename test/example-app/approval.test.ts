import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { type ExampleApp, startSharedApp, tokenIn, type Visitor } from '../support/example-app'
import { WfStateRow } from '../../example-app/schemas/WfStateRow.as'

/** With what the page can watch it by. */
const SENT = /^\{"sent":true,"outlet":"email","watch":"[\w-]{32}"\}$/u
const MEMBER = 'member@example.com'
const MANAGER = 'manager@example.com'
const ADMIN = 'admin@example.com'
const APPROVE = { action: 'approve', input: {} }
const REJECT = { action: 'reject', input: {} }

let app: ExampleApp
let member: Visitor
let manager: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  member = app.visitor()
  manager = app.visitor()
  await member.signIn(MEMBER, 'member-password')
  await manager.signIn(MANAGER, 'manager-password')
})

const submit = (amount: number, reason: string, visitor = member) =>
  visitor.wf({ wfid: 'approvals/expense', input: { amount, reason } })

/** The token of the newest link that somebody got about this. */
const linkTo = async (email: string, reason: string): Promise<string> => {
  const find = async () =>
    (await app.mails()).find(({ to, text }) => to === email && text.includes(reason))
  await expect.poll(find).toBeDefined()
  return tokenIn((await find())!)
}

const mine = async (reason: string) =>
  (await member.get('/api/approvals')).body.mine.find(
    (one: { reason: string }) => one.reason === reason,
  )

describe('an expense', () => {
  it('is submitted, seen by both, decided by the link, and told by mail', async () => {
    const start = await member.wf({ wfid: 'approvals/expense' })
    expect(start.body.inputRequired.payload.id).toBe('ExpenseForm')
    const wrong = await member.wf({ wfs: start.body.wfs, input: { amount: -1, reason: '' } })
    expect(Object.keys(wrong.body.inputRequired.context.errors)).toEqual(['amount', 'reason'])
    const sent = await member.wf({ wfs: wrong.body.wfs, input: { amount: 42.5, reason: 'Books' } })
    expect(sent.text).toMatch(SENT)

    expect(await mine('Books')).toMatchObject({
      amount: 42.5,
      applicant: MEMBER,
      approver: MANAGER,
      status: 'waiting',
      history: [],
    })
    const { body, text } = await manager.get('/api/approvals')
    expect(body.mine).toEqual([])
    expect(body.waiting).toMatchObject([{ reason: 'Books', applicant: MEMBER }])
    const wfs = await linkTo(MANAGER, 'Books')
    expect(text).not.toContain(wfs)
    expect(text).not.toContain('handle')

    // Whoever holds the link decides; no session is needed.
    const holder = app.visitor()
    const form = await holder.wf({ wfs })
    expect(form.body.inputRequired.payload.id).toBe('DecisionForm')
    expect(form.body.inputRequired.context).toMatchObject({ amount: 42.5, reason: 'Books' })
    expect(form.body.wfs, 'looking at it uses nothing').toBe(wfs)
    const input = { comment: 'Fine.' }
    const end = await holder.wf({ wfs, action: 'approve', input })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    const late = await holder.wf({ wfs })
    expect(late.status).toBe(410)
    expect(late.body.error).toMatchObject({
      code: 'WF_USED',
      answered: { at: expect.any(Number) },
    })

    expect(await mine('Books')).toMatchObject({
      status: 'approved',
      history: [{ by: MANAGER, what: 'approve', comment: 'Fine.' }],
      decidedAt: expect.any(Number),
    })
    expect((await manager.get('/api/approvals')).body.waiting).toEqual([])
    const told = await app.mailTo(MEMBER, 'Approved: 42.50')
    expect(told.text).toContain('Fine.')
    await app.mailTo(MANAGER, 'Approved: 42.50')
  })

  it('goes back and forth until it is decided', async () => {
    expect((await submit(10, 'Taxi')).text).toMatch(SENT)
    for (const [question, answer] of [
      ['Where to?', 'To the airport.'],
      ['Why no train?', 'At 3 am?'],
    ]) {
      const wfs = await linkTo(MANAGER, 'Taxi')
      const form = await manager.wf({ wfs })
      const silent = await manager.wf({ wfs: form.body.wfs, input: {} })
      expect(silent.body.wfs, 'what is refused uses nothing').toBe(wfs)
      expect(silent.body.inputRequired.context.errors).toEqual({
        comment: 'What do you want to know?',
      })
      const input = { comment: question }
      expect((await manager.wf({ wfs: silent.body.wfs, input })).text).toMatch(SENT)
      expect(await mine('Taxi')).toMatchObject({ status: 'asked' })
      expect((await manager.get('/api/approvals')).body.waiting).toEqual([])

      const asked = await app.mailTo(MEMBER, 'A question about your expense of 10.00')
      expect(asked.text).toContain(question)
      const answering = await member.wf({ wfs: tokenIn(asked) })
      expect(answering.body.inputRequired.payload.id).toBe('AnswerForm')
      const back = await member.wf({ wfs: answering.body.wfs, input: { comment: answer } })
      expect(back.text).toMatch(SENT)
      expect(await mine('Taxi')).toMatchObject({ status: 'waiting' })
    }
    const wfs = await linkTo(MANAGER, 'Taxi')
    const form = await manager.wf({ wfs })
    expect(form.body.inputRequired.context.history).toMatchObject([
      { by: MANAGER, what: 'ask', comment: 'Where to?' },
      { by: MEMBER, what: 'answer', comment: 'To the airport.' },
      { by: MANAGER, what: 'ask' },
      { by: MEMBER, what: 'answer' },
    ])
    const end = await manager.wf({ wfs: form.body.wfs, ...REJECT })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'rejected' } })
    await app.mailTo(MEMBER, 'Rejected: 10.00')
  })

  it('over the limit takes a second person', async () => {
    await submit(1000.01, 'Laptop')
    const first = await manager.wf({ wfs: await linkTo(MANAGER, 'Laptop'), ...APPROVE })
    expect(first.text).toMatch(SENT)
    expect(await mine('Laptop')).toMatchObject({ status: 'waiting', approver: ADMIN })
    const wfs = await linkTo(ADMIN, 'Laptop')
    const twice = await manager.wf({ wfs, ...APPROVE })
    expect([twice.status, twice.body.message]).toEqual([
      403,
      expect.stringContaining('second person'),
    ])
    const second = await app.visitor().wf({ wfs, ...APPROVE })
    expect(second.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    expect((await mine('Laptop')).history).toMatchObject([{ by: MANAGER }, { by: ADMIN }])
    for (const person of [MEMBER, MANAGER, ADMIN]) await app.mailTo(person, 'Approved: 1,000.01')
  })

  it('goes on with whoever has not approved yet, also when the second one was faster', async () => {
    await submit(2000, 'Two laptops')
    const wfs = await linkTo(MANAGER, 'Two laptops')
    const admin = app.visitor()
    await admin.signInAdmin()
    const first = await admin.wf({ wfs, ...APPROVE })
    expect(first.text).toMatch(SENT)
    await expect.poll(() => mine('Two laptops')).toMatchObject({ approver: MANAGER })
    const mailed = async () =>
      (await app.mails()).filter(({ to, text }) => to === MANAGER && text.includes('Two laptops'))
    await expect.poll(async () => (await mailed()).length).toBe(2)
    const end = await app.visitor().wf({
      wfs: tokenIn((await mailed())[0]!),
      ...APPROVE,
    })
    expect(end.body.data.status).toBe('approved')
  })

  it('at the limit takes one', async () => {
    await submit(1000, 'Chair')
    const wfs = await linkTo(MANAGER, 'Chair')
    const end = await manager.wf({ wfs, ...APPROVE })
    expect(end.body.finished).toBe(true)
  })

  it('is never decided by the applicant, who may hold the link', async () => {
    await submit(5, 'Coffee')
    const wfs = await linkTo(MANAGER, 'Coffee')
    for (const body of [{ wfs }, { wfs, ...APPROVE }]) {
      const { status } = await member.wf(body)
      expect(status).toBe(403)
    }
    const end = await manager.wf({ wfs, ...APPROVE })
    expect(end.body.finished).toBe(true)
  })

  it('of a manager goes to somebody else, and is refused where there is nobody', async () => {
    expect((await submit(7, 'Pens', manager)).text).toMatch(SENT)
    await linkTo(ADMIN, 'Pens')
    const { body } = await submit(7000, 'Gold pens', manager)
    expect(body.inputRequired.context.errors.amount).toContain('2 people')
  })

  it('needs somebody who is signed in', async () => {
    expect((await submit(5, 'Nothing', app.visitor())).status).toBe(401)
    expect((await app.visitor().get('/api/approvals')).status).toBe(401)
  })

  it('is found by its shadow columns while it waits', async () => {
    await submit(77, 'Chess set')
    const space = openSqlite(`${app.dataDir}/app.db`)
    const filter = { amount: 77, applicant: MEMBER, approver: MANAGER }
    const count = await space.table(WfStateRow).count({ filter })
    await space.close()
    expect(count).toBe(1)
  })
})
