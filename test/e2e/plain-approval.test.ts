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
    const options = { javaScriptEnabled: false, mayLog: MAY_REFUSE }
    const deciding = await openSite(app, await plainLink(MANAGER, '71.00'), options)
    await deciding.getByRole('button', { name: 'Continue' }).click()
    await deciding.getByText('A rug').waitFor()
    await screenshot(deciding, 'plain-decision')
    await deciding.getByRole('button', { name: 'Ask the applicant' }).click()
    await deciding.getByText('What do you want to know?').first().waitFor()
    await deciding.getByLabel('Comment').fill('Which colour?')
    await deciding.getByRole('button', { name: 'Ask the applicant' }).click()
    await deciding.getByRole('button').waitFor({ state: 'detached' })

    const answering = await openSite(app, await plainLink('member@example.com', '71.00'), options)
    await answering.getByRole('button', { name: 'Continue' }).click()
    await answering.getByLabel('Your answer').fill('Red.')
    await answering.getByRole('button', { name: 'Answer' }).click()
    await answering.getByRole('button').waitFor({ state: 'detached' })

    const link = await plainLink(MANAGER, '71.00')
    const again = await openSite(app, link, options)
    await again.getByRole('button', { name: 'Continue' }).click()
    expect((await app.mailTo(MANAGER, '71.00')).text).toContain('They have answered: Red.')
    await again.getByRole('button', { name: 'Approve' }).click()
    await again.getByText('The expense is approved.').waitFor()
    await again.goto(link)
    await again.getByText(/answered already/u).waitFor()
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
