import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { accessibilityProblems } from './axe'
import { failRun, withRuns } from './seed-runs'
import {
  adminOf,
  arrive,
  fill,
  inviteBy,
  linkIn,
  MAY_REFUSE,
  openSite,
  passSeconds,
  PASSWORD,
  press,
  START_MS,
  withClock,
} from './site'

const NAMES = 'ada alan barbara donald edsger grace john ken linus tim anita margaret'.split(' ')

let app: ExampleApp
let admin: Visitor
const links = new Map<string, string>()
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
  for (const name of NAMES) {
    const role = name === 'ada' || name === 'grace' ? 'manager' : 'member'
    links.set(name, await inviteBy(admin, app, `${name}@example.com`, role))
  }
}, START_MS)

const openAdmin = (path = '/admin/runs', mayLog = MAY_REFUSE) =>
  openSite(app, path, { as: admin, mayLog, before: withClock })

const invited = (page: Page) => page.locator('tbody td[data-label="Invited"]').allInnerTexts()
const shownRuns = (page: Page, count: number) =>
  page.getByText(`, ${count} ${count === 1 ? 'run' : 'runs'}`).waitFor()

async function filter(page: Page, column: string, comparison: string, value: string) {
  await page.getByLabel('Column', { exact: true }).selectOption({ label: column })
  await page.getByLabel('Comparison').selectOption({ label: comparison })
  await page.getByLabel('Value', { exact: true }).fill(value)
  await press(page, 'Add filter')
}

/** Opens the page of an invitation. */
async function openRun(name: string, mayLog = MAY_REFUSE): Promise<Page> {
  const page = await openAdmin('/admin/runs', mayLog)
  await filter(page, 'Invited', 'contains', name)
  await shownRuns(page, 1)
  await page.getByRole('link', { name: 'users/invite' }).click()
  await arrive(page, 'users/invite')
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  return page
}

const history = (page: Page) => page.locator('.timeline .event-entry').allInnerTexts()

/** What the page of a link says. */
async function openLink(name: string): Promise<Page> {
  return openSite(app, links.get(name) ?? '', { mayLog: MAY_REFUSE })
}

describeInBrowser('the runs of the admin console', () => {
  it('are beside the flows, and found by status and by the columns of their context', async () => {
    const page = await openAdmin('/admin')
    await page.getByRole('link', { name: 'Durable runs' }).click()
    await arrive(page, 'Durable runs')
    await shownRuns(page, NAMES.length)
    await filter(page, 'Role', 'is', 'manager')
    await shownRuns(page, 2)
    expect((await invited(page)).toSorted()).toEqual(['ada@example.com', 'grace@example.com'])
    // The filter is in the address.
    await page.reload()
    await shownRuns(page, 2)
    await page.getByRole('radio', { name: 'done' }).check()
    await page.getByText('No run is like that.').waitFor()
    await press(page, 'Show all')
    await shownRuns(page, NAMES.length)
    const row = page.getByRole('row', { name: 'tim@example.com' })
    expect(await row.locator('[data-label]').allInnerTexts()).toMatchObject([
      'users/invite',
      'paused',
      'acceptance',
      'tim@example.com',
      'member',
      // The applicant, whom expenses have.
      '',
      expect.stringMatching(/^in [23] days$/u),
      expect.stringMatching(/now|second|minute/u),
      '0',
      '',
      expect.stringMatching(/now|second|minute/u),
    ])
  })

  it('come page by page', async () => {
    const page = await openAdmin('/admin/runs?size=10')
    await page.getByText('Page 1, 10 runs').waitFor()
    const first = await invited(page)
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByText('Page 2, 2 runs').waitFor()
    await expect.poll(async () => first.includes((await invited(page))[0]!)).toBe(false)
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByRole('button', { name: 'Previous' }).press('Enter')
    await page.getByText('Page 1, 10 runs').waitFor()
    expect(await invited(page)).toEqual(first)
  })

  it('show what has happened to one, as it happens, and no secret', async () => {
    const page = await openRun('barbara')
    const steps = page.getByRole('region', { name: 'Steps' }).getByRole('listitem')
    expect(await steps.allInnerTexts()).toEqual([
      expect.stringMatching(/invitation\s+done/u),
      expect.stringMatching(/acceptance\s+waiting here/u),
    ])
    await expect.poll(async () => (await history(page)).length).toBe(5)
    expect(await history(page)).toEqual([
      expect.stringMatching(/Submitted.*by admin@example\.com.*active/su),
      expect.stringMatching(/Step begun/u),
      expect.stringMatching(/Step done.*Changed: invite/su),
      expect.stringMatching(/Asked, and waits.*active → paused.*Changed: isMailed/su),
      expect.stringMatching(/Message delivered.*To barbara@example\.com/su),
    ])
    // Each step is one entry.
    expect(await page.locator('.chapter-title').allInnerTexts()).toEqual([
      'The beginning',
      'invitation',
      'acceptance',
    ])
    await page.getByText('Changed: invite').click()
    await page.getByRole('region', { name: 'Timeline' }).getByText('invitedBy').waitFor()
    expect(await page.getByRole('timer').innerText()).toMatch(/^2 d 23:5\d:\d\d$/u)

    const barbara = await openLink('barbara')
    await press(barbara, 'Continue')
    await fill(barbara, { Name: 'Barbara', Password: PASSWORD })
    await press(barbara, 'Create my account')
    await arrive(barbara, 'Hello, Barbara')
    await passSeconds(page)
    await page.locator('.badge[data-status="completed"]').waitFor()
    const events = await history(page)
    expect(events.at(-1)).toMatch(/Completed.*active → completed/su)
    expect((await steps.allInnerTexts())[1]).toMatch(/acceptance\s+done/u)
    for (const action of ['Cancel run', 'Extend', 'Resend', 'Retry']) {
      expect(await page.getByRole('button', { name: action }).count(), action).toBe(0)
    }
    const token = new URL(links.get('barbara')!).searchParams.get('wfs')!.split('.')[1]!
    const html = await page.content()
    for (const secret of [token, PASSWORD]) expect(html).not.toContain(secret)
  })

  it('are cancelled, with a reason, and their links do not work any more', async () => {
    const page = await openRun('alan')
    await press(page, 'Cancel run')
    const dialog = page.getByRole('dialog', { name: 'Cancel this run?' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel run' }).press('Enter')
    await dialog.getByLabel('Reason, for the history').fill('the wrong Alan')
    await dialog.getByRole('button', { name: 'Cancel the run' }).press('Enter')
    await page.getByRole('status').getByText('The run is cancelled.').waitFor()
    await page.locator('.badge[data-status="cancelled"]').waitFor()
    expect((await history(page)).at(-1)).toMatch(
      /Cancelled.*by admin@example\.com.*paused → cancelled.*Reason: the wrong Alan/su,
    )
    await arrive(await openLink('alan'), 'There is no open invitation here')
  })

  it('are extended, and not when they have changed meanwhile', async () => {
    const page = await openRun('donald')
    await press(page, 'Extend')
    const dialog = page.getByRole('dialog', { name: 'Give it more time' })
    await dialog.getByRole('radio', { name: 'A week' }).check()
    // Another admin is faster.
    const flowId = page.url().split('/').pop()
    const { version } = (await admin.get(`/api/admin/runs/${flowId}`)).body
    await admin.post(`/api/admin/runs/${flowId}/extend`, { version, ttlMs: 4 * 24 * 60 * 60_000 })
    await dialog.getByRole('button', { name: 'Extend' }).click()
    await dialog.getByText('The run has moved on since you looked at it.').waitFor()
    await page.getByText(String(version + 1), { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Extend' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^(?:6 d 23|7 d 00):/u)
  })

  it('that have expired say so, and their link works again when they are extended', async () => {
    await withRuns(app, async ({ runs, links: table }) => {
      const filter = { inviteEmail: 'john@example.com' }
      const { flowId } = (await runs.findOne({ filter }))!
      await table.updateMany({ flowId }, { expiresAt: Date.now() - 1000 })
    })
    await arrive(await openLink('john'), 'There is no open invitation here')
    const page = await openRun('john')
    await page.getByText('Its link has expired.').waitFor()
    await press(page, 'Extend')
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click()
    await page.getByText('Its link has expired.').waitFor({ state: 'detached' })
    await arrive(await openLink('john'), 'You are invited')
  })

  it('tell of their messages, which are sent again, also to another address', async () => {
    const page = await openRun('anita', /status of 400/u)
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByText('Delivered', { exact: true }).waitFor()
    expect(await messages.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/Delivered\s+anita@example\.com.*1 attempt.*Send again/su),
    ])
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshot(page, 'run-messages')

    // All of it by keyboard.
    await messages.getByRole('button', { name: 'Send again' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send this message again?' })
    await dialog.getByText('It goes out again with the same link.').waitFor()
    const to = dialog.getByLabel('To', { exact: true })
    await to.fill('anita@example.com, eve@example.com')
    await to.press('Enter')
    await dialog.getByRole('alert').getByText('is one e-mail address').waitFor()
    await to.fill('anita.borg@example.com')
    await dialog.getByText('It goes there with a new link').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshot(page, 'run-messages-dialog')
    await to.press('Enter')
    await page.getByRole('status').getByText('The message is on its way.').waitFor()
    await expect
      .poll(async () => {
        await passSeconds(page)
        return messages.getByRole('listitem').allInnerTexts()
      })
      .toEqual([
        expect.not.stringContaining('Send again'),
        expect.stringMatching(/Delivered\s+anita\.borg@example\.com.*Send again/su),
      ])
    await arrive(await openLink('anita'), 'There is no open invitation here')
    const anita = await openSite(app, linkIn(await app.mailTo('anita.borg@example.com')))
    await arrive(anita, 'You are invited')
  })

  it('get a new link, and the old one is dead', async () => {
    const page = await openRun('edsger')
    await press(page, 'Resend')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('edsger@example.com gets a new mail.').waitFor()
    await dialog.getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('status').getByText('A new link is sent.').waitFor()
    await expect.poll(async () => (await history(page)).at(-1)).toMatch(/Sent a new link/u)
    const old = links.get('edsger') ?? ''
    await expect
      .poll(async () => linkIn(await app.mailTo('edsger@example.com')), { timeout: 5000 })
      .not.toBe(old)
    const edsger = await openLink('edsger')
    await arrive(edsger, 'There is no open invitation here')
    await edsger.goto(linkIn(await app.mailTo('edsger@example.com')))
    await arrive(edsger, 'You are invited')
  })

  it('that have failed tell why, and are tried again', async () => {
    await failRun(app, 'ken@example.com')
    const list = await openAdmin('/admin/runs?state=error')
    await shownRuns(list, 1)
    const row = list.getByRole('row', { name: 'ken@example.com' })
    await row.getByText('WF_LOST').waitFor()
    expect(await row.locator('[data-label="Attempts"]').innerText()).toBe('6')
    const page = await openRun('ken')
    await page.getByText('It could not go on: WF_LOST').waitFor()
    await press(page, 'Retry')
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await page.locator('.badge[data-status="paused"]').waitFor()
    expect((await history(page)).slice(-2)).toEqual([
      expect.stringMatching(/Tried again.*by admin@example\.com.*failed → active/su),
      expect.stringMatching(/Waits for whoever has the link.*active → paused/su),
    ])
    const ken = await openLink('ken')
    await press(ken, 'Continue')
    await arrive(ken, 'Welcome')
  })

  it('that are gone are told of', async () => {
    const page = await openAdmin('/admin/runs/00000000-0000-4000-8000-000000000000')
    await arrive(page, 'This run is gone')
    await page.getByRole('link', { name: 'All durable runs' }).click()
    await arrive(page, 'Durable runs')
  })

  it('are for admins alone', async () => {
    const page = await openSite(app, '/admin/runs', { mayLog: MAY_REFUSE })
    await arrive(page, 'Sign in')
  })
})
