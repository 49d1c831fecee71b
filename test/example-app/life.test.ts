import { once } from 'node:events'
import { request } from 'node:http'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UserRow } from '../../example-app/schemas/UserRow.as'
import {
  type ExampleApp,
  makeAdmin,
  newFolder,
  SOURCES,
  startExampleApp,
  tokenIn,
} from '../support/example-app'
import { startMailServer } from '../support/mail-server'

const NEW_SECRET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP0'

describe('the application', () => {
  it('goes on after a restart with accounts, sessions, flows and tokens, and stops in peace', async () => {
    const DATA_DIR = newFolder()
    const first = await startExampleApp({ DATA_DIR }, { program: SOURCES })
    const admin = first.visitor()
    await admin.signInAdmin()
    const visitor = first.visitor()
    const { body } = await visitor.wf({ wfid: 'auth/login' })
    const input = { email: 'ida@example.com', role: 'member' }
    await admin.wf({ wfid: 'users/invite', input })
    const link = tokenIn(await first.mailTo('ida@example.com'))
    await first.visitor().wf({ wfid: 'auth/recover', input: { email: 'manager@example.com' } })
    const recovery = tokenIn(await first.mailTo('manager@example.com'))
    const password = 'my-own-long-password'
    await first.visitor().wf({ wfs: recovery, input: { password } })
    expect(await first.stop()).toEqual([0, null])

    const oldSecret = readFileSync(join(DATA_DIR, 'wf-secret'), 'utf8').trim()
    // Reached by others, so that the demo accounts, which are still in the table, count no more.
    const second = await startExampleApp({
      DATA_DIR,
      WF_SECRET: `${NEW_SECRET},${oldSecret}`,
      HOST: '0.0.0.0',
    })
    const later = second.visitor()
    const guess = { email: 'member@example.com', password: 'member-password' }
    const refused = await later.wf({ wfs: body.wfs, input: guess })
    expect(refused.body.inputRequired.context.formMessage).toContain('not right')
    const accepted = await later.wf({ wfs: link, input: { name: 'Ida', password } })
    expect(accepted.body.finished).toBe(true)
    expect(await later.user()).toMatchObject({ name: 'Ida' })
    for (const [name, value] of admin.cookies) later.cookies.set(name, value)
    const me = await later.get('/api/me')
    expect(me.body).toEqual({ user: null })
    expect((await later.get('/api/inbox')).status).toBe(404)
    expect(second.output()).not.toContain('admin-password')
    expect(await second.stop()).toEqual([0, null])

    const space = openSqlite(join(DATA_DIR, 'app.db'))
    const users = await space.table(UserRow).findMany({ filter: {} })
    await space.close()
    expect(users).toHaveLength(5)
    expect(JSON.stringify(users)).not.toContain(password)

    const third = await startExampleApp({ DATA_DIR, WF_SECRET: NEW_SECRET })
    const again = third.visitor()
    for (const [name, value] of admin.cookies) again.cookies.set(name, value)
    expect(await again.user()).toMatchObject({ role: 'admin' })
    // Seeding has left the password alone that was changed.
    const manager = await again.signIn('manager@example.com', password)
    expect(manager.body.finished).toBe(true)
    expect((await again.wf({ wfs: body.wfs, input: guess })).status).toBe(410)
    await stopInTheMiddleOfARequest(third)
  })

  it('uses a real mail server and a public address when it is told to', async () => {
    const { mails, port } = await startMailServer()
    const DATA_DIR = newFolder()
    const demo = await startExampleApp({ DATA_DIR })
    const { email, password } = await makeAdmin(demo)
    await demo.stop()
    const app = await startExampleApp({
      DATA_DIR,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      PUBLIC_URL: 'https://app.example.com',
    })
    const admin = app.visitor()
    const { headers } = await admin.signIn(email, password)
    expect(headers.getSetCookie()[0]).toContain('; Secure')
    expect((await admin.get('/api/inbox')).status).toBe(404)
    const invite = { wfid: 'users/invite', input: { email: 'ida@example.com', role: 'member' } }
    expect((await admin.wf(invite, { origin: 'https://other.example.com' })).status).toBe(403)
    const sent = await admin.wf(invite, { origin: 'https://app.example.com' })
    expect(sent.body).toEqual({
      sent: true,
      outlet: 'email',
      queued: true,
      watch: expect.any(String),
    })
    const invitation = {
      to: 'ida@example.com',
      text: expect.stringContaining('https://app.example.com/accept?wfs=durable.'),
      source: expect.stringContaining('multipart/alternative'),
      messageId: expect.stringMatching(/^<[\w-]+@app\.example\.com>$/u),
    }
    await expect.poll(() => mails).toEqual([invitation])
  })
})

/** Running requests are finished, new ones are not taken. */
async function stopInTheMiddleOfARequest({ url, stop, output }: ExampleApp) {
  const body = JSON.stringify({ wfid: 'auth/login' })
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  }
  const sent = request(`${url}/api/wf`, { method: 'POST', headers })
  sent.flushHeaders()
  // The server says this when it has taken the request.
  await once(sent, 'continue')
  sent.write(body.slice(0, 5))
  const stopped = stop()
  await expect.poll(output).toContain('Stopping.')
  await expect(fetch(`${url}/api/me`)).rejects.toThrow()
  sent.end(body.slice(5))
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
  expect(await stopped).toEqual([0, null])
}
