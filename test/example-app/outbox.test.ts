import { expect, it } from 'vitest'
import { startExampleApp, tokenIn } from '../support/example-app'
import { startMailServer } from '../support/mail-server'

it('an invitation waits for a mail server that is down, and is sent when an admin says so', async () => {
  const down = await startMailServer()
  await down.close()
  const app = await startExampleApp({ SMTP_URL: `smtp://127.0.0.1:${down.port}` })
  const admin = app.visitor()
  await admin.signInAdmin()
  const input = { email: 'ida@example.com', role: 'member' }
  const { status, body } = await admin.wf({ wfid: 'users/invite', input })
  expect([status, body.queued]).toEqual([200, true])
  const { flowId } = (await admin.get('/api/admin/runs?workflow=users%2Finvite')).body.runs[0]
  const path = `/api/admin/runs/${flowId}`
  const see = async () => (await admin.get(path)).body
  await expect
    .poll(async () => (await see()).messages)
    .toMatchObject([
      {
        recipient: 'ida@example.com',
        status: 'waiting',
        attempts: 1,
        lastError: { code: 'WF_OUTLET_FAILED' },
      },
    ])

  const { mails } = await startMailServer(down.port)
  const { version, messages } = await see()
  const { messageId } = messages[0]
  const sent = await admin.post(`${path}/messages/${messageId}/resend`, { version })
  expect(sent.body).toEqual({ version: version + 1, queued: true })
  await expect.poll(() => mails.map(({ to }) => to)).toEqual(['ida@example.com'])
  expect(mails[0]!.messageId).toContain(messageId)
  await expect.poll(async () => (await see()).messages).toMatchObject([{ status: 'sent' }])
  const wfs = tokenIn(mails[0]!)
  const accepted = await app
    .visitor()
    .wf({ wfs, input: { name: 'Ida', password: 'a-long-enough-password' } })
  expect(accepted.body.finished).toBe(true)
})
