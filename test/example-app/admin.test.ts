import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleApp, startSharedApp, tokenIn, type Visitor } from '../support/example-app'

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = app.visitor()
  await admin.signInAdmin()
  const input = { email: 'ida@example.com', role: 'manager' }
  await admin.wf({ wfid: 'users/invite', input })
})

const find = async (filter: object) => {
  const query = encodeURIComponent(JSON.stringify(filter))
  return (await admin.get(`/api/admin/flows?filter=${query}`)).body.rows[0]
}

describe('the admin console', () => {
  it('finds flows by their shadow columns, without a token', async () => {
    const row = await find({ inviteEmail: 'ida@example.com' })
    expect(row).toMatchObject({ status: 'live', values: { inviteRole: 'manager' } })
    const { body, text } = await admin.get(`/api/admin/flows/${row.id}`)
    expect(body).toMatchObject({ schemaId: 'users/invite', stepId: 'users/acceptance' })
    const token = tokenIn(await app.mailTo('ida@example.com'))
    expect(text).not.toContain(token.slice('handle.'.length))
  })

  it('sends a link again: the new one works, the old one is dead', async () => {
    const old = tokenIn(await app.mailTo('ida@example.com'))
    const { id, version } = await find({ inviteEmail: 'ida@example.com' })
    const sent = await admin.post(`/api/admin/flows/${id}/resend`, { version })
    expect(sent.body).toMatchObject({ sent: true })
    const fresh = tokenIn(await app.mailTo('ida@example.com'))
    expect(fresh).not.toBe(old)
    const ida = app.visitor()
    expect((await ida.wf({ wfs: old })).status).toBe(410)
    expect((await ida.wf({ wfs: fresh })).body.inputRequired.payload.id).toBe('AcceptForm')
  })

  it('sends no link where a flow waits for a form', async () => {
    await admin.wf({ wfid: 'users/invite' })
    const { id, version } = await find({ schemaId: 'users/invite', inviteEmail: null })
    const refused = await admin.post(`/api/admin/flows/${id}/resend`, { version })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('a form')])
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
    const { id, version } = await find({ schemaId: 'users/invite' })
    const reads = ['columns', 'flows', `flows/${id}`, 'counts', 'jobs', 'jobs/x']
    for (const path of reads) {
      expect((await visitor.get(`/api/admin/${path}`)).status, path).toBe(403)
    }
    for (const path of ['revoke', 'extend', 'resend'].map(act => `flows/${id}/${act}`)) {
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
