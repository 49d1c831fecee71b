import type { Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { describeInBrowser, openPage, type PageOptions, screenshot } from '../support/browser'
import { startSharedWorker, type WorkerApp } from '../support/worker-app'
import { accessibilityProblems, colorProblems } from './axe'
import { arrive, fill, heading, MAY_REFUSE, PASSWORD, press } from './site'

let app: WorkerApp
beforeAll(async () => {
  app = await startSharedWorker()
}, 120_000)

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await openPage({ baseURL: app.url, ...options })
  await page.goto(path)
  return page
}

async function signIn(page: Page, name: 'admin' | 'manager' | 'member'): Promise<void> {
  await page.goto('/sign-in')
  await fill(page, { 'E-mail': `${name}@example.com` })
  await press(page, 'Continue')
  await arrive(page, 'Your password')
  await fill(page, { Password: `${name}-password` })
  await press(page, 'Sign in')
  await arrive(page, /^Hello, /u)
}

/** The link in a mail to somebody, once it is there. */
const linkFor = (to: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const mail = (await app.visitor().mails()).find(each => each.to === to)
      return /http\S+/u.exec(mail!.text)![0]
    },
    { timeout: 10_000 },
  )

describeInBrowser('the pages of the Worker', () => {
  it('go from the sign-in to an expense that the mail decides', async () => {
    const page = await open('/', { mayLog: MAY_REFUSE })
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await arrive(page, 'Sign in')
    await press(page, 'Continue')
    await page.getByRole('alert').waitFor()
    await fill(page, { 'E-mail': 'member@example.com' })
    await press(page, 'Continue')
    await arrive(page, 'Your password')
    await fill(page, { Password: 'wrong-password' })
    await press(page, 'Sign in')
    await page.getByText('The e-mail or the password is not right.').waitFor()
    await fill(page, { Password: 'member-password' })
    await press(page, 'Sign in')
    await arrive(page, 'Hello, Mia Member')
    await page.getByText('Welcome, Mia Member.').waitFor()

    await page.getByRole('link', { name: 'Submit an expense' }).click()
    await arrive(page, 'An expense')
    await fill(page, { Amount: 'much', 'What was it for?': 'Books' })
    await press(page, 'Submit')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Amount').and(page.locator('[aria-invalid=true]')).waitFor()
    await fill(page, { Amount: '42.50' })
    await press(page, 'Submit')
    await arrive(page, 'It is on its way')

    const boss = await open(await linkFor('manager@example.com'), { mayLog: MAY_REFUSE })
    await arrive(boss, 'An expense waits for you')
    expect(boss.url(), 'the token is not in the address').not.toContain('wfs')
    await press(boss, 'Continue')
    await arrive(boss, 'Your decision')
    await boss.getByText('Books').waitFor()
    await boss.reload()
    await arrive(boss, 'Your decision')
    await press(boss, 'Approve')
    await arrive(boss, 'The expense is approved.')
    const late = await open(await linkFor('manager@example.com'), { mayLog: MAY_REFUSE })
    await arrive(late, 'This link does not lead on')
  })

  it('let an admin invite somebody, who comes by the link in another browser', async () => {
    const admin = await open('/')
    await signIn(admin, 'admin')
    await admin.getByRole('link', { name: 'Invite someone' }).click()
    await arrive(admin, 'Invite someone')
    await fill(admin, { 'E-mail': 'grace@example.com' })
    await admin.getByRole('radio', { name: 'manager' }).check()
    await press(admin, 'Send the invitation')
    await arrive(admin, 'It is on its way')
    const grace = await open(await linkFor('grace@example.com'), { mayLog: MAY_REFUSE })
    await arrive(grace, 'You are invited')
    await press(grace, 'Continue')
    await arrive(grace, 'Welcome')
    await fill(grace, { Name: 'Grace Hopper', Password: 'short' })
    await press(grace, 'Create my account')
    await grace.getByText('At least 12 characters, please.').waitFor()
    await fill(grace, { Password: PASSWORD })
    await press(grace, 'Create my account')
    await arrive(grace, 'Hello, Grace Hopper')
    await press(grace, 'Sign out')
    await arrive(grace, 'Hello')
  })

  it('lead nobody astray without a link, and who is not signed in to the sign-in', async () => {
    const page = await open('/accept')
    await arrive(page, 'This link does not lead on')
    await page.goto('/expense')
    await arrive(page, 'Sign in')
    await page.goto('/nothing')
    await arrive(page, 'There is nothing here')
  })

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async colorScheme => {
    const page = await open('/', {
      mayLog: MAY_REFUSE,
      colorScheme,
      viewport: { width: 375, height: 700 },
    })
    const look = async (name: string) => {
      await screenshot(page, `worker-${name}-${colorScheme}`)
      const problems = colorScheme === 'light' ? accessibilityProblems(page) : colorProblems(page)
      expect(await problems, name).toEqual([])
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide, `${name} at 375 px`).toBeLessThanOrEqual(375)
    }
    await arrive(page, 'Hello')
    await look('hello')
    await page.goto('/sign-in')
    await arrive(page, 'Sign in')
    await press(page, 'Continue')
    await page.getByRole('alert').waitFor()
    await look('sign-in-wrong')
    await signIn(page, 'admin')
    await look('home')
    await page.goto('/invite')
    await arrive(page, 'Invite someone')
    await look('invite')
    await page.goto('/expense')
    await fill(page, { Amount: '12', 'What was it for?': `A lamp, ${colorScheme}` })
    await press(page, 'Submit')
    await arrive(page, 'It is on its way')
    await page.goto(await linkFor('manager@example.com'))
    await arrive(page, 'An expense waits for you')
    await look('link')
    await press(page, 'Continue')
    await arrive(page, 'Your decision')
    await look('decide')
    await page.goto('/inbox')
    await heading(page, 'Inbox').waitFor()
    await look('inbox')
  })
})
