import { describe, expect, it, onTestFinished } from 'vitest'
import { testEngines } from '../support/databases'
import { startExampleApp, tokenIn } from '../support/example-app'

// SQLite is what all other tests run on.
const servers = testEngines().filter(({ name }) => name !== 'SQLite')

describe.each(servers)('the application on $name', ({ create }) => {
  it('signs in, invites and approves', async () => {
    const database = await create()
    onTestFinished(() => database.drop())
    const app = await startExampleApp({ DATABASE_URL: database.url })
    const admin = app.visitor()
    expect((await admin.signInAdmin()).body.finished).toBe(true)
    const input = { email: 'ida@example.com', role: 'manager' }
    const sent = await admin.wf({ wfid: 'users/invite', input })
    expect(sent.body).toEqual({
      sent: true,
      outlet: 'email',
      queued: true,
      watch: expect.any(String),
    })
    const wfs = tokenIn(await app.mailTo('ida@example.com'))
    const ida = app.visitor()
    const accepted = await ida.wf({ wfs, input: { name: 'Ida', password: 'a-long-password' } })
    expect(accepted.body.finished).toBe(true)
    expect(await ida.user()).toMatchObject({ name: 'Ida', role: 'manager' })

    const expense = { amount: 12, currency: 'CHF', reason: 'Lunch' }
    await ida.wf({ wfid: 'approvals/expense', input: expense })
    const [pending] = (await ida.get('/api/approvals')).body.mine
    expect(pending).toMatchObject({
      ...expense,
      status: 'waiting',
      people: [{ to: 'manager@example.com' }],
    })
    const link = tokenIn(await app.mailTo('manager@example.com', 'Please decide'))
    const end = await app.visitor().wf({ wfs: link, action: 'approve', input: {} })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    const [decided] = (await ida.get('/api/approvals')).body.mine
    expect(decided).toMatchObject({ ...expense, status: 'approved' })
    expect(await app.stop()).toEqual([0, null])
  })
})
