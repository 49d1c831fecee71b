import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { accessibilityProblems, colorProblems } from './axe'
import { adminOf, arrive, fill, inviteBy, openSite, press, START_MS, visitorOf } from './site'

const STOPS = [
  'Sign in with a code',
  'Invite somebody by a magic link',
  'Let several people decide',
  'Look into the console',
  'Kill the server',
]

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp({ DEMO_KILL: '1' })
  admin = await adminOf(app)
}, START_MS)

const tourOf = (page: Page) => page.getByRole('region', { name: 'A tour, in this order' })
const mailOf = (page: Page) => page.getByRole('region', { name: 'The newest mail' })
const rowOf = (page: Page) => page.getByRole('region', { name: 'Its row in the console' })

/** Goes on with the tab key until something has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const [focused] = await page.locator(':focus').all()
    const label = (await focused?.getAttribute('aria-label')) ?? (await focused?.textContent())
    if (name.test(label?.replaceAll(/\s+/gu, ' ').trim() ?? '')) return
  }
  throw new Error(`Nothing of the name ${name} got the focus.`)
}

describeInBrowser('the home page', () => {
  it('says what is missing before there is any mail', async () => {
    const page = await openSite(app, '/', { as: admin })
    await mailOf(page).getByText('No mail yet.').waitFor()
    await rowOf(page).getByText('No row yet.').waitFor()
    expect(await tourOf(page).getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(STOPS)
    await screenshot(page, 'home-empty')
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('leads by a sign-in to what can be tried, by the keyboard alone', async () => {
    const page = await openSite(app, '/')
    await arrive(page, 'Workflows that wait for people')
    await tourOf(page).getByText('As admin@example.com').first().waitFor()
    await tabTo(page, /^Sign in as admin: Invite somebody/u)
    await page.keyboard.press('Enter')
    await arrive(page, 'Sign in')
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'admin-password' })
    await page.keyboard.press('Enter')
    await arrive(page, 'One more step')
    await press(page, 'Use a recovery code')
    await fill(page, { 'Recovery code': 'demo-0001' })
    await page.keyboard.press('Enter')
    await arrive(page, 'Invite someone')
  })

  it('changes the account for what takes another one', async () => {
    const member = await visitorOf(app, 'member')
    const page = await openSite(app, '/', { as: member })
    await tourOf(page).getByText('that is you').waitFor()
    await tabTo(page, /^Change to admin@example\.com: Look into the console/u)
    await page.keyboard.press('Enter')
    await arrive(page, 'Sign in')
    expect(await member.user()).toBeNull()
    expect(new URL(page.url()).searchParams.get('next')).toBe('/admin/runs')
  })

  it('shows the newest mail, and its row beside it to admins, as they change', async () => {
    const page = await openSite(app, '/', { as: admin })
    await mailOf(page).waitFor()
    await inviteBy(admin, app, 'older@example.com', 'manager')
    await inviteBy(admin, app, 'newer@example.com')
    await mailOf(page).getByText('To newer@example.com').waitFor()
    const row = rowOf(page).getByRole('article')
    await row.getByText('newer@example.com').waitFor()
    expect(await row.getByText('older@example.com').count()).toBe(0)
    await row.getByText('paused').waitFor()
    await row.getByRole('link', { name: 'Open it in the console' }).click()
    await arrive(page, 'users/invite')
    await page.getByText('newer@example.com').filter({ visible: true }).first().waitFor()
  })

  it('shows the row of an expense, too', async () => {
    const member = await visitorOf(app, 'member')
    await member.wf({
      wfid: 'approvals/expense',
      input: { amount: 31, currency: 'EUR', reason: 'Pens' },
    })
    await app.mailTo('manager@example.com', '31.00')
    const page = await openSite(app, '/', { as: admin })
    await mailOf(page).getByText('Please decide: 31.00').waitFor()
    await rowOf(page).getByRole('heading', { name: 'approvals/expense' }).waitFor()
    await rowOf(page).getByText('member@example.com').waitFor()
  })

  it('shows the mail to everybody who tries the demo, and the row to admins alone', async () => {
    const page = await openSite(app, '/')
    await mailOf(page).getByRole('article').waitFor()
    await rowOf(page).getByText('Only admins see it.').waitFor()
    expect(await rowOf(page).getByRole('article').count()).toBe(0)
  })

  it.each([
    ['on a phone', 375, 1],
    ['at 200 %', 640, 2],
    ['at 400 %', 320, 4],
  ])('fits %s, in the light and in the dark', async (_where, width, deviceScaleFactor) => {
    await inviteBy(admin, app, `a-rather-long-name-for-width-${width}@example.com`)
    const viewport = { width, height: 740 }
    const page = await openSite(app, '/', { as: admin, viewport, deviceScaleFactor })
    await rowOf(page).getByText(`width-${width}@`).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await accessibilityProblems(page), 'light').toEqual([])
    await screenshot(page, `home-${width}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colorProblems(page), 'dark').toEqual([])
    await screenshot(page, `home-${width}-dark`)
  })
})
