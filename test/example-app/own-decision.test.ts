import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleApp, startSharedApp, tokenIn, type Visitor } from '../support/example-app'

const MANAGER = 'manager@example.com'
const APPROVE = { action: 'approve', input: {} }

let app: ExampleApp
let member: Visitor
let manager: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  member = app.visitor()
  manager = app.visitor()
  await member.signIn('member@example.com', 'member-password')
  await manager.signIn(MANAGER, 'manager-password')
})

/** An expense that waits for the manager, and the token in its mail. */
async function submit(amount: number) {
  const input = { amount, currency: 'EUR', reason: `Number ${amount}` }
  await member.wf({ wfid: 'approvals/expense', input })
  const mailed = tokenIn(await app.mailTo(MANAGER, `${amount.toLocaleString('en-US')}.00`))
  const { body } = await manager.get('/api/approvals')
  const { id } = body.waiting.find((one: { amount: number }) => one.amount === amount)
  return { id: id as string, mailed }
}

describe('a decision by the session alone', () => {
  it('shows the form without using anything', async () => {
    const { id, mailed } = await submit(11)
    const { status, body, text } = await manager.get(`/api/approvals/${id}`)
    expect(status).toBe(200)
    expect(body.inputRequired.payload.id).toBe('DecisionForm')
    expect(body.inputRequired.context).toMatchObject({ amount: 11, reason: 'Number 11' })
    expect(text).not.toContain('durable.')
    const end = await app.visitor().wf({ wfs: mailed, ...APPROVE })
    expect(end.body.finished).toBe(true)
    expect((await manager.get(`/api/approvals/${id}`)).status).toBe(404)
  })

  it('takes the place of the link in the mail, and counts once', async () => {
    const { id, mailed } = await submit(12)
    const { body } = await manager.post(`/api/approvals/${id}/token`)
    const late = await app.visitor().wf({ wfs: mailed, ...APPROVE })
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_SUPERSEDED'])
    const answers = await Promise.all(
      [1, 2].map(() => manager.wf({ wfs: body.wfs, action: 'reject', input: {} })),
    )
    expect(answers.filter(({ body: answer }) => answer.finished)).toHaveLength(1)
    expect((await manager.post(`/api/approvals/${id}/token`)).status).toBe(404)
    const { mine } = (await member.get('/api/approvals')).body
    expect(mine.find((one: { id: string }) => one.id === id)).toMatchObject({ status: 'rejected' })
  })

  it('of several tokens leaves the last', async () => {
    const { id } = await submit(13)
    const asked = await Promise.all([1, 2, 3].map(() => manager.post(`/api/approvals/${id}/token`)))
    const tokens = asked.filter(({ status }) => status === 200).map(({ body }) => body.wfs)
    const ends = await Promise.all(tokens.map(wfs => manager.wf({ wfs, ...APPROVE })))
    expect(asked.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(ends.filter(({ body }) => body.finished)).toHaveLength(1)
  })

  it('is for whoever is asked', async () => {
    const { id, mailed } = await submit(14)
    const admin = app.visitor()
    await admin.signInAdmin()
    for (const [visitor, status] of [
      [app.visitor(), 401],
      [member, 404],
      [admin, 404],
    ] as const) {
      expect((await visitor.get(`/api/approvals/${id}`)).status).toBe(status)
      expect((await visitor.post(`/api/approvals/${id}/token`)).status).toBe(status)
    }
    // None of that has touched the link.
    expect((await app.visitor().wf({ wfs: mailed })).body.wfs).toBe(mailed)
  })

  it('is not for whoever was asked and has answered, and leaves the links of the others', async () => {
    const { id, mailed } = await submit(2000)
    const second = tokenIn(await app.mailTo('second-manager@example.com', '2,000.00'))
    const { body } = await manager.post(`/api/approvals/${id}/token`)
    expect((await manager.wf({ wfs: mailed, ...APPROVE })).body.error.code).toBe('WF_SUPERSEDED')
    expect((await manager.wf({ wfs: body.wfs, ...APPROVE })).body).toEqual({ noted: true })
    expect((await manager.post(`/api/approvals/${id}/token`)).status).toBe(404)
    const other = app.visitor()
    await other.signIn('second-manager@example.com', 'second-manager-password')
    expect((await other.wf({ wfs: second, ...APPROVE })).body.finished).toBe(true)
  })

  it('cannot be caused by a page of another site, nor by a link', async () => {
    const { id, mailed } = await submit(15)
    const path = `/api/approvals/${id}/token`
    const foreign = await manager.post(path, {}, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect((await manager.get(path)).status).toBe(404)
    expect((await app.visitor().wf({ wfs: mailed })).body.wfs).toBe(mailed)
  })

  it('of something that is no id is not found', async () => {
    for (const id of ['x', '%00', '..%2f..', 'a'.repeat(2000)]) {
      expect((await manager.get(`/api/approvals/${id}`)).status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('a link that names its form', () => {
  it('shows nothing of the expense to whoever may not decide', async () => {
    const { mailed } = await submit(16)
    const look = await member.get(`/api/wf?wfs=${encodeURIComponent(mailed)}`)
    const post = await member.wf({ wfs: mailed })
    for (const { status, text } of [look, post]) {
      expect(status).toBe(403)
      expect(text).not.toContain('Number 16')
      expect(text).not.toContain('DecisionForm')
    }
    const scanner = await app.visitor().get(`/api/wf?wfs=${encodeURIComponent(mailed)}`)
    expect(scanner.text).not.toContain('Number 16')
  })
})
