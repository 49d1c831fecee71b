import { describe, expect, it } from 'vitest'
import { openApprovals } from '../support/approval-app'

const described = (describe: readonly string[], allow?: readonly string[]) =>
  openApprovals({ config: { describe, ...(allow && { allow }) } })

describe('the first form of a workflow, by GET', () => {
  it('is shown without starting anything, and the first submit starts the flow', async () => {
    const app = await described(['/leave/express/'])
    const { status, body } = await app.describe('leave/express')
    expect(status).toBe(200)
    expect(body).toMatchObject({ describes: true, wfid: 'leave/express' })
    expect(body.inputRequired.payload.id).toBe('DecisionForm')
    expect(body.inputRequired.context).toEqual({})
    expect(body.wfs).toBeUndefined()
    expect(app.ran).toEqual([])
    const done = await app.send({ wfid: 'leave/express', input: { decision: 'approve' } })
    expect(done.body.finished).toBe(true)
  })

  it('is not shown unless the workflow is named', async () => {
    const app = await described([])
    expect((await app.describe('leave/express')).status).toBe(405)
  })

  it('asks the guards of the step', async () => {
    const app = await described(['leave/request', 'leave/express'])
    const { status, text } = await app.describe('leave/express', { 'x-user': 'eve' })
    expect(status).toBe(403)
    expect(text).not.toContain('DecisionForm')
  })

  it('is not shown where the workflow is not allowed, or there is none', async () => {
    const app = await described(['leave/express', 'leave/none'], ['leave/request'])
    expect((await app.describe('leave/express')).body.error.code).toBe('WF_NOT_ALLOWED')
    expect((await app.describe('leave/none')).body.error.code).toBe('WF_UNKNOWN')
  })

  it.each(['leave/shy', 'leave/request'])('is not shown if it is not certain: %s', async wfid => {
    const app = await described([wfid])
    expect((await app.describe(wfid)).status).toBe(405)
    expect(app.log.some(({ text }) => text.includes('cannot be described'))).toBe(true)
  })

  it('is named in a list', async () => {
    const app = await openApprovals({ config: { describe: 'leave/express' as never } })
    expect((await app.describe('leave/express')).status).toBe(500)
  })
})
