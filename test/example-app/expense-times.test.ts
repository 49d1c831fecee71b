import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleApp, startExampleApp, startSharedApp, tokenIn } from '../support/example-app'
import { startMailServer, type TakenMail } from '../support/mail-server'
import { ADMIN, APPROVE, type Expenses, MANAGER, MEMBER, openExpenses, SECOND } from './expenses'

let app: ExampleApp
let all: Expenses
beforeAll(async () => {
  app = await startSharedApp({ REMIND_SECONDS: '1', ESCALATE_SECONDS: '3' })
  all = await openExpenses(app)
})

const LATE_MS = { timeout: 15_000 }

describe('an expense that nobody decides in time', () => {
  it('reminds whoever is asked, and then asks the second manager as well', async () => {
    const { submit, mine, mailAbout, mailsTo, second } = all
    await submit(31, 'A fan')
    const first = tokenIn(await mailAbout(MANAGER, 'A fan'))
    const reminder = await mailAbout(MANAGER, 'A fan', 'Reminder')
    expect(reminder.subject).toBe(`Reminder: please decide: 31.00 EUR for ${MEMBER}`)
    expect(tokenIn(reminder)).not.toBe(first)
    expect(await mailsTo(SECOND, 'A fan')).toEqual([])

    const escalated = await mailAbout(SECOND, 'A fan', 'Please decide')
    expect(escalated.text).toContain('Nobody has decided in time')
    expect(await mine('A fan')).toMatchObject({
      status: 'waiting',
      people: [{ to: MANAGER }, { to: SECOND }],
      history: [expect.objectContaining({ by: SECOND, what: 'late' })],
    })
    // The link of before is dead, and the one that the manager has got with the second one works.
    expect((await app.visitor().wf({ wfs: first, ...APPROVE })).body.error.code).toBe('WF_USED')
    const end = await second.wf({ wfs: tokenIn(escalated), ...APPROVE })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
    expect((await mine('A fan')).history.at(-1)).toMatchObject({ by: SECOND, what: 'approve' })
  })

  it('waits for ever when there is nobody left to be asked, and keeps what was said', async () => {
    const { submit, mine, mailAbout, admin, manager } = all
    await submit(3100, 'An oven')
    const wfs = tokenIn(await mailAbout(ADMIN, 'An oven'))
    expect((await admin.wf({ wfs, ...APPROVE })).body).toEqual({ noted: true })
    await expect
      .poll(async () => (await mine('An oven')).people, LATE_MS)
      .toEqual([{ to: MANAGER }, { to: SECOND }])
    expect(await mine('An oven')).not.toHaveProperty('escalatesAt')
    const isLate = async () =>
      (await mailAbout(MANAGER, 'An oven')).text.includes('Nobody has decided in time')
    await expect.poll(isLate, LATE_MS).toBe(true)
    const last = await mailAbout(MANAGER, 'An oven')
    const end = await manager.wf({ wfs: tokenIn(last), ...APPROVE })
    expect(end.body).toMatchObject({ finished: true, data: { status: 'approved' } })
  })

  it('reminds of a part that was delegated whoever has it now', async () => {
    await all.submit(32, 'A sink')
    const wfs = tokenIn(await all.mailAbout(MANAGER, 'A sink'))
    const input = { delegateTo: ADMIN }
    expect((await all.manager.wf({ wfs, action: 'delegate', input })).status).toBe(200)
    const before = await all.mailsTo(MANAGER, 'A sink')
    await all.mailAbout(ADMIN, 'A sink', 'Reminder')
    expect((await all.mailsTo(MANAGER, 'A sink')).length).toBe(before.length)
  })
})

describe('an expense while the mail server is down', () => {
  const mailFor = async (mails: readonly TakenMail[], to: string, text: string) => {
    const find = () => mails.find(mail => mail.to === to && mail.text.includes(text))
    await expect.poll(find, { timeout: 30_000 }).toBeDefined()
    return find()!
  }

  it('is submitted, asked about, decided and told all the same, only later', async () => {
    const down = await startMailServer()
    await down.close()
    const away = await startExampleApp({ SMTP_URL: `smtp://127.0.0.1:${down.port}` })
    const { submit, mine, manager, second } = await openExpenses(away)
    expect((await submit(1500, 'A desk')).body).toMatchObject({ sent: true, queued: true })
    const { id } = await mine('A desk')
    // Without the mail, among what waits for them.
    for (const visitor of [manager, second]) {
      const { wfs } = (await visitor.post(`/api/approvals/${id}/token`)).body
      expect((await visitor.wf({ wfs, ...APPROVE })).status).toBe(200)
    }
    expect(await mine('A desk')).toMatchObject({ status: 'approved' })
    await submit(33, 'A stool')
    const { mails } = await startMailServer(down.port)
    const asked = await mailFor(mails, MANAGER, 'A stool')
    await mailFor(mails, MEMBER, 'The expense of 1,500.00 EUR for "A desk" is approved.')
    expect(
      mails.filter(mail => mail.text.includes('A desk') && mail.text.includes('wfs=')),
    ).toEqual([])
    const end = await away.visitor().wf({ wfs: tokenIn(asked), ...APPROVE })
    expect(end.body).toMatchObject({ finished: true })
    const told = await mailFor(mails, MEMBER, 'The expense of 33.00 EUR for "A stool" is approved.')
    expect(told.messageId).toMatch(/^<[\w.-]+@localhost>$/u)
  })
})
