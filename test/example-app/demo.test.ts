import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ExampleApp,
  makeAdmin,
  startExampleApp,
  startSharedApp,
  tokenIn,
  Visitor,
} from '../support/example-app'

const DEMO = ['admin', 'manager', 'member']
const TEA = { amount: 5, currency: 'EUR', reason: 'Tea' }
const NOWHERE = 'smtp://127.0.0.1:1'

const messageOf = (body: { inputRequired: { context: { formMessage: string } } }) =>
  body.inputRequired.context.formMessage

/** The application as a demo, with links and sessions that are still good when it is stopped. */
async function useAsDemo(app: ExampleApp) {
  const account = await makeAdmin(app)
  const member = app.visitor()
  await member.signIn('member@example.com', 'member-password')
  await member.wf({ wfid: 'approvals/expense', input: TEA })
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
    const decided = await app.visitor().wf({ wfs: decision, action: 'approve', input: {} })
    expect(decided.status).toBe(403)
  })

  it('lets in whoever was invited, who asks none of the accounts to decide', async () => {
    const admin = app.visitor()
    const { email, password } = before.account
    expect((await admin.signIn(email, password)).body.finished).toBe(true)
    const expense = { wfid: 'approvals/expense', input: TEA }
    const { body } = await admin.wf(expense)
    expect(body.inputRequired.context.errors.amount).toContain('1 people')
    const invite = { wfid: 'users/invite', input: { email: 'ida@example.org', role: 'member' } }
    expect((await admin.wf(invite)).body).toMatchObject({ sent: true, queued: true })
  })
})

describe('a demo whose mails go elsewhere', () => {
  it('has no inbox, and stays at its form when a code cannot be mailed', async () => {
    const app = await startExampleApp({ SMTP_URL: NOWHERE, TRUST_PROXY: '1' })
    const visitor = app.visitor()
    expect((await visitor.get('/api/me')).body.demo).toMatchObject({ hasInbox: false })
    expect((await visitor.get('/api/inbox')).status).toBe(404)
    expect(app.output()).toContain('whoever reaches the proxy can sign in with these accounts')
    const { body } = await visitor.signIn('admin@example.com', 'admin-password')
    const failed = await visitor.wf({ wfs: body.wfs, action: 'mail' })
    expect([failed.status, failed.body.inputRequired.payload.id]).toEqual([200, 'AppCodeForm'])
    expect(messageOf(failed.body)).toContain('could not be sent')
    const next = await visitor.wf({ wfs: failed.body.wfs, action: 'recovery' })
    expect(next.body.inputRequired.payload.id).toBe('RecoveryCodeForm')
    expect(app.output()).toContain('A mail could not be sent:')
    expect(app.output()).not.toContain('Your code')
  })
})
