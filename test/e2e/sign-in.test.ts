import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, totpCode, wrongCode } from '../support/example-app'
import { arrive, fill, MAY_REFUSE, openSite, press, START_MS } from './site'

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp()
}, START_MS)

describeInBrowser('signing in', () => {
  it('goes by keyboard alone, and out again', async () => {
    const page = await openSite(app, '/')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).press('Enter')
    await arrive(page, 'Sign in')
    expect(await page.title()).toBe('Sign in · Workflows')
    await page.keyboard.type('member@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('member-password')
    await page.keyboard.press('Enter')
    await arrive(page, 'Hello, Mia Member')
    await page.getByRole('status').getByText('Welcome, Mia Member.').waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')

    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await arrive(page, 'Workflows that wait for people')
    await page.goto('/approvals')
    await arrive(page, 'Sign in')
  })

  it('says that a password or a code is wrong, and takes the right ones', async () => {
    const page = await openSite(app, '/sign-in')
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'not-it' })
    await press(page, 'Sign in')
    await page.getByText('The e-mail or the password is not right.').waitFor()
    await fill(page, { Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    await fill(page, { Code: wrongCode() })
    await press(page, 'Continue')
    await page.getByText('This code is not right, or was used already.').waitFor()
    await fill(page, { Code: totpCode() })
    await press(page, 'Continue')
    await arrive(page, 'Hello, Ada Admin')
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Home',
      'Approvals',
      'Invite',
      'Inbox',
      'Admin',
    ])
  })

  it('takes a mailed code, which is found in the inbox', async () => {
    const page = await openSite(app, '/sign-in')
    await page.getByRole('button', { name: 'admin@example.com' }).click()
    await press(page, 'Sign in')
    await page.getByText('Signing in as a•••n@example.com').waitFor()
    await press(page, 'Send me a code by mail')
    await arrive(page, 'Check your mail')
    const again = page.getByRole('button', { name: /^Send it again \(in \d+ s\)$/u })
    await again.waitFor()
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    const { subject } = await app.mailTo('admin@example.com', 'Your code')
    await fill(page, { Code: subject.replaceAll(/\D/gu, '') })
    await press(page, 'Continue')
    await arrive(page, 'Hello, Ada Admin')
  })

  it('fills in the demo accounts and their codes for those who ask', async () => {
    const page = await openSite(app, '/sign-in')
    await page.getByRole('button', { name: 'admin@example.com' }).press('Enter')
    expect(await page.getByLabel('E-mail').inputValue()).toBe('admin@example.com')
    await page.keyboard.press('Enter')
    await arrive(page, 'One more step')
    const shown = page.getByRole('complementary', { name: /Demo only/u }).getByRole('button')
    await shown.waitFor()
    // The one of now was used in a test before.
    const offered = [-1, 0, 1, 2].map(step => totpCode(step))
    expect(offered).toContain((await shown.innerText()).slice(0, 6))
    await press(page, 'Use a recovery code')
    await arrive(page, 'Recovery code')
    await page.getByRole('button', { name: 'demo-0002' }).click()
    await press(page, 'Continue')
    await arrive(page, 'Hello, Ada Admin')
  })

  it('goes on where it was after a reload, and after the back button', async () => {
    const page = await openSite(app, '/')
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    await page.reload()
    await arrive(page, 'One more step')
    await page.goBack()
    await arrive(page, 'Workflows that wait for people')
    await page.goForward()
    await arrive(page, 'One more step')
    await press(page, 'Use a recovery code')
    await fill(page, { 'Recovery code': 'demo-0003' })
    await press(page, 'Continue')
    await arrive(page, 'Hello, Ada Admin')
    // The form is not left behind.
    await page.goBack()
    await arrive(page, 'Hello, Ada Admin')
  })

  it('lets one of two tabs go on in the same flow, and tells the other', async () => {
    const page = await openSite(app, '/sign-in', { mayLog: MAY_REFUSE })
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    // A duplicated tab has a copy of the storage.
    const [twin] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate("void window.open('/sign-in')"),
    ])
    await arrive(twin, 'One more step')
    await fill(page, { Code: '123456' })
    await press(page, 'Continue')
    await arrive(page, 'This does not work any more')
    await press(twin, 'Use a recovery code')
    await fill(twin, { 'Recovery code': 'demo-0004' })
    await press(twin, 'Continue')
    await arrive(twin, 'Hello, Ada Admin')
    await press(page, 'Start again')
    await arrive(page, 'Sign in')
  })

  it('leads out for whoever has taken somebody else’s account', async () => {
    const page = await openSite(app, '/sign-in')
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    await press(page, 'Start over')
    await arrive(page, 'Sign in')
    await page.reload()
    await arrive(page, 'Sign in')
    await fill(page, { 'E-mail': 'member@example.com', Password: 'member-password' })
    await press(page, 'Sign in')
    await arrive(page, 'Hello, Mia Member')
  })

  it('says that another code comes too early, if the page does not know', async () => {
    const page = await openSite(app, '/sign-in')
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    await page.route('**/api/wf', async route => {
      const response = await route.fetch()
      const text = (await response.text()).replace(/"resendAt":\d+/u, '"resendAt":0')
      await route.fulfill({ response, body: text })
    })
    await press(page, 'Send me a code by mail')
    await arrive(page, 'Check your mail')
    await press(page, 'Send it again')
    await page
      .getByRole('alert')
      .getByText(/Please wait \d+ seconds/u)
      .waitFor()
  })

  it('ends after too many wrong codes', async () => {
    const page = await openSite(app, '/sign-in')
    await fill(page, { 'E-mail': 'admin@example.com', Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    const wrong = page.getByText('This code is not right')
    for (let tries = 1; tries < 5; tries++) {
      await fill(page, { Code: wrongCode() })
      await press(page, 'Continue')
      await wrong.waitFor()
      await page.getByText(tries === 4 ? '1 try left.' : `${5 - tries} tries left.`).waitFor()
      await page.getByText('Please wait.').waitFor({ state: 'detached' })
    }
    await fill(page, { Code: wrongCode() })
    await press(page, 'Continue')
    await arrive(page, 'You cannot sign in right now')
    await press(page, 'Start again')
    await arrive(page, 'Sign in')
  })

  it('leads to the page that one came for, and never to another site', async () => {
    const page = await openSite(app, '/approvals/new')
    await arrive(page, 'Sign in')
    await fill(page, { 'E-mail': 'member@example.com', Password: 'member-password' })
    await press(page, 'Sign in')
    await arrive(page, 'An expense')

    for (const next of ['//evil.example', '/\\evil.example']) {
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await fill(page, { 'E-mail': 'member@example.com', Password: 'member-password' })
      await press(page, 'Sign in')
      await arrive(page, 'Hello, Mia Member')
      expect(new URL(page.url()).pathname).toBe('/')
    }
  })
})
