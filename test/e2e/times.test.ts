import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { seedInvitation } from './seed-flows'
import { adminOf, inviteBy, openSite, START_MS } from './site'

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
}, START_MS)

const HOUR = 60 * 60_000

describeInBrowser('times in a browser whose clock', () => {
  it.each([
    ['is right', 0],
    ['is some seconds slow', -20_000],
    ['is three hours slow', -3 * HOUR],
    ['is two days fast', 48 * HOUR],
  ])('%s are those of the server', async (_which, skew) => {
    const email = `skewed-by-${skew}@example.com`
    await inviteBy(admin, app, email)
    await seedInvitation(app, email, 'member')
    const before = { before: (page: Page) => page.clock.install({ time: Date.now() + skew }) }
    const inbox = await openSite(app, '/inbox', before)
    expect(await inbox.locator('time').first().innerText()).toBe('just now')

    const list = await openSite(app, '/admin', { ...before, as: admin })
    const row = list.getByRole('row').filter({ hasText: email })
    await row.waitFor()
    const times = await row.locator('time').allInnerTexts()
    expect(times).toContain('just now')
    expect(times).toContain('in 3 days')
    expect(times.join()).not.toContain('less than a minute')
  })
})
