import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { type ExampleApp, startSharedApp, tokenIn, type Visitor } from '../support/example-app'
import { WfEventRow, WfLinkRow, WfRunRow } from '../../example-app/schemas/WfRunRows.as'
import { WfStateRow } from '../../example-app/schemas/WfStateRow.as'
import OLD from '../fixtures/example-app/invitations-on-handles.json'

const PASSWORD = 'a-long-enough-password'

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = app.visitor()
  await admin.signInAdmin()
})

/** The database, behind the back of the application. */
async function withDatabase<T>(use: (space: ReturnType<typeof openSqlite>) => Promise<T>) {
  const space = openSqlite(`${app.dataDir}/app.db`)
  try {
    return await use(space)
  } finally {
    await space.close()
  }
}

async function invite(email: string, role = 'member'): Promise<string> {
  const mailsTo = async () => (await app.mails()).filter(({ to }) => to === email)
  const before = (await mailsTo()).length
  const { body } = await admin.wf({ wfid: 'users/invite', input: { email, role } })
  expect(body).toEqual({ sent: true, outlet: 'email', queued: true, watch: expect.any(String) })
  await expect.poll(async () => (await mailsTo()).length).toBe(before + 1)
  return tokenIn(await app.mailTo(email))
}

describe('an invitation', () => {
  it('goes from an admin to somebody on another device, who is signed in at its end', async () => {
    const start = await admin.wf({ wfid: 'users/invite' })
    expect(start.body.inputRequired.payload.id).toBe('InviteForm')
    const input = { email: 'Grace@Example.com', role: 'manager' }
    const sent = await admin.wf({ wfs: start.body.wfs, input })
    expect(sent.text).toMatch(
      /^\{"sent":true,"outlet":"email","queued":true,"watch":"[\w-]{32}"\}$/u,
    )
    // Whoever invites cannot accept.
    expect((await admin.wf({ wfs: start.body.wfs, input })).status).toBe(410)

    const mail = await app.mailTo('grace@example.com')
    expect(mail.subject).toBe('You are invited')
    expect(mail.text).toMatch(/http:\/\/localhost:\d+\/accept\?wfs=durable\.[\w-]{43}$/u)
    expect(mail.html).toContain('<a href="http://localhost:')

    const grace = app.visitor()
    const wfs = tokenIn(mail)
    // Scanners keep what they fetch: they see the form, and not whom it is for.
    const peek = await grace.get(`/api/wf?wfs=${wfs}`)
    expect(peek.body).toMatchObject({ resumable: true, wfid: 'users/invite' })
    expect(peek.text).toContain('AcceptForm')
    expect(peek.text).not.toContain('grace@example.com')
    const opened = await grace.wf({ wfs })
    expect(opened.body.wfs).toBe(wfs)
    expect(opened.body.inputRequired.payload.id).toBe('AcceptForm')
    expect(opened.body.inputRequired.context.invite).toEqual({
      email: 'grace@example.com',
      role: 'manager',
      invitedBy: 'Ada Admin',
    })
    const short = await grace.wf({ wfs, input: { name: 'Grace', password: 'short' } })
    expect(short.body.wfs).toBe(wfs)
    expect(short.body.inputRequired.context.errors).toEqual({
      password: 'At least 12 characters, please.',
    })
    // She thinks about it, and comes back on her phone.
    const phone = app.visitor()
    expect((await phone.wf({ wfs })).body.inputRequired.payload.id).toBe('AcceptForm')
    const accepted = await phone.wf({ wfs, input: { name: 'Grace', password: PASSWORD } })
    expect(accepted.body).toMatchObject({ finished: true, next: '/' })
    expect(await phone.user()).toEqual({
      email: 'grace@example.com',
      name: 'Grace',
      role: 'manager',
      mfa: false,
    })
    const late = await grace.wf({ wfs })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_USED'])
    expect(late.body.error.answered).toMatchObject({ by: 'grace@example.com' })
    expect((await app.visitor().signIn('grace@example.com', PASSWORD)).body.finished).toBe(true)
  })

  it('can be accepted in one request, and once', async () => {
    const wfs = await invite('alan@example.com')
    const input = { name: 'Alan', password: PASSWORD }
    const answers = await Promise.all([
      app.visitor().wf({ wfs, input }),
      app.visitor().wf({ wfs, input }),
    ])
    expect(answers.filter(({ body }) => body.finished)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410 || status === 409)).toHaveLength(1)
  })

  it('of an address that has an account by now ends without another one', async () => {
    const first = await invite('kurt@example.com')
    const second = await invite('kurt@example.com', 'admin')
    const input = { name: 'Kurt', password: PASSWORD }
    expect((await app.visitor().wf({ wfs: first, input })).body.finished).toBe(true)
    const visitor = app.visitor()
    const late = await visitor.wf({ wfs: second, input: { ...input, name: 'Not Kurt' } })
    expect(late.body).toMatchObject({ aborted: true, reason: 'account-exists' })
    expect(visitor.cookies.size).toBe(0)
    const again = await admin.wf({
      wfid: 'users/invite',
      input: { email: 'kurt@example.com', role: 'member' },
    })
    expect(again.body.inputRequired.context.errors).toEqual({
      email: 'They have an account already.',
    })
  })

  it('is found by its shadow columns, also when it has ended; its link is in none of the tables', async () => {
    const wfs = await invite('find-me@example.com', 'manager')
    const filter = { inviteEmail: 'find-me@example.com', inviteRole: 'manager' }
    const find = () =>
      withDatabase(async space => ({
        runs: await space.table(WfRunRow).findMany({ filter }),
        rest: [
          await space.table(WfEventRow).findMany({ filter: {} }),
          await space.table(WfLinkRow).findMany({ filter: {} }),
        ],
      }))
    const waiting = await find()
    expect(waiting.runs).toMatchObject([{ status: 'paused', stepId: 'users/acceptance' }])
    await app.visitor().wf({ wfs, input: { name: 'Found', password: PASSWORD } })
    const ended = await find()
    expect(ended.runs).toMatchObject([{ status: 'completed', startedBy: 'admin@example.com' }])
    for (const secret of [wfs.slice('durable.'.length), PASSWORD]) {
      expect(JSON.stringify([waiting, ended])).not.toContain(secret)
    }
  })

  it('is over after three days, until an admin extends it', async () => {
    const wfs = await invite('late@example.com')
    const flowId = await withDatabase(async space => {
      const filter = { inviteEmail: 'late@example.com' }
      const run = (await space.table(WfRunRow).findOne({ filter }))!
      const links = space.table(WfLinkRow)
      const [link] = await links.findMany({ filter: { flowId: run.flowId } })
      const days = (link!.expiresAt! - link!.createdAt) / (24 * 60 * 60_000)
      expect(days).toBeCloseTo(3, 3)
      await links.updateMany({ flowId: run.flowId }, { expiresAt: Date.now() - 1 })
      return run.flowId
    })
    const late = await app.visitor().wf({ wfs })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_EXPIRED'])
    const { version } = (await admin.get(`/api/admin/runs/${flowId}`)).body
    await admin.post(`/api/admin/runs/${flowId}/extend`, { version, ttlMs: 60_000 })
    const input = { name: 'Late', password: PASSWORD }
    expect((await app.visitor().wf({ wfs, input })).body.finished).toBe(true)
  })

  it.each(OLD)('of before, on a handle, is still accepted: $row.inviteEmail', async old => {
    const { wfs, row } = old
    const expiresAt = Date.now() + 60_000
    await withDatabase(space => space.table(WfStateRow).insertOne({ ...row, expiresAt } as never))
    const visitor = app.visitor()
    const opened = await visitor.wf({ wfs })
    expect(opened.body.inputRequired.payload.id).toBe('AcceptForm')
    expect(opened.body.inputRequired.context.invite.email).toBe(row.inviteEmail)
    const input = { name: 'Old', password: PASSWORD }
    expect((await visitor.wf({ wfs: opened.body.wfs, input })).body.finished).toBe(true)
    expect(await visitor.user()).toMatchObject({ email: row.inviteEmail, role: 'member' })
  })

  it.each(['anonymous', 'member', 'manager'])('is refused to %s with 403', async role => {
    const visitor = app.visitor()
    if (role !== 'anonymous') await visitor.signIn(`${role}@example.com`, `${role}-password`)
    const start = await visitor.wf({ wfid: 'users/invite' })
    expect([start.status, start.body.error.code]).toEqual([403, 'WF_REJECTED'])
    const input = { email: 'me@example.com', role: 'admin' }
    expect((await visitor.wf({ wfid: 'users/invite', input })).status).toBe(403)
    // Nor with the form of an admin, who might have left it open.
    const { body } = await admin.wf({ wfid: 'users/invite' })
    expect((await visitor.wf({ wfs: body.wfs, input })).status).toBe(403)
  })

  it('takes the roles that there are, and no others', async () => {
    const input = { email: 'root@example.com', role: 'root' }
    const { body } = await admin.wf({ wfid: 'users/invite', input })
    expect(body.inputRequired.context.errors.role).toContain('admin, manager, member')
  })
})
