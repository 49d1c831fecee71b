import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ExampleApp,
  makeAdmin,
  startSharedApp,
  tokenIn,
  Visitor,
} from '../support/example-app'

const DEMO = ['admin', 'manager', 'member']

const messageOf = (body: { inputRequired: { context: { formMessage: string } } }) =>
  body.inputRequired.context.formMessage

/** The application as a demo, with links and sessions that are still good when it is stopped. */
async function useAsDemo(app: ExampleApp) {
  const account = await makeAdmin(app)
  const member = app.visitor()
  await member.signIn('member@example.com', 'member-password')
  await member.wf({ wfid: 'approvals/expense', input: { amount: 5, reason: 'Tea' } })
  const decision = tokenIn(await app.mailTo('manager@example.com', 'Please decide'))
  await app.visitor().wf({ wfid: 'auth/recover', input: { email: 'manager@example.com' } })
  const recovery = tokenIn(await app.mailTo('manager@example.com', 'password'))
  expect(await member.user()).not.toBeNull()
  return { account, member, decision, recovery }
}

// By a proxy that lets requests look as if somebody sat here: to a loopback name, and no word of it.
describe('a demo that goes public behind a proxy which hides itself', () => {
  let app: ExampleApp
  let before: Awaited<ReturnType<typeof useAsDemo>>
  beforeAll(async () => {
    const demo = await startSharedApp()
    before = await useAsDemo(demo)
    await demo.stop()
    const DATA_DIR = demo.dataDir
    app = await startSharedApp({ DATA_DIR, PUBLIC_URL: 'https://app.example.com' })
  })

  it('shows no passwords, and has no inbox', async () => {
    const visitor = app.visitor()
    expect((await visitor.get('/api/me')).text).toBe('{"user":null}')
    expect((await visitor.get('/api/inbox')).status).toBe(404)
    expect(app.output()).not.toMatch(/(?:admin|manager|member)-password|JBSWY3DPEHPK3PXP/u)
  })

  it('says at its start what is off, and what is missing', () => {
    expect(app.output()).toContain('there are no demo accounts and no inbox')
    expect(app.output()).toContain('SMTP_URL is missing, so no mail can be sent')
  })

  it.each(DEMO)('lets %s in no more, neither by password nor by session', async name => {
    const answer = await app.visitor().signIn(`${name}@example.com`, `${name}-password`)
    expect(messageOf(answer.body)).toContain('not right')
    const later = new Visitor(app.url)
    for (const [key, value] of before.member.cookies) later.cookies.set(key, value)
    expect(await later.user()).toBeNull()
  })

  it('makes nothing of the links of its accounts', async () => {
    const password = 'another-long-password'
    const { recovery, decision } = before
    const recovered = await app.visitor().wf({ wfs: recovery, input: { password } })
    expect(recovered.body).toMatchObject({ finished: true, aborted: true })
    const decided = await app.visitor().wf({ wfs: decision, input: { decision: 'approve' } })
    expect(decided.status).toBe(403)
  })

  it('lets in whoever was invited, who asks none of the accounts to decide', async () => {
    const admin = app.visitor()
    const { email, password } = before.account
    expect((await admin.signIn(email, password)).body.finished).toBe(true)
    const expense = { wfid: 'approvals/expense', input: { amount: 5, reason: 'Tea' } }
    const { body } = await admin.wf(expense)
    expect(body.inputRequired.context.errors.amount).toContain('1 people')
    const invite = { wfid: 'users/invite', input: { email: 'ida@example.org', role: 'member' } }
    expect((await admin.wf(invite)).body.error.code).toBe('WF_OUTLET_FAILED')
  })
})
