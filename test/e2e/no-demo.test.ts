import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startSharedApp } from '../support/example-app'
import { accessibilityProblems } from './axe'
import { arrive, fill, MAY_REFUSE, openSite, press, START_MS } from './site'

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp({ PUBLIC_URL: 'http://app.example.com' })
}, START_MS)

describeInBrowser('without the demo', () => {
  it.each([
    ['home', '/', 'Workflows that wait for people'],
    ['sign-in', '/sign-in', 'Sign in'],
    ['recover', '/recover', 'Forgot your password?'],
    ['inbox', '/inbox', 'Inbox'],
  ])('nothing of it is left: %s', async (name, path, title) => {
    const page = await openSite(app, path, { mayLog: MAY_REFUSE })
    await arrive(page, title)
    await page.getByText('One moment, please.').waitFor({ state: 'detached' })
    await screenshot(page, `no-demo-${name}`)
    expect(await page.getByText(/demo only|@example\.com|TOTP/iu).count()).toBe(0)
    expect(await page.getByRole('complementary').count()).toBe(0)
    expect(await page.locator('a[href*="inbox"]').count()).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('a recovery does not lead to an inbox, and the inbox says that there is none', async () => {
    const page = await openSite(app, '/recover', { mayLog: MAY_REFUSE })
    await fill(page, { 'E-mail': 'ida@example.org' })
    await press(page, 'Send me a link')
    await arrive(page, 'Look into your mail')
    expect(await page.getByRole('link', { name: /inbox/iu }).count()).toBe(0)
    await page.goto('/inbox')
    await page.getByText('There is no inbox here').waitFor()
  })
})
