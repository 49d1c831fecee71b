import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { seedExpense, seedFlows, seedInvitation, withFlows } from './seed-flows'
import {
  adminOf,
  arrive,
  linkIn,
  MAY_REFUSE,
  openSite,
  passSeconds,
  press,
  START_MS,
  withClock,
} from './site'

const EXPIRED = 3000
const NAMES = ['ada', 'alan', 'barbara', 'donald', 'edsger', 'grace', 'john', 'ken', 'linus', 'tim']

const INVITE = { email: 'barbara@example.com', role: 'member', invitedBy: 'Ada Admin' }

let app: ExampleApp
let admin: Visitor
const links = new Map<string, string>()
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
  for (const name of NAMES) {
    const role = name === 'ada' || name === 'grace' ? 'manager' : 'member'
    links.set(name, await seedInvitation(app, `${name}@example.com`, role))
  }
  for (const amount of [50, 500, 5000]) await seedExpense(app, amount)
}, START_MS)

const openAdmin = (path = '/admin') =>
  openSite(app, path, { as: admin, mayLog: MAY_REFUSE, before: withClock })

/** The column with the addresses, as it is shown. */
const invited = (page: Page) => page.locator('tbody td[data-label="Invited"]').allInnerTexts()

async function filter(page: Page, column: string, comparison: string, value?: string) {
  await page.getByLabel('Column', { exact: true }).selectOption({ label: column })
  await page.getByLabel('Comparison').selectOption({ label: comparison })
  if (value) await page.getByLabel('Value', { exact: true }).fill(value)
  await press(page, 'Add filter')
}

/** Opens the page of an invitation. */
async function openFlow(name: string): Promise<Page> {
  const page = await openAdmin(`/admin?search=${name}`)
  await page.getByText('1 to 1 of 1').waitFor()
  await page.getByRole('link', { name: 'users/invite' }).click()
  await arrive(page, 'users/invite')
  await page.getByRole('heading', { name: 'Steps' }).waitFor()
  return page
}

/** Says yes to what the page asks. */
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).click()

describeInBrowser('the admin console', () => {
  it('filters by the columns of the context, and shows the SQL', async () => {
    const page = await openAdmin()
    await page.getByText('1 to 13 of 13').waitFor()
    await filter(page, 'Role', 'is', 'manager')
    await page.getByText('1 to 2 of 2').waitFor()
    expect((await invited(page)).toSorted()).toEqual(['ada@example.com', 'grace@example.com'])
    await page.getByText('The SQL that runs').click()
    const sql = page.getByLabel('Statement 1')
    expect(await sql.innerText()).toContain('where "inviteRole" = ?')
    expect(await page.locator('.parameter').first().innerText()).toBe('"manager"')

    // The filter is in the address.
    await page.reload()
    await page.getByText('1 to 2 of 2').waitFor()
    await press(page, /Remove: Role is manager/u)
    await page.getByText('1 to 13 of 13').waitFor()
    await filter(page, 'Amount', 'at least', 'many')
    await page.getByRole('alert').getByText('Please type a number.').waitFor()
    await filter(page, 'Amount', 'at least', '500')
    await page.getByText('1 to 2 of 2').waitFor()
    await press(page, 'Clear all')
    await page.getByText('1 to 13 of 13').waitFor()
  })

  it('searches while one types, and says when there is nothing', async () => {
    const page = await openAdmin()
    await page.getByLabel('Search').pressSequentially('grace')
    await page.getByText('1 to 1 of 1').waitFor()
    expect(await invited(page)).toEqual(['grace@example.com'])
    await page.getByLabel('Search').fill('nobody-at-all')
    await page.getByText('No flow is like that.').waitFor()
    await press(page, 'Show all')
    await page.getByText('1 to 13 of 13').waitFor()
  })

  it('sorts by a heading and turns pages, by keyboard', async () => {
    const page = await openAdmin('/admin?size=10')
    await page.getByText('1 to 10 of 13').waitFor()
    const head = page.getByRole('columnheader', { name: 'Invited' })
    await head.getByRole('button').press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
    await head.getByRole('button').press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(async () => (await invited(page))[0]).toBe('tim@example.com')
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByText('11 to 13 of 13').waitFor()
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByRole('button', { name: 'Previous' }).press('Enter')
    await page.getByText('1 to 10 of 13').waitFor()
  })

  it('shows only one workflow at a click on its bar, and new flows as they come', async () => {
    const page = await openAdmin()
    const chart = page.getByRole('region', { name: 'By workflow' })
    await chart.getByRole('button', { name: 'approvals/expense' }).click()
    await page.getByText('1 to 3 of 3').waitFor()
    await app.visitor().wf({ wfid: 'auth/recover', input: { email: 'member@example.com' } })
    await passSeconds(page)
    await chart.getByRole('button', { name: 'auth/recover' }).waitFor()
    await chart.getByRole('button', { name: 'auth/recover' }).click()
    await page.getByText('1 to 1 of 1').waitFor()
    await page.getByRole('link', { name: 'auth/recover' }).click()
    await page.getByText('waiting here').waitFor()
    await admin.post(`/api/admin/flows/${page.url().split('/').pop()}/revoke`, { version: 1 })
    await passSeconds(page)
    await arrive(page, 'This flow is gone')
  })

  it('shows the steps, the context and the time that is left of a flow', async () => {
    // Something that no workflow should keep.
    await withFlows(app, async table => {
      const filter = { inviteEmail: 'barbara@example.com' }
      const { state } = (await table.findOne({ filter }))!
      const context = {
        ...(state.context as object),
        password: 'hunter2',
        invite: { ...INVITE, apiKey: 'hunter2' },
      }
      await table.updateMany(filter, { state: { ...state, context } })
    })
    const page = await openFlow('barbara')
    const steps = page.getByRole('region', { name: 'Steps' }).getByRole('listitem')
    expect(await steps.allInnerTexts()).toEqual([
      expect.stringMatching(/invitation\s+done/u),
      expect.stringMatching(/acceptance\s+waiting here/u),
    ])
    expect(await page.locator('[aria-current="step"]').innerText()).toContain('acceptance')
    await page.getByRole('region', { name: 'Context' }).getByText('barbara@example.com').waitFor()
    expect(await page.getByText('redacted').count()).toBe(2)
    expect(await page.content()).not.toContain('hunter2')
    const clock = page.getByRole('timer')
    const before = await clock.innerText()
    expect(before).toMatch(/^2 d 23:5\d:\d\d$/u)
    await expect.poll(() => clock.innerText(), { timeout: 5000 }).not.toBe(before)
  })

  it('revokes a flow, whose link does not work any more', async () => {
    const page = await openFlow('alan')
    await press(page, 'Revoke')
    const dialog = page.getByRole('dialog', { name: 'Revoke this flow?' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke' }).press('Enter')
    await dialog.getByRole('button', { name: 'Revoke' }).press('Enter')
    await arrive(page, 'Paused flows')
    await page.getByRole('status').getByText('The flow is revoked.').waitFor()
    const alan = await openSite(app, links.get('alan') ?? '', { mayLog: MAY_REFUSE })
    await arrive(alan, 'There is no open invitation here')
  })

  it('extends a flow, and refuses when it has changed meanwhile', async () => {
    const page = await openFlow('donald')
    await press(page, 'Extend')
    const dialog = page.getByRole('dialog', { name: 'Give it more time' })
    await dialog.getByRole('radio', { name: 'A week' }).check()
    // Another admin is faster.
    const id = page.url().split('/').pop()
    await admin.post(`/api/admin/flows/${id}/extend`, { version: 1, ttlMs: 60_000 })
    await dialog.getByRole('button', { name: 'Extend' }).click()
    await dialog.getByText('The flow has moved on since you looked at it.').waitFor()
    await page.getByText('2', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Extend' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^(?:9|10) d /u)
  })

  it('sends a new link, and the old one is dead', async () => {
    const page = await openFlow('edsger')
    await press(page, 'Resend')
    await page.getByRole('dialog').getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('status').getByText('A new link is sent.').waitFor()
    const old = links.get('edsger') ?? ''
    await expect
      .poll(async () => linkIn(await app.mailTo('edsger@example.com')), { timeout: 5000 })
      .not.toBe(old)
    const edsger = await openSite(app, old, { mayLog: MAY_REFUSE })
    await arrive(edsger, 'There is no open invitation here')
    await edsger.goto(linkIn(await app.mailTo('edsger@example.com')))
    await arrive(edsger, 'You are invited')
  })

  it('heals and cleans up, with a bar that tells how far it is', async () => {
    const page = await openAdmin()
    await press(page, 'Heal the table')
    await page
      .getByRole('dialog')
      .getByText(/The columns of \d+ flows are written anew/u)
      .waitFor()
    await confirm(page, 'Heal the table')
    await page.getByText(/\d+ looked at, 0 rewritten/u).waitFor()
    expect(await page.getByRole('progressbar', { name: 'Heal: progress' }).count()).toBe(1)
    const expired = { schemaId: 'users/invite', ageHours: 99, leftHours: -1 }
    await seedFlows(
      app,
      Array.from({ length: EXPIRED }, () => expired),
    )
    await passSeconds(page)
    const counted = page.getByLabel('How many there are').getByText(EXPIRED.toLocaleString('en-US'))
    await counted.waitFor()
    const removed = page.getByText(`${EXPIRED.toLocaleString('en-US')} removed`)
    const dialog = page.getByRole('dialog')
    await press(page, 'Remove expired flows')
    await dialog.getByText(`${EXPIRED.toLocaleString('en-US')} flows have expired.`).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await passSeconds(page)
    expect(await removed.count(), 'nothing is removed without a yes').toBe(0)
    await counted.waitFor()
    await press(page, 'Remove expired flows')
    await confirm(page, 'Remove expired flows')
    const bar = page.getByRole('progressbar', { name: 'Clean up: progress' })
    await bar.waitFor()
    await removed.waitFor()
    await counted.waitFor({ state: 'detached' })
  })

  it('says why a flow could not go on', async () => {
    await withFlows(app, async table => {
      const filter = { inviteEmail: 'edsger@example.com' }
      const { state } = (await table.findOne({ filter }))!
      const { pause, ...notes } = state.meta!.wf as { pause: object }
      const problem = { code: 'WF_DB_ROW', at: Date.now() - 60_000, times: 3 }
      await table.updateMany(filter, {
        state: { ...state, meta: { wf: { ...notes, pause: { ...pause, problem } } } },
      })
    })
    const page = await openFlow('edsger')
    await page.getByText(/It could not go on: WF_DB_ROW, 3 times, last .*minute/u).waitFor()
  })

  it('shows the last job when it opens, before it asks again', async () => {
    const page = await openAdmin()
    await press(page, 'Heal the table')
    await confirm(page, 'Heal the table')
    const result = page.getByText(/\d+ looked at, 0 rewritten/u)
    await result.waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.reload()
    await result.waitFor()
  })

  it('asks to sign in again once the session is over, and comes back', async () => {
    const page = await openAdmin('/admin?search=grace')
    await page.getByRole('table').waitFor()
    await page.context().clearCookies()
    await passSeconds(page)
    await arrive(page, 'Sign in')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/admin?search=grace')
  })

  it('remembers which columns one wants to see', async () => {
    const page = await openAdmin()
    await page.getByRole('table').waitFor()
    await page.getByText('Columns', { exact: true }).press('Enter')
    await page.getByRole('checkbox', { name: 'Approver' }).uncheck()
    expect(await page.getByRole('columnheader', { name: 'Approver' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('checkbox', { name: 'Approver' }).isVisible()).toBe(false)
    await page.reload()
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Approver' }).count()).toBe(0)
  })
})
