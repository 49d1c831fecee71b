import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ExampleApp,
  makeAdmin,
  startSharedApp,
  totpCode,
  Visitor,
  wrongCode,
} from '../support/example-app'

const WRONG = 'The e-mail or the password is not right.'
const STEP = 'inputRequired'

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp()
})

/** A new sign-in of the admin, at its second factor. */
async function atTheCode(visitor = app.visitor()) {
  const { body } = await visitor.signIn('admin@example.com', 'admin-password')
  expect(body[STEP].payload.id).toBe('AppCodeForm')
  return { visitor, wfs: body.wfs as string }
}

describe('a sign-in without a second factor', () => {
  it('shows its form, and ends with a session', async () => {
    const visitor = app.visitor()
    const { body } = await visitor.wf({ wfid: 'auth/login' })
    expect(body[STEP].payload.id).toBe('SignInForm')
    expect(body.wfs).toMatch(/^encapsulated\./u)
    const input = { email: ' Member@Example.com', password: 'member-password' }
    const end = await visitor.wf({ wfs: body.wfs, input })
    expect(end.body).toEqual({ finished: true, message: 'Welcome, Mia Member.', next: '/' })
    expect(await visitor.user()).toEqual({
      email: 'member@example.com',
      name: 'Mia Member',
      role: 'member',
      mfa: false,
    })
  })

  it('sets a cookie that scripts and other sites do not get', async () => {
    const { headers } = await app.visitor().signIn('member@example.com', 'member-password')
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/^session=[\w-]{43};/u)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Lax')
    expect(cookie).toContain('Path=/')
    expect(cookie).not.toContain('Secure')
  })

  it('ends the session that the browser had, and a sign-out ends the new one', async () => {
    const visitor = app.visitor()
    await visitor.signIn('member@example.com', 'member-password')
    const before = new Map(visitor.cookies)
    await visitor.signIn('manager@example.com', 'manager-password')
    const stale = app.visitor()
    for (const [name, value] of before) stale.cookies.set(name, value)
    expect(await stale.user()).toBeNull()
    const after = new Map(visitor.cookies)
    expect((await visitor.post('/api/logout')).status).toBeLessThan(300)
    expect(visitor.cookies.size).toBe(0)
    for (const [name, value] of after) visitor.cookies.set(name, value)
    expect(await visitor.user()).toBeNull()
  })

  it('cannot be replayed', async () => {
    const visitor = app.visitor()
    const { body } = await visitor.wf({ wfid: 'auth/login' })
    const input = { email: 'member@example.com', password: 'member-password' }
    expect((await visitor.wf({ wfs: body.wfs, input })).body.finished).toBe(true)
    expect((await visitor.wf({ wfs: body.wfs, input })).status).toBe(410)
  })
})

describe('a wrong password', () => {
  it('is answered as an unknown account is, in text, in status and about in time', async () => {
    const ask = async (email: string) => {
      const times: number[] = []
      const answers = new Set<string>()
      for (let tries = 0; tries < 3; tries++) {
        const begin = performance.now()
        const { status, body } = await app.visitor().signIn(email, 'not-the-password')
        times.push(performance.now() - begin)
        const { payload, context } = body[STEP]
        answers.add(JSON.stringify([status, payload.id, context]))
      }
      return { ms: Math.min(...times), answers: [...answers] }
    }
    const known = await ask('member@example.com')
    const unknown = await ask('nobody@example.com')
    const told = { errors: { __form: WRONG }, formMessage: WRONG }
    expect(known.answers).toEqual([JSON.stringify([200, 'SignInForm', told])])
    expect(unknown.answers).toEqual(known.answers)
    expect(unknown.ms).toBeGreaterThan(known.ms / 4)
    expect(unknown.ms).toBeLessThan(known.ms * 4)
  })

  it('is throttled per account and address, whether or not there is such an account', async () => {
    const flood = async (email: string) => {
      const tries = Array.from({ length: 13 }, () => app.visitor().signIn(email, 'guess'))
      return (await Promise.all(tries)).map(({ status }) => status).toSorted()
    }
    const refused = Array.from({ length: 3 }, () => 429)
    const allowed = Array.from({ length: 10 }, () => 200)
    expect(await flood('manager@example.com')).toEqual([...allowed, ...refused])
    expect(await flood('nobody-else@example.com')).toEqual([...allowed, ...refused])
    const right = await app.visitor().signIn('manager@example.com', 'manager-password')
    expect([right.status, right.body.message]).toEqual([
      429,
      expect.stringContaining('Too many tries'),
    ])
    // Others at the same address can sign in.
    const other = await app.visitor().signIn('member@example.com', 'member-password')
    expect(other.body.finished).toBe(true)
  })
})

describe('a second factor', () => {
  it('is asked for, and nobody is signed in without it', async () => {
    const { visitor, wfs } = await atTheCode()
    expect(visitor.cookies.size).toBe(0)
    const { body } = await visitor.wf({ wfs, input: { code: 'abc' } })
    expect(body[STEP].context.errors).toEqual({ code: 'A code has six digits.' })
    expect(await visitor.user()).toBeNull()
  })

  it('can be a code of one step ago, of now, or of one step ahead: each once', async () => {
    const tryCode = async (code: () => string) => {
      const { visitor, wfs } = await atTheCode()
      const { body } = await visitor.wf({ wfs, input: { code: code() } })
      return { body, user: await visitor.user() }
    }
    let last = ''
    for (const step of [-1, 0, 1]) {
      const { body, user } = await tryCode(() => (last = totpCode(step)))
      expect(body.finished, `step ${step}`).toBe(true)
      expect(user).toMatchObject({ role: 'admin', mfa: true })
    }
    for (const code of [() => last, () => totpCode(2), () => totpCode(-2)]) {
      const { body, user } = await tryCode(code)
      expect(body[STEP].context.errors.code).toContain('not right, or was used')
      expect(user).toBeNull()
    }
  })

  it('can be a recovery code, once, with or without its dash', async () => {
    const use = async (code: string) => {
      const { visitor, wfs } = await atTheCode()
      const { body } = await visitor.wf({ wfs, action: 'recovery' })
      expect(body[STEP].payload.id).toBe('RecoveryCodeForm')
      return (await visitor.wf({ wfs: body.wfs, input: { code } })).body
    }
    expect((await use('DEMO 0001')).finished).toBe(true)
    expect((await use('demo-0001'))[STEP].context.errors.code).toContain('used already')
    expect((await use('demo-0002')).finished).toBe(true)
  })

  it('can be a mailed code: the newest, once; resends are limited', async () => {
    const mailed = async () => {
      const { visitor, wfs } = await atTheCode()
      const { status, body } = await visitor.wf({ wfs, action: 'mail' })
      const { text } = await app.mailTo('admin@example.com', 'Your code')
      return { visitor, wfs, status, body, code: /\d{6}/u.exec(text)?.[0] }
    }
    const first = await mailed()
    expect(first.body[STEP].payload.id).toBe('MailedCodeForm')
    const { visitor, body, code } = await mailed()
    let { wfs } = body
    if (first.code !== code) {
      const older = await visitor.wf({ wfs, input: { code: first.code } })
      expect(older.body[STEP].context.errors.code).toContain('not right')
      wfs = older.body.wfs
    }
    expect((await visitor.wf({ wfs, input: { code } })).body.finished).toBe(true)

    await mailed()
    const fourth = await mailed()
    expect(fourth.status).toBe(429)
    // The flow is where it was, and other ways are open.
    const other = await fourth.visitor.wf({ wfs: fourth.wfs, action: 'recovery' })
    expect(other.body[STEP].payload.id).toBe('RecoveryCodeForm')
  })
})

describe('a form for a code', () => {
  let own: ExampleApp
  beforeAll(async () => {
    own = await startSharedApp()
  })
  const atTheCodeOf = async (visitor: Visitor) =>
    (await visitor.signIn('admin@example.com', 'admin-password')).body

  it('says whose account it is, without its address, and how many tries are left', async () => {
    const visitor = own.visitor()
    const { wfs, [STEP]: asked } = await atTheCodeOf(visitor)
    expect(asked.context).toEqual({
      account: 'a•••n@example.com',
      by: 'app',
      demoAccount: 'admin@example.com',
    })
    const { body } = await visitor.wf({ wfs, input: { code: wrongCode() } })
    expect(body[STEP].context.triesLeft).toBe(4)
    const other = await visitor.wf({ wfs: body.wfs, action: 'recovery' })
    expect(other.body[STEP].context).toMatchObject({ by: 'recovery', triesLeft: 4 })
  })

  it('tells the address of no account but those of the demo', async () => {
    const { email, password } = await makeAdmin(own)
    const admin = own.visitor()
    await admin.signIn(email, password)
    const { secret } = await admin.addSecondFactor(password)
    const { body } = await own.visitor().signIn(email, password)
    expect(body[STEP].context).toEqual({ account: 'r•••t@example.org', by: 'app' })
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('sends no second code for a while, and says so', async () => {
    const visitor = own.visitor()
    const { wfs } = await atTheCodeOf(visitor)
    const first = await visitor.wf({ wfs, action: 'mail' })
    const { resendAt } = first.body[STEP].context
    expect(resendAt).toBeGreaterThan(Date.now())
    const count = async () => (await own.mails()).filter(({ to }) => to.startsWith('admin@')).length
    const before = await count()
    const early = await visitor.wf({ wfs: first.body.wfs, action: 'mail' })
    expect(early.body[STEP].context.formMessage).toMatch(/^Please wait \d+ seconds/u)
    // Whoever comes back from another way goes on with the code that was sent.
    const away = await visitor.wf({ wfs: early.body.wfs, action: 'app' })
    const back = await visitor.wf({ wfs: away.body.wfs, action: 'mail' })
    expect(back.body[STEP].payload.id).toBe('MailedCodeForm')
    expect(await count()).toBe(before)
  })
})

describe('wrong codes', () => {
  it('end the flow at the fifth, and a new flow gives no new tries, not even to a right code', async () => {
    const { visitor, wfs } = await atTheCode()
    let token = wfs
    for (let tries = 1; tries < 5; tries++) {
      const { status, body } = await visitor.wf({ wfs: token, input: { code: wrongCode() } })
      expect([status, body[STEP]?.context.errors.code]).toEqual([
        200,
        expect.stringContaining('not right'),
      ])
      token = body.wfs
    }
    const fifth = await visitor.wf({ wfs: token, input: { code: wrongCode() } })
    expect(fifth.body).toMatchObject({ finished: true, aborted: true, reason: 'too-many-codes' })
    // Neither the tokens of that flow nor a new flow help.
    expect((await visitor.wf({ wfs, input: { code: totpCode() } })).status).toBe(410)
    const anew = await atTheCode()
    const refused = await anew.visitor.wf({ wfs: anew.wfs, input: { code: totpCode(1) } })
    expect(refused.body).toMatchObject({ aborted: true, reason: 'too-many-codes' })
    const byRecovery = await atTheCode()
    const { body } = await byRecovery.visitor.wf({ wfs: byRecovery.wfs, action: 'recovery' })
    const last = await byRecovery.visitor.wf({ wfs: body.wfs, input: { code: 'demo-0003' } })
    expect(last.body).toMatchObject({ aborted: true })
    expect(last.headers.getSetCookie()).toEqual([])
  })
})

describe('a code that is sent 20 times at once', () => {
  it('signs in once', async () => {
    const { url } = await startSharedApp()
    const visitors = Array.from({ length: 20 }, () => new Visitor(url))
    const begin = (some: readonly Visitor[]) =>
      Promise.all(some.map(visitor => visitor.signIn('admin@example.com', 'admin-password')))
    // As many at once as an account has tries at its password.
    const begun = [...(await begin(visitors.slice(0, 10))), ...(await begin(visitors.slice(10)))]
    const code = totpCode()
    const answers = await Promise.all(
      visitors.map((visitor, index) =>
        visitor.wf({ wfs: begun[index]?.body.wfs, input: { code } }),
      ),
    )
    const signedIn = answers.filter(({ headers }) => headers.getSetCookie().length > 0)
    expect(signedIn).toHaveLength(1)
    expect(signedIn[0]?.body.finished).toBe(true)
  })
})
