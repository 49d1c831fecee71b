import { request } from 'node:http'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { scaled } from '../support/scale'
import { startSharedWorker, startWorkerApp, type WorkerApp } from '../support/worker-app'

let app: WorkerApp
beforeAll(async () => {
  app = await startSharedWorker()
})

const PASSWORD = 'a-long-enough-password'

/** The token in the newest mail to somebody, once it is there. */
function tokenFor(to: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const mails = await app.visitor().mails()
      const mail = mails.find(each => each.to === to && each.text.includes('#wfs='))
      if (!mail) throw new Error('It has not come.')
      return decodeURIComponent(/#wfs=(\S+)/u.exec(mail.text)![1]!)
    },
    { timeout: 10_000, interval: 50 },
  )
}

async function invite(email: string, role = 'member'): Promise<string> {
  const admin = await app.signIn('admin')
  const { body } = await admin.wf({ wfid: 'users/invite', input: { email, role } })
  expect(body).toMatchObject({ sent: true, outlet: 'email' })
  expect(JSON.stringify(body)).not.toContain('wfs')
  return tokenFor(email)
}

/** An expense that waits, and the token in the mail to the manager. */
async function submitExpense(reason: string, by: 'admin' | 'member' = 'member'): Promise<string> {
  const applicant = await app.signIn(by)
  const input = { amount: 42.5, reason }
  const { body } = await applicant.wf({ wfid: 'approvals/expense', input })
  expect(body).toMatchObject({ sent: true })
  return vi.waitFor(async () => {
    const mail = (await applicant.mails()).find(each => each.text.includes(`: ${reason}\n`))
    return decodeURIComponent(/#wfs=(\S+)/u.exec(mail!.text)![1]!)
  })
}

describe('the sign-in of the Worker', () => {
  it('takes the address, then the password', async () => {
    const visitor = app.visitor()
    const first = await visitor.wf({ wfid: 'auth/sign-in' })
    expect(first.body.inputRequired.payload.metadata['meta.label']).toBe('Sign in')
    const { body, headers } = await visitor.signIn('Member@Example.com ', 'member-password')
    expect(body).toEqual({ finished: true, message: 'Welcome, Mia Member.', next: '/' })
    expect(headers.get('set-cookie')).toMatch(/^session=\w{64}; HttpOnly; Path=\/; SameSite=Lax/u)
    expect(await visitor.user()).toMatchObject({ email: 'member@example.com', role: 'member' })
    await visitor.post('/api/sign-out')
    expect(await visitor.user()).toBeNull()
  })

  it('keeps what it knows in the token, and nothing in the database', async () => {
    const own = await startWorkerApp()
    const { body } = await own.visitor().wf({ wfid: 'auth/sign-in', input: { email: 'a@b.c' } })
    expect(body.wfs).toMatch(/^encapsulated\./u)
    for (const table of ['wf_runs', 'wf_run_links', 'wf_ledger', 'sessions']) {
      expect(await own.sql(`select * from ${table}`), table).toEqual([])
    }
  })

  it('answers a wrong password as it does an unknown account', async () => {
    const visitor = app.visitor()
    const wrong = await visitor.signIn('member@example.com', 'manager-password')
    const unknown = await visitor.signIn('nobody@example.com', 'manager-password')
    const said = { formMessage: 'The e-mail or the password is not right.' }
    expect(wrong.body.inputRequired.context).toMatchObject(said)
    expect(unknown.body.inputRequired.context).toMatchObject(said)
    expect(await visitor.user()).toBeNull()
  })

  it('counts tries in the database, whichever token they come with', async () => {
    const own = await startWorkerApp()
    const visitor = own.visitor()
    const { body } = await visitor.wf({
      wfid: 'auth/sign-in',
      input: { email: 'member@example.com' },
    })
    const statuses: number[] = []
    for (let tried = 0; tried < 11; tried++) {
      const { status } = await visitor.wf({ wfs: body.wfs, input: { password: `wrong ${tried}` } })
      statuses.push(status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200))
    expect(statuses[10]).toBe(429)
    const right = await visitor.wf({ wfs: body.wfs, input: { password: 'member-password' } })
    expect(right.status).toBe(429)
  })

  it('takes no token that was changed', async () => {
    const visitor = app.visitor()
    const { body } = await visitor.wf({ wfid: 'auth/sign-in', input: { email: 'a@example.com' } })
    const wfs = String(body.wfs)
    const changed = wfs.slice(0, 90) + (wfs[90] === 'A' ? 'B' : 'A') + wfs.slice(91)
    for (const token of [changed, `${wfs}A`, `${wfs}=`, wfs.slice(0, -1), 'encapsulated.', '']) {
      const { status } = await visitor.wf({ wfs: token, input: { password: 'x' } })
      expect([400, 410], token.slice(0, 20)).toContain(status)
    }
  })
})

describe('an invitation on D1', () => {
  it('is accepted by its link, by whoever has it, once', async () => {
    const wfs = await invite('grace@example.com', 'manager')
    const grace = app.visitor()
    for (let look = 0; look < 3; look++) {
      const peek = await grace.get(`/api/wf?wfs=${encodeURIComponent(wfs)}`)
      expect(peek.status).toBe(200)
    }
    const short = await grace.wf({ wfs, input: { name: 'Grace', password: 'short' } })
    expect(short.body.inputRequired.context.errors).toHaveProperty('password')
    const { body } = await grace.wf({ wfs, input: { name: 'Grace', password: PASSWORD } })
    expect(body).toMatchObject({ finished: true, message: 'Welcome, Grace.' })
    expect(await grace.user()).toMatchObject({ email: 'grace@example.com', role: 'manager' })
    const late = await app.visitor().wf({ wfs, input: { name: 'Eve', password: PASSWORD } })
    expect(late.status).toBe(410)
    expect(late.body.error.code).toBe('WF_USED')
    const again = app.visitor()
    expect((await again.signIn('grace@example.com', PASSWORD)).body).toMatchObject({
      finished: true,
    })
  })

  it('is accepted once by a double click, which is told the same', async () => {
    const wfs = await invite('twice@example.com')
    const input = { name: 'Twice', password: PASSWORD }
    const click = () => app.visitor().wf({ wfs, input, requestId: 'the-same-click-1' })
    const [one, two] = await Promise.all([click(), click()])
    const finished = [one, two].filter(({ body }) => body.finished)
    expect(finished.length, JSON.stringify([one!.body, two!.body])).toBeGreaterThan(0)
    const third = await click()
    expect(third.body.error?.code ?? 'finished').toMatch(/^(?:WF_FINISHED|finished)$/u)
    expect(await app.sql(`select id from users where email = 'twice@example.com'`)).toHaveLength(1)
  })

  it('says that it has expired', async () => {
    const wfs = await invite('late@example.com')
    await app.sql(
      `update wf_run_links set "expiresAt" = ? where "flowId" in
         (select "flowId" from wf_runs where "inviteEmail" = 'late@example.com')`,
      Date.now() - 1000,
    )
    const { status, body } = await app
      .visitor()
      .wf({ wfs, input: { name: 'L', password: PASSWORD } })
    expect(status).toBe(410)
    expect(body.error.code).toBe('WF_EXPIRED')
  })

  it('is for admins to send', async () => {
    for (const who of [app.visitor(), await app.signIn('member')]) {
      const input = { email: 'eve@example.com', role: 'admin' }
      const { status } = await who.wf({ wfid: 'users/invite', input })
      expect(status).toBe(403)
    }
  })

  it('stores no token that works', async () => {
    const wfs = await invite('dump@example.com')
    const handle = wfs.replace(/^durable\./u, '')
    for (const table of [
      'wf_runs',
      'wf_run_events',
      'wf_run_links',
      'wf_run_outbox',
      'wf_ledger',
    ]) {
      expect(JSON.stringify(await app.sql(`select * from ${table}`)), table).not.toContain(handle)
    }
  })
})

describe('an approval on D1', () => {
  it('is decided by the link in the mail, and told to the applicant', async () => {
    const wfs = await submitExpense('Books')
    const { body } = await app.visitor().wf({ wfs, input: { comment: 'Enjoy them.' } })
    expect(body).toMatchObject({ finished: true, data: { status: 'approved' } })
    const mails = await app.visitor().mails()
    const told = mails.filter(({ subject }) => subject === 'Approved: 42.50')
    expect(told).toMatchObject([{ to: 'member@example.com' }])
    expect(told[0]!.text).toContain('manager@example.com has approved 42.50 for "Books".')
  })

  it('is rejected by its action', async () => {
    const wfs = await submitExpense('A yacht')
    const { body } = await app.visitor().wf({ wfs, action: 'reject', input: {} })
    expect(body).toMatchObject({ finished: true, data: { status: 'rejected' } })
    const late = await app.visitor().wf({ wfs, input: {} })
    expect(late.body.error).toMatchObject({ code: 'WF_USED' })
  })

  it('is decided neither by whoever asks for it nor by a member', async () => {
    const wfs = await submitExpense('My own', 'admin')
    for (const name of ['admin', 'member'] as const) {
      const who = await app.signIn(name)
      const { status, text } = await who.wf({ wfs, input: {} })
      expect(status, text).toBe(403)
    }
    const manager = await app.signIn('manager')
    expect((await manager.wf({ wfs, input: {} })).body).toMatchObject({ finished: true })
  })

  it('has one winner of 50 racers on one link', async () => {
    for (let round = 0; round < scaled(1, 10); round++) {
      const wfs = await submitExpense(`Race ${round}`)
      const racers = Array.from({ length: 50 }, (_, at) =>
        app.visitor().wf({ wfs, input: { comment: `racer ${at}` } }),
      )
      const answers = await Promise.all(racers)
      const winners = answers.filter(({ body }) => body.finished)
      expect(winners).toHaveLength(1)
      for (const { status, body } of answers) {
        if (!body.finished) expect([409, 410], JSON.stringify(body)).toContain(status)
      }
      const mails = (await app.visitor().mails()).filter(({ text }) =>
        text.includes(`"Race ${round}"`),
      )
      expect(mails).toHaveLength(1)
    }
  })
})

describe('the door of the Worker', () => {
  const headers = { 'content-type': 'application/json' }
  const post = (body: string | Uint8Array) =>
    app.visitor().request('/api/wf', { method: 'POST', headers, body: body as string })

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['a prototype', '{"wfid":"auth/sign-in","input":{"__proto__":{"email":"a"}}}'],
    ['a token that is no text', '{"wfs":{"$ne":null}}'],
    ['a workflow that is no text', '{"wfid":["auth/sign-in"]}'],
    ['a workflow that is for nobody', '{"wfid":"news/deliver","input":{"left":["a@b.c"]}}'],
    ['a workflow that there is not', '{"wfid":"__proto__"}'],
    ['a foreign token', '{"wfs":"handle.00000000-0000-4000-8000-000000000000"}'],
    ['something deep', `{"wfid":"auth/sign-in","input":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['broken characters', Uint8Array.from([123, 34, 255, 254, 34, 58, 49, 125])],
  ])('refuses %s', async (_, body) => {
    const answer = await post(body)
    expect(answer.status).toBeGreaterThanOrEqual(200)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toMatch(/"finished"|\bat .*worker\.js|"wfs":"durable/u)
  })

  it('refuses what is too large', async () => {
    const status = await new Promise((resolve, reject) => {
      // On a connection of its own, which ends behind the refusal.
      request(`${app.url}/api/wf`, { method: 'POST', headers, agent: false }, answer =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end(`{"wfid":"auth/sign-in","x":"${'x'.repeat(3_000_000)}"}`)
    })
    expect(status).toBe(413)
  })

  it('refuses what a page of another site sends', async () => {
    const member = await app.signIn('member')
    const body = { wfid: 'approvals/expense', input: { amount: 1, reason: 'Not mine' } }
    const origin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await member.wf(body, origin)).status).toBe(403)
    expect((await member.post('/api/sign-out', {}, origin)).status).toBe(403)
    expect(await member.user()).toMatchObject({ role: 'member' })
  })

  it('serves the pages as assets, with headers that let nothing else in', async () => {
    for (const path of ['/', '/decide', '/app.js', '/style.css']) {
      const { status, headers } = await app.visitor().get(path)
      expect(status, path).toBe(200)
      expect(headers.get('content-security-policy'), path).toContain("script-src 'self'")
    }
    const missing = await app.visitor().get('/api/nothing')
    expect(missing.status).toBe(404)
    expect(missing.headers.get('cache-control')).toBe('no-store')
  })
})
