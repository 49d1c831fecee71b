import { expect, it } from 'vitest'
import { seedExpense } from '../e2e/seed-flows'
import { startExampleApp } from '../support/example-app'
import { APPROVE, MANAGER, MEMBER, openExpenses, QUEUED } from './expenses'

it('an expense of before, on a handle, goes on as a durable run: whoever decides is asked anew', async () => {
  const app = await startExampleApp()
  const { manager, mailAbout, linkTo, mine } = await openExpenses(app)
  const { token, reason } = await seedExpense(app, 42)
  expect((await manager.wf({ wfs: token, ...APPROVE })).body).toMatchObject(QUEUED)
  expect(await mine(reason)).toMatchObject({ amount: 42, people: [{ to: MANAGER }], needed: 1 })
  const end = await app.visitor().wf({ wfs: await linkTo(MANAGER, reason), ...APPROVE })
  expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
  await mailAbout(MEMBER, reason, 'Approved: 42.00 for')
})

it('an expense of before whose applicant was asked goes on with the answer', async () => {
  const app = await startExampleApp()
  const { member, linkTo, mine } = await openExpenses(app)
  const { token, reason } = await seedExpense(app, 43, 'asked')
  const input = { comment: 'To the airport.' }
  expect((await member.wf({ wfs: token, input })).body).toMatchObject(QUEUED)
  expect((await mine(reason)).history).toMatchObject([{ what: 'ask' }, { what: 'answer' }])
  const wfs = await linkTo(MANAGER, 'They have answered: To the airport.')
  expect((await app.visitor().wf({ wfs, ...APPROVE })).body).toMatchObject({ finished: true })
})
