import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, openPage, screenshot } from '../support/browser'
import { type ExampleApp, newFolder, startExampleApp, type Visitor } from '../support/example-app'
import { onFileFinished } from '../support/file-end'
import { accessibilityProblems, colorProblems } from './axe'
import { adminOf, arrive, inviteBy, openSite, press, START_MS, visitorOf } from './site'

const PHONE = { width: 375, height: 740 }
const EVIL = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

/** It comes from somewhere else, and is not to be trusted. */
const FOREIGN = {
  to: 'eve@example.com',
  subject: 'A foreign mail',
  text: 'Its text.',
  html:
    '<!doctype html><p id="told">Before</p><script>document.getElementById("told").textContent = "Ran"</script>' +
    '<form action="/api/logout" method="post"><button>Press</button></form>',
  date: new Date().toISOString(),
}

interface Frame {
  readonly clientHeight: number
  readonly contentDocument: { readonly body: { readonly offsetHeight: number } }
}

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  const DATA_DIR = newFolder(onFileFinished)
  writeFileSync(join(DATA_DIR, 'inbox.jsonl'), `${JSON.stringify(FOREIGN)}\n`)
  app = await startExampleApp({ DATA_DIR }, { onEnd: onFileFinished })
  admin = await adminOf(app)
}, START_MS)

/** Chromium says what it has refused to the foreign mail. */
const openInbox = () => openSite(app, '/inbox', { mayLog: /sandboxed/u })
const cardOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const mailIn = (page: Page, text: string) => cardOf(page, text).frameLocator('iframe')

describeInBrowser('the inbox', () => {
  it('shows a mail as it looks, and its button opens the link', async () => {
    await inviteBy(admin, app, 'looks@example.com')
    const page = await openInbox()
    const mail = mailIn(page, 'To looks@example.com')
    await mail.getByRole('heading', { name: 'You are invited' }).waitFor()
    const opened = page.context().waitForEvent('page')
    await mail.getByRole('link', { name: 'Accept the invitation' }).click()
    const next = await opened
    await arrive(next, 'You are invited')
    await press(next, 'Continue')
    await arrive(next, 'Welcome')
    await arrive(page, 'Inbox')
  })

  it('makes its frame as tall as the mail, at every width', async () => {
    await inviteBy(admin, app, 'tall@example.com')
    const page = await openInbox()
    const frame = cardOf(page, 'To tall@example.com').locator('iframe')
    for (const width of [1100, 375, 800]) {
      await page.setViewportSize({ width, height: 800 })
      await expect
        .poll(() =>
          frame.evaluate(element => {
            const { contentDocument, clientHeight } = element as unknown as Frame
            return clientHeight - contentDocument.body.offsetHeight
          }),
        )
        .toBe(0)
    }
  })

  it('shows what people wrote as text', async () => {
    const member = await visitorOf(app, 'member')
    await member.wf({
      wfid: 'approvals/expense',
      input: { amount: 7, currency: 'EUR', reason: EVIL },
    })
    await app.mailTo('manager@example.com', '7.00')
    const page = await openInbox()
    const mail = mailIn(page, 'Please decide: 7.00')
    await mail.getByText(EVIL).and(mail.locator('p')).waitFor()
    expect(await mail.locator('img, script').count()).toBe(0)
    expect(await page.title()).toBe('Inbox · Workflows')
  })

  it('lets nothing in a foreign mail run or be sent', async () => {
    const page = await openInbox()
    const mail = mailIn(page, FOREIGN.subject)
    await mail.getByText('Before').waitFor()
    await mail.getByRole('button', { name: 'Press' }).click()
    await mail.getByText('Before').waitFor()
    const alone = await page.context().newPage()
    const [{ id } = { id: '' }] = (await app.mails()).filter(({ to }) => to === FOREIGN.to)
    await alone.goto(`/api/inbox/${id}`)
    await alone.getByText('Before').waitFor()
  })

  it('can be switched to plain text by the keyboard, and has the links there', async () => {
    await inviteBy(admin, app, 'plain@example.com')
    const page = await openInbox()
    const card = cardOf(page, 'To plain@example.com')
    await card.locator('iframe').waitFor()
    await page.getByRole('radio', { name: 'HTML' }).focus()
    await page.keyboard.press('ArrowRight')
    await card.locator('iframe').waitFor({ state: 'detached' })
    await card.getByText('invites you to join').waitFor()
    await card.getByRole('link').click()
    await arrive(page, 'You are invited')
  })

  it('shows older mails when asked', async () => {
    for (let index = 0; index < 25; index++) await inviteBy(admin, app, `many${index}@example.com`)
    const page = await openInbox()
    await page.getByRole('article').first().waitFor()
    expect(await page.getByRole('article').count()).toBe(20)
    await press(page, 'Older mails')
    await cardOf(page, FOREIGN.subject).waitFor()
    await page.getByRole('button', { name: 'Older mails' }).waitFor({ state: 'detached' })
  })

  it('has mails that give axe nothing to complain about, in the light and in the dark', async () => {
    await inviteBy(admin, app, 'axe@example.com')
    const { html } = await app.mailTo('axe@example.com')
    // By itself: no script runs where it is shown, and axe is one.
    const page = await openPage({ viewport: { width: 700, height: 640 } })
    await page.setContent(html)
    await page.emulateMedia({ colorScheme: 'dark' })
    await screenshot(page, 'mail-dark')
    expect(await colorProblems(page), 'dark').toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await screenshot(page, 'mail-light')
    expect(await mailProblems(page), 'light').toEqual([])
    await page.setViewportSize(PHONE)
    await screenshot(page, 'mail-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
  })
})

/** Landmarks are the business of the program that shows a mail. */
const mailProblems = async (page: Page) =>
  (await accessibilityProblems(page)).filter(problem => !/^(?:region|landmark)/u.test(problem))
