import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { type ExampleApp, startSharedApp, tokenIn, type Visitor } from '../support/example-app'
import { WfStateRow } from '../../example-app/schemas/WfStateRow.as'

const PASSWORD = 'a-long-enough-password'

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = app.visitor()
  await admin.signInAdmin()
})

async function invite(email: string, role = 'member'): Promise<string> {
  const { body } = await admin.wf({ wfid: 'users/invite', input: { email, role } })
  expect(body).toEqual({ sent: true, outlet: 'email', watch: expect.any(String) })
  return tokenIn(await app.mailTo(email))
}

describe('an invitation', () => {
  it('goes from an admin to somebody on another device, who is signed in at its end', async () => {
    const start = await admin.wf({ wfid: 'users/invite' })
    expect(start.body.inputRequired.payload.id).toBe('InviteForm')
    const input = { email: 'Grace@Example.com', role: 'manager' }
    const sent = await admin.wf({ wfs: start.body.wfs, input })
    expect(sent.text).toMatch(/^\{"sent":true,"outlet":"email","watch":"[\w-]{32}"\}$/u)
    // Whoever invites cannot accept.
    expect((await admin.wf({ wfs: start.body.wfs, input })).status).toBe(410)

    const mail = await app.mailTo('grace@example.com')
    expect(mail.subject).toBe('You are invited')
    expect(mail.text).toMatch(/http:\/\/localhost:\d+\/accept\?wfs=handle\.[\w-]{36}$/u)
    expect(mail.html).toContain('<a href="http://localhost:')

    const grace = app.visitor()
    const wfs = tokenIn(mail)
    const peek = await grace.get(`/api/wf?wfs=${wfs}`)
    expect(peek.body).toMatchObject({ resumable: true, wfid: 'users/invite' })
    const opened = await grace.wf({ wfs })
    expect(opened.body.inputRequired.payload.id).toBe('AcceptForm')
    expect(opened.body.inputRequired.context.invite).toEqual({
      email: 'grace@example.com',
      role: 'manager',
      invitedBy: 'Ada Admin',
    })
    const short = await grace.wf({
      wfs: opened.body.wfs,
      input: { name: 'Grace', password: 'short' },
    })
    expect(short.body.inputRequired.context.errors).toEqual({
      password: 'At least 12 characters, please.',
    })
    const accepted = await grace.wf({
      wfs: short.body.wfs,
      input: { name: 'Grace', password: PASSWORD },
    })
    expect(accepted.body).toMatchObject({ finished: true, next: '/' })
    expect(await grace.user()).toEqual({
      email: 'grace@example.com',
      name: 'Grace',
      role: 'manager',
      mfa: false,
    })
    expect((await grace.wf({ wfs })).status).toBe(410)
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

  it('is found by its shadow columns; its link is nowhere in the table', async () => {
    const wfs = await invite('find-me@example.com', 'manager')
    const space = openSqlite(`${app.dataDir}/app.db`)
    const filter = { inviteEmail: 'find-me@example.com', inviteRole: 'manager' }
    const rows = await space.table(WfStateRow).findMany({ filter })
    await space.close()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(wfs.slice('handle.'.length))
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
