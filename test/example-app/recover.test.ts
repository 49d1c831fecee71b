import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleApp, startSharedApp, tokenIn } from '../support/example-app'

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp()
})

const recover = (email: string) => app.visitor().wf({ wfid: 'auth/recover', input: { email } })

const mailsTo = async (email: string) =>
  (await app.mails()).filter(({ to, subject }) => to === email && subject === 'Set a new password')

describe('the recovery of a password', () => {
  it('answers the same for an account that exists and for one that does not', async () => {
    const ask = async (email: string) => {
      const begin = performance.now()
      const { status, text } = await recover(email)
      return { ms: performance.now() - begin, status, text }
    }
    const known = await ask('manager@example.com')
    expect(known.text).toBe('{"sent":true,"outlet":"email"}')
    // A machine may be slow for a moment; what is slow is so each time.
    const times: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      const { ms, ...answer } = await ask('nobody@example.com')
      expect(answer).toEqual({ status: known.status, text: known.text })
      times.push(ms)
    }
    expect(Math.min(...times)).toBeLessThan(5 * known.ms + 250)
    await app.mailTo('manager@example.com')
    expect(await mailsTo('nobody@example.com')).toEqual([])
  })

  it('sets a new password, and ends all sessions of the account and its other links', async () => {
    const member = app.visitor()
    await member.signIn('member@example.com', 'member-password')
    await recover('member@example.com')
    const other = tokenIn(await app.mailTo('member@example.com'))
    await recover(' Member@example.com'.trim())
    await expect.poll(() => mailsTo('member@example.com')).toHaveLength(2)
    const mail = await app.mailTo('member@example.com')
    expect(mail.text).toContain('/recover?wfs=handle.')
    const wfs = tokenIn(mail)

    const elsewhere = app.visitor()
    const { body } = await elsewhere.wf({ wfs })
    expect(body.inputRequired.payload.id).toBe('NewPasswordForm')
    const input = { password: 'a-new-long-password' }
    const end = await elsewhere.wf({ wfs: body.wfs, input })
    expect(end.body).toMatchObject({ finished: true, next: '/sign-in' })
    expect(elsewhere.cookies.size).toBe(0)

    expect(await member.user()).toBeNull()
    const old = await app.visitor().signIn('member@example.com', 'member-password')
    expect(old.body.finished).toBeUndefined()
    const fresh = await app.visitor().signIn('member@example.com', 'a-new-long-password')
    expect(fresh.body.finished).toBe(true)
    expect((await app.visitor().wf({ wfs, input })).status).toBe(410)
    const late = await app.visitor().wf({ wfs: other, input: { password: 'another-password' } })
    expect(late.body).toMatchObject({ aborted: true, reason: 'password-changed' })
    await app.mailTo('member@example.com', 'Your password was changed')
  })

  it('takes every address that can be invited', async () => {
    const email = 'grace.o_hopper+x@sub-domain.example.org'
    const admin = app.visitor()
    await admin.signInAdmin()
    await admin.wf({ wfid: 'users/invite', input: { email, role: 'member' } })
    const wfs = tokenIn(await app.mailTo(email))
    await app.visitor().wf({ wfs, input: { name: 'Grace', password: 'a-long-enough-password' } })
    expect((await recover(email)).text).toBe('{"sent":true,"outlet":"email"}')
    expect(tokenIn(await app.mailTo(email, 'Set a new password'))).toMatch(/^handle\./u)
  })

  it('mails an account three times in a quarter of an hour, and says nothing of it', async () => {
    const answers = []
    for (let times = 0; times < 5; times++) answers.push((await recover('admin@example.com')).text)
    expect(new Set(answers)).toEqual(new Set(['{"sent":true,"outlet":"email"}']))
    // Mails come in the order of requests, so this one is behind all of them.
    await recover('manager@example.com')
    await expect.poll(() => mailsTo('manager@example.com')).toHaveLength(2)
    expect(await mailsTo('admin@example.com')).toHaveLength(3)
  })

  it('does not get past the second factor', async () => {
    const wfs = tokenIn(await app.mailTo('admin@example.com'))
    const input = { password: 'another-admin-password' }
    const visitor = app.visitor()
    expect((await visitor.wf({ wfs, input })).body.finished).toBe(true)
    expect(await visitor.user()).toBeNull()
    const { body } = await visitor.signIn('admin@example.com', 'another-admin-password')
    expect(body.inputRequired.payload.id).toBe('AppCodeForm')
  })

  it('asks for something that looks like an address', async () => {
    const { body } = await recover('nobody')
    expect(body.inputRequired.context.errors.email).toBeTruthy()
  })
})
