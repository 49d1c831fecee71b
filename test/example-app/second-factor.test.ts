import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ExampleApp,
  startSharedApp,
  tokenIn,
  totpCode,
  type Visitor,
  wrongCode,
} from '../support/example-app'

const STEP = 'inputRequired'
const WFID = 'auth/second-factor'
const MEMBER = { email: 'member@example.com', password: 'member-password' }
const MANAGER = { email: 'manager@example.com', password: 'manager-password' }

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = app.visitor()
  await admin.signInAdmin()
})

async function signedIn({ email, password }: typeof MEMBER): Promise<Visitor> {
  const visitor = app.visitor()
  await visitor.signIn(email, password)
  return visitor
}

describe('a second factor', () => {
  it('is added by an admin who was invited, and asked for from then on', async () => {
    const { email, password } = await invited('root@example.org')
    const root = await signedIn({ email, password })
    expect(await root.user()).toMatchObject({ role: 'admin', mfa: false })
    const { secret, uri, recoveryCodes } = await root.addSecondFactor(password)
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toMatch(/^otpauth:\/\/totp\//u)
    expect(new Set(recoveryCodes).size).toBe(8)
    expect(await root.user()).toMatchObject({ mfa: true })
    await app.mailTo(email, 'Your account has a second factor')

    const later = app.visitor()
    const { body } = await later.signIn(email, password)
    expect(body[STEP].payload.id).toBe('AppCodeForm')
    // The code that has confirmed it is used.
    const again = await later.wf({ wfs: body.wfs, input: { code: totpCode(0, secret) } })
    const { wfs } = again.body
    const end = await later.wf({ wfs, input: { code: totpCode(1, secret) } })
    expect(end.body.finished).toBe(true)

    const lost = app.visitor()
    const start = await lost.signIn(email, password)
    const form = await lost.wf({ wfs: start.body.wfs, action: 'recovery' })
    const input = { code: recoveryCodes[3] }
    expect((await lost.wf({ wfs: form.body.wfs, input })).body.finished).toBe(true)
  })

  it('is added once: who comes second is told', async () => {
    const member = await signedIn(MEMBER)
    const { password } = MEMBER
    const begin = () => member.wf({ wfid: WFID, input: { password } })
    const [one, other] = await Promise.all([begin(), begin()])
    const confirm = ({ body }: typeof one, step: number) =>
      member.wf({ wfs: body.wfs, input: { code: totpCode(step, body[STEP].context.secret) } })
    const ends = await Promise.all([confirm(one, 0), confirm(other, 1)])
    expect(ends.map(({ body }) => body.finished)).toEqual([true, true])
    expect(ends.filter(({ body }) => body.data?.recoveryCodes?.length === 8)).toHaveLength(1)
    expect(ends.filter(({ body }) => body.reason === 'has-one')).toHaveLength(1)
    expect((await begin()).body).toMatchObject({ aborted: true, reason: 'has-one' })
  })

  it('takes the password, a code that is right, and the same person', async () => {
    const manager = await signedIn(MANAGER)
    const wrong = await manager.wf({ wfid: WFID, input: { password: 'not-it' } })
    expect(wrong.body[STEP].context.errors.password).toBe('This is not your password.')
    expect(wrong.text).not.toContain('secret')
    const { password } = MANAGER
    const begun = await manager.wf({ wfs: wrong.body.wfs, input: { password } })
    const { secret } = begun.body[STEP].context
    const input = { code: totpCode(0, secret) }
    for (const [visitor, status] of [
      [app.visitor(), 401],
      [admin, 403],
    ] as const) {
      expect((await visitor.wf({ wfs: begun.body.wfs, input })).status).toBe(status)
    }
    const guess = await manager.wf({ wfs: begun.body.wfs, input: { code: wrongCode() } })
    expect(guess.body[STEP].context.errors.code).toContain('not right')
    expect(await manager.user()).toMatchObject({ mfa: false })
    const end = await manager.wf({ wfs: guess.body.wfs, input })
    expect(end.body.finished).toBe(true)
  })

  it('needs somebody who is signed in, also to see the form', async () => {
    const nobody = app.visitor()
    expect((await nobody.get(`/api/wf?wfid=${WFID}`)).status).toBe(401)
    expect((await nobody.wf({ wfid: WFID })).status).toBe(401)
  })

  it('stays at its form after many wrong codes, which count', async () => {
    const { email, password } = await invited('ida@example.org')
    const ida = await signedIn({ email, password })
    const begun = await ida.wf({ wfid: WFID, input: { password } })
    let { wfs } = begun.body
    for (let tries = 0; tries < 10; tries++) {
      const guess = await ida.wf({ wfs, input: { code: '000000' } })
      expect(guess.status).toBe(200)
      wfs = guess.body.wfs
    }
    const code = totpCode(0, begun.body[STEP].context.secret)
    expect((await ida.wf({ wfs, input: { code } })).status).toBe(429)
  })
})

/** An admin who was invited. */
async function invited(email: string) {
  await admin.wf({ wfid: 'users/invite', input: { email, role: 'admin' } })
  const password = 'a-password-of-my-own'
  const wfs = tokenIn(await app.mailTo(email))
  await app.visitor().wf({ wfs, input: { name: 'Ida', password } })
  return { email, password }
}
