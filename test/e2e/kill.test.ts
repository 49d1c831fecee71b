import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startExampleApp, STARTER, type Visitor } from '../support/example-app'
import { onFileFinished } from '../support/file-end'
import { accessibilityProblems, colorProblems } from './axe'
import { adminOf, arrive, fill, inviteBy, openSite, PASSWORD, press, START_MS } from './site'

/** What Chromium says of a server that is gone. */
const MAY_BE_GONE = /ERR_(?:CONNECTION_|EMPTY_RESPONSE|SOCKET|INCOMPLETE)/u
const BACK_MS = 40_000
const PHONE = { width: 375, height: 740 }

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startExampleApp({}, { program: STARTER, onEnd: onFileFinished })
  onFileFinished(async () => {
    await app.stop()
  })
  admin = await adminOf(app)
}, START_MS)

describeInBrowser('a server that is killed in the console', () => {
  it('comes back while the page looks on, and a flow that waited goes on', async () => {
    const link = await inviteBy(admin, app, 'ida@example.com')
    const invited = await openSite(app, link, { mayLog: MAY_BE_GONE })
    await arrive(invited, 'You are invited')
    await press(invited, 'Continue')
    await arrive(invited, 'Welcome')

    const page = await openSite(app, '/admin#kill', { as: admin, mayLog: MAY_BE_GONE })
    const panel = page.getByRole('region', { name: 'Kill the server' })
    await panel.getByRole('button', { name: 'Kill the server now' }).press('Enter')
    await page.getByRole('dialog').getByText('Nothing is lost.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Kill the server now' }).press('Enter')
    await press(page, 'Kill it')
    await panel.getByText('Killed.').waitFor()
    await panel.getByText('Gone.').waitFor()
    await screenshot(page, 'kill-gone')
    await panel.getByText(/^Back after \d+\.\d s\.$/u).waitFor({ timeout: BACK_MS })
    await panel.getByText('Nothing is lost.').waitFor()
    await panel.getByText('users/invite at acceptance waits, as before').waitFor()
    expect(await panel.getByText('1 durable run and').count()).toBe(1)

    await page.emulateMedia({ colorScheme: 'dark' })
    await screenshot(page, 'kill-back-dark')
    expect(await colorProblems(page), 'dark').toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await screenshot(page, 'kill-back-light')
    expect(await accessibilityProblems(page), 'light').toEqual([])
    await page.setViewportSize(PHONE)
    await screenshot(page, 'kill-back-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)

    // The form that was open all the time.
    await fill(invited, { Name: 'Ida', Password: PASSWORD })
    await press(invited, 'Create my account')
    await arrive(invited, 'Hello, Ida')
    await panel.getByText('users/invite at acceptance has gone on').waitFor()
  })
})
