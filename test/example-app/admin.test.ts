import { beforeAll, describe, expect, it } from 'vitest'
import { seedExpense } from '../e2e/seed-flows'
import { type ExampleApp, startSharedApp, tokenIn, type Visitor } from '../support/example-app'

let app: ExampleApp
let admin: Visitor
let member: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = app.visitor()
  await admin.signInAdmin()
  const input = { email: 'ida@example.com', role: 'manager' }
  await admin.wf({ wfid: 'users/invite', input })
  member = app.visitor()
  await member.signIn('member@example.com', 'member-password')
  const expense = { amount: 12, currency: 'EUR', reason: 'Lunch' }
  await member.wf({ wfid: 'approvals/expense', input: expense })
  await seedExpense(app, 13)
})

// oxlint-disable-next-line typescript/no-explicit-any -- the JSON of an answer
type Json = any

const find = async (filter: object) => {
  const query = encodeURIComponent(JSON.stringify(filter))
  return (await admin.get(`/api/admin/flows?filter=${query}`)).body.rows[0]
}

const findRun = async (filter: object) => {
  const query = encodeURIComponent(JSON.stringify(filter))
  return (await admin.get(`/api/admin/runs?filter=${query}`)).body.runs[0]
}

describe('the admin console', () => {
  it('finds flows by their shadow columns, without a token', async () => {
    const row = await find({ applicant: 'member@example.com' })
    expect(row).toMatchObject({ status: 'live', values: { amount: 13 } })
    const { body, text } = await admin.get(`/api/admin/flows/${row.id}`)
    expect(body).toMatchObject({ schemaId: 'approvals/expense', stepId: 'approvals/decide' })
    expect(text).not.toContain('sha256:')
  })

  it('finds the run of an expense by its applicant, without a token', async () => {
    const { flowId, ...run } = await findRun({ applicant: 'member@example.com' })
    expect(run).toMatchObject({ status: 'paused', values: { amount: 12, currency: 'EUR' } })
    const { body, text } = await admin.get(`/api/admin/runs/${flowId}`)
    expect(body).toMatchObject({ schemaId: 'approvals/expense', stepId: 'approvals/decide' })
    const token = tokenIn(await app.mailTo('manager@example.com'))
    expect(text).not.toContain(token.slice('durable.'.length))
  })

  it('finds runs by theirs, with their history and without a token', async () => {
    const run = await findRun({ inviteEmail: 'ida@example.com' })
    expect(run).toMatchObject({ status: 'paused', values: { inviteRole: 'manager' } })
    const { body, text } = await admin.get(`/api/admin/runs/${run.flowId}`)
    expect(body).toMatchObject({
      schemaId: 'users/invite',
      stepId: 'users/acceptance',
      recipient: 'ida@example.com',
      expiresAt: expect.any(Number),
    })
    // What became of the mail comes behind that, once it has arrived.
    expect(body.history.slice(0, 4).map(({ type, actor }: Json) => [type, actor])).toEqual([
      ['workflow_created', 'admin@example.com'],
      ['step_started', 'admin@example.com'],
      ['step_completed', 'admin@example.com'],
      ['paused', 'admin@example.com'],
    ])
    const token = tokenIn(await app.mailTo('ida@example.com'))
    expect(text).not.toContain(token.slice('durable.'.length))
  })

  it('sends a link again: the new one works, the old one is dead', async () => {
    const old = tokenIn(await app.mailTo('ida@example.com'))
    const { flowId, version } = await findRun({ inviteEmail: 'ida@example.com' })
    const sent = await admin.post(`/api/admin/runs/${flowId}/resend`, { version })
    expect(sent.body).toMatchObject({ sent: true })
    const fresh = tokenIn(await app.mailTo('ida@example.com'))
    expect(fresh).not.toBe(old)
    const ida = app.visitor()
    const late = await ida.wf({ wfs: old })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_SUPERSEDED'])
    expect((await ida.wf({ wfs: fresh })).body.inputRequired.payload.id).toBe('AcceptForm')
  })

  it('sends no link where a run or a flow waits for a form', async () => {
    await admin.wf({ wfid: 'users/invite' })
    const run = await findRun({ inviteEmail: null })
    const refused = await admin.post(`/api/admin/runs/${run.flowId}/resend`, run)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('a form')])
    const { id, version } = await find({ schemaId: 'approvals/expense' })
    const other = await admin.post(`/api/admin/flows/${id}/resend`, { version })
    expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('a form')])
  })

  it('cancels an invitation: its link is dead, and its history says who has done it', async () => {
    await admin.wf({ wfid: 'users/invite', input: { email: 'eve@example.com', role: 'member' } })
    const wfs = tokenIn(await app.mailTo('eve@example.com'))
    const { flowId, version } = await findRun({ inviteEmail: 'eve@example.com' })
    const reason = 'the wrong Eve'
    await admin.post(`/api/admin/runs/${flowId}/cancel`, { version, reason })
    const late = await app
      .visitor()
      .wf({ wfs, input: { name: 'Eve', password: 'a-long-password' } })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_REVOKED'])
    const { body } = await admin.get(`/api/admin/runs/${flowId}`)
    expect(body.history.find(({ type }: Json) => type === 'cancelled')).toMatchObject({
      actor: 'admin@example.com',
      detail: { reason },
    })
  })

  it('hides what a recovery knows of the password', async () => {
    const input = { email: 'member@example.com' }
    await app.visitor().wf({ wfid: 'auth/recover', input })
    const { id } = await find({ schemaId: 'auth/recover' })
    const { body } = await admin.get(`/api/admin/flows/${id}`)
    expect(body.context).toMatchObject({ email: 'member@example.com', passwordMark: '•••' })
  })

  it.each(['anonymous', 'member', 'manager'])('is not for %s, on any route', async role => {
    const visitor = app.visitor()
    if (role !== 'anonymous') await visitor.signIn(`${role}@example.com`, `${role}-password`)
    const { id, version } = await find({ schemaId: 'approvals/expense' })
    const { flowId } = await findRun({ schemaId: 'users/invite' })
    const flows = ['columns', 'flows', `flows/${id}`, 'counts', 'jobs', 'jobs/x']
    const reads = [...flows, 'run-columns', 'runs', `runs/${flowId}`]
    for (const path of reads) {
      expect((await visitor.get(`/api/admin/${path}`)).status, path).toBe(403)
    }
    for (const path of ['revoke', 'extend', 'resend'].map(act => `flows/${id}/${act}`)) {
      expect((await visitor.post(`/api/admin/${path}`, { version })).status, path).toBe(403)
    }
    for (const path of ['cancel', 'retry', 'extend', 'resend', 'messages/m/resend'].map(
      act => `runs/${flowId}/${act}`,
    )) {
      expect((await visitor.post(`/api/admin/${path}`, { version })).status, path).toBe(403)
    }
    for (const path of ['heal', 'cleanup']) {
      expect((await visitor.post(`/api/admin/${path}`)).status, path).toBe(403)
    }
  })

  it('is not for pages of other sites', async () => {
    const origin = 'https://evil.example'
    expect((await admin.post('/api/admin/cleanup', {}, { origin })).status).toBe(403)
    expect((await admin.post('/api/admin/cleanup', {}, { origin: app.url })).status).toBe(202)
  })
})
