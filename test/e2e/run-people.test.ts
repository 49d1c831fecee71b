import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { accessibilityProblems, colorProblems } from './axe'
import { askSeveral, withRuns } from './seed-runs'
import {
  adminOf,
  arrive,
  inviteBy,
  linkIn,
  MAY_REFUSE,
  openSite,
  passSeconds,
  press,
  START_MS,
  withClock,
} from './site'

const [ADA, BOB, CLEO, DAN] = ['ada', 'bob', 'cleo', 'dan'].map(name => `${name}@people.example`)
const NARROW = { viewport: { width: 375, height: 800 } }

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
  for (const email of [ADA!, DAN!]) {
    await inviteBy(admin, app, email)
    await app.mailTo(email)
  }
  await askSeveral(app, ADA!, [BOB!, CLEO!])
}, START_MS)

const pathOf = (inviteEmail: string) =>
  withRuns(app, async ({ runs }) => {
    const { flowId } = (await runs.findOne({ filter: { inviteEmail } }))!
    return `/admin/runs/${flowId}`
  })

async function openRun(inviteEmail: string, options: object = {}): Promise<Page> {
  const path = await pathOf(inviteEmail)
  const given = { as: admin, mayLog: MAY_REFUSE, before: withClock, ...options }
  const page = await openSite(app, path, given)
  await arrive(page, 'users/invite')
  await page.getByRole('region', { name: 'People' }).waitFor()
  return page
}

const people = (page: Page) =>
  page.getByRole('region', { name: 'People' }).getByRole('listitem').allInnerTexts()
const lastOf = async (page: Page) => (await page.locator('.event-entry').allInnerTexts()).at(-1)

describeInBrowser('the people of a run in the console', () => {
  it('are shown with what they have said, and what is needed', async () => {
    const page = await openRun(ADA!)
    await page.getByText('2 of 3 must agree. 1 has agreed.').waitFor()
    expect(await people(page)).toEqual([
      expect.stringMatching(/Waiting\s+ada@people\.example\s+Link ends in [23] days.*Reassign/su),
      expect.stringMatching(/Agreed\s+bob@people\.example.*Chosen: approve.*What they have said/su),
      expect.stringMatching(/Waiting\s+cleo@people\.example.*Reassign/su),
    ])
    const block = page.getByRole('region', { name: 'People' })
    await block.getByText('What they have said').click()
    await block.getByText('Welcome her.').waitFor()
    expect(await lastOf(page)).toMatch(/Agreed.*bob@people\.example.*Chosen: approve/su)
    // Whoever opens the link is counted, and what that is worth is said.
    await fetch(linkIn(await app.mailTo(ADA!)).replace('/accept', '/api/wf'))
    await expect
      .poll(async () => {
        await passSeconds(page)
        return (await people(page))[0]
      })
      .toMatch(/Opened once, last .*; scanners of mails open links too/u)
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshot(page, 'run-people')
    const dark = await openRun(ADA!, { colorScheme: 'dark' })
    expect(await colorProblems(dark)).toEqual([])
    await screenshot(dark, 'run-people-dark')
    const narrow = await openRun(ADA!, NARROW)
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(375)
    await screenshot(narrow, 'run-people-narrow')
  })

  it('show their mails as they were sent, without the link', async () => {
    const page = await openRun(ADA!)
    const before = await app.mailTo(ADA!)
    await page.getByRole('button', { name: /^Show the mail/u }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'You are invited' })
    await dialog.getByText('Accept the invitation: [link removed]').waitFor()
    await dialog.getByText('Ada Admin invites you to join as member.').waitFor()
    const raw = new URL(linkIn(before)).searchParams.get('wfs')!.split('.')[1]!
    expect(await page.content()).not.toContain(raw)
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshot(page, 'run-mail')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const narrow = await openRun(ADA!, { ...NARROW, colorScheme: 'dark' })
    await press(narrow, /^Show the mail/u)
    await narrow.getByRole('dialog').getByText('[link removed]').waitFor()
    expect(await colorProblems(narrow)).toEqual([])
    await screenshot(narrow, 'run-mail-narrow-dark')
  })

  it('give their part to somebody else, with a reason, and say so', async () => {
    const page = await openRun(ADA!, { mayLog: /status of 4(?:00|09)/u })
    const block = page.getByRole('region', { name: 'People' })
    await block.getByRole('button', { name: 'Reassign' }).last().press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Give it to somebody else?' })
    const to = dialog.getByLabel('To whom')
    await to.fill('not an address')
    await to.press('Enter')
    await dialog.getByRole('alert').getByText('is one e-mail address').waitFor()
    await to.fill(BOB!)
    await to.press('Enter')
    await dialog.getByRole('alert').getByText('They are asked already').waitFor()
    await to.fill('eve@people.example')
    await dialog.getByLabel('Reason, for the history').fill('on holiday')
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshot(page, 'run-people-dialog')
    await to.press('Enter')
    await page.getByRole('status').getByText('eve@people.example is on its way.').waitFor()
    await expect
      .poll(async () => {
        await passSeconds(page)
        return (await people(page))[2]
      })
      .toMatch(/Waiting\s+eve@people\.example.*In place of cleo@people\.example: on holiday/su)
    await expect
      .poll(() => page.locator('.event-entry[data-type="reassigned"]').innerText())
      .toMatch(
        /Given to somebody else.*by admin@.*cleo@people\.example → eve@.*Reason: on holiday/su,
      )
    expect((await app.mailTo('eve@people.example')).text).toContain('/accept?wfs=')
  })

  it('are given to somebody else all at once, with a count before', async () => {
    const where = JSON.stringify([
      { column: 'inviteEmail', operator: '$contains', value: '@people.example' },
    ])
    const page = await openSite(app, `/admin/runs?where=${encodeURIComponent(where)}`, {
      as: admin,
      mayLog: MAY_REFUSE,
    })
    await page.getByLabel('All on this page').check()
    await press(page, /^Select all that match/u)
    await press(page, 'Reassign')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Say whose it is, and who gets it.').waitFor()
    await dialog.getByLabel('Whose').fill('DAN@people.example')
    await dialog.getByLabel('To whom').fill('fay@people.example')
    await dialog.getByText('1 run of 2.').waitFor()
    await dialog.getByText('1 do not wait for them').waitFor()
    await dialog.getByLabel('Reason, for the history').fill('has left')
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshot(page, 'runs-reassign')
    // What was counted for another address is not done.
    await dialog.getByLabel('Whose').fill('nobody@people.example')
    await dialog.getByText('0 runs of 2.').waitFor()
    await dialog.getByLabel('Whose').fill(DAN!)
    await dialog.getByRole('button', { name: 'Reassign: 1 run' }).click()
    await page.getByRole('status').getByText('Done: 1 run.').waitFor()
    expect((await app.mailTo('fay@people.example')).text).toContain('/accept?wfs=')
    const run = await openRun(DAN!)
    expect(await people(run)).toEqual([
      expect.stringMatching(/Waiting\s+fay@.*In place of dan@people\.example: has left/su),
    ])
  })
})
