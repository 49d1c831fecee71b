import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { accessibilityProblems } from './axe'
import { MAY_REFUSE, openSite, START_MS, visitorOf } from './site'

let app: ExampleApp
let member: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  member = await visitorOf(app, 'member')
}, START_MS)

const PLAIN = { javaScriptEnabled: false, mayLog: MAY_REFUSE }

const MANAGER = 'manager@example.com'

async function plainLink(to: string, subject: string): Promise<string> {
  const { text } = await app.mailTo(to, subject)
  return /Without JavaScript: (\S+)/u.exec(text)?.[1] ?? ''
}

describeInBrowser('an expense, in a browser without JavaScript', () => {
  it('is asked about, answered and approved by the links of its mails', async () => {
    await member.wf({
      wfid: 'approvals/expense',
      input: { amount: 71, currency: 'EUR', reason: 'A rug' },
    })
    const deciding = await openSite(app, await plainLink(MANAGER, '71.00'), PLAIN)
    await deciding.getByRole('button', { name: 'Continue' }).click()
    await deciding.getByText('A rug').waitFor()
    await screenshot(deciding, 'plain-decision')
    await deciding.getByRole('button', { name: 'Ask the applicant' }).click()
    await deciding.getByText('What do you want to know?').first().waitFor()
    await deciding.getByLabel('Comment').fill('Which colour?')
    await deciding.getByRole('button', { name: 'Ask the applicant' }).click()
    await deciding.getByRole('button').waitFor({ state: 'detached' })

    const answering = await openSite(app, await plainLink('member@example.com', '71.00'), PLAIN)
    await answering.getByRole('button', { name: 'Continue' }).click()
    await answering.getByLabel('Your answer').fill('Red.')
    await answering.getByRole('button', { name: 'Answer' }).click()
    await answering.getByRole('button').waitFor({ state: 'detached' })

    const answered = async () => (await app.mailTo(MANAGER, '71.00')).text
    await expect.poll(answered).toContain('They have answered: Red.')
    const link = await plainLink(MANAGER, '71.00')
    const again = await openSite(app, link, PLAIN)
    await again.getByRole('button', { name: 'Continue' }).click()
    await again.getByRole('button', { name: 'Approve' }).click()
    await again.getByText('The expense is approved.').waitFor()
    await again.goto(link)
    await again.getByText(/answered already/u).waitFor()
  })

  it('is rejected', async () => {
    const input = { amount: 73, currency: 'EUR', reason: 'A lamp' }
    await member.wf({ wfid: 'approvals/expense', input })
    const page = await openSite(app, await plainLink(MANAGER, '73.00'), PLAIN)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Comment').fill('Too bright.')
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The expense is rejected.').waitFor()
    const { text } = await app.mailTo('member@example.com', 'Rejected: 73.00')
    expect(text).toContain('Too bright.')
  })

  it('is delegated, when the address is right', async () => {
    const input = { amount: 74, currency: 'EUR', reason: 'A stool' }
    await member.wf({ wfid: 'approvals/expense', input })
    const link = await plainLink(MANAGER, '74.00')
    const page = await openSite(app, link, PLAIN)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Delegate to').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Delegate' }).click()
    await page.getByText('Nobody here has this address.').first().waitFor()
    await page.getByLabel('Delegate to').fill('second-manager@example.com')
    await page.getByRole('button', { name: 'Delegate' }).click()
    await page.getByText('This is noted, and others are still asked.').waitFor()
    await page.goto(link)
    await page.getByText('withdrawn').first().waitFor()
    const other = await openSite(app, await plainLink('second-manager@example.com', '74.00'), PLAIN)
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('button', { name: 'Approve' }).click()
    await other.getByText('The expense is approved.').waitFor()
  })

  it('over the limit is approved by two who are signed in, and shown to nobody else', async () => {
    const input = { amount: 1700, currency: 'EUR', reason: 'A bed' }
    await member.wf({ wfid: 'approvals/expense', input })
    const ends = ['This is noted, and others are still asked.', 'The expense is approved.']
    for (const [at, name] of (['manager', 'second-manager'] as const).entries()) {
      const link = await plainLink(`${name}@example.com`, '1,700.00')
      const stranger = await openSite(app, link, PLAIN)
      await stranger.getByText('Please sign in as whoever it was sent to.').waitFor()
      const page = await openSite(app, link, { ...PLAIN, as: await visitorOf(app, name) })
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('A bed').waitFor()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText(ends[at]!).waitFor()
    }
  })

  it('can be read by everybody', async () => {
    await member.wf({
      wfid: 'approvals/expense',
      input: { amount: 72, currency: 'EUR', reason: 'A vase' },
    })
    const page = await openSite(app, await plainLink(MANAGER, '72.00'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityProblems(page)).toEqual([])
    }
  })

  it('says what works where the application does not', async () => {
    const page = await openSite(app, '/approvals', { javaScriptEnabled: false })
    await page.locator('noscript p').waitFor()
  })
})
