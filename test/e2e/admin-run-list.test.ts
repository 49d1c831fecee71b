import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { accessibilityProblems, colorProblems } from './axe'
import { failRun, withRuns } from './seed-runs'
import {
  adminOf,
  arrive,
  inviteBy,
  MAY_REFUSE,
  openSite,
  passSeconds,
  press,
  START_MS,
  withClock,
} from './site'

const NAMES = 'ada alan barbara donald edsger grace john ken'.split(' ')
const DAY = 24 * 60 * 60_000

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
  for (const name of NAMES) await inviteBy(admin, app, `${name}@list.example`)
  await failRun(app, 'ken@list.example')
  await change('alan', { expiresAt: Date.now() - 1000 })
  await withRuns(app, async ({ runs, links }) => {
    const { flowId } = (await runs.findOne({ filter: { inviteEmail: 'alan@list.example' } }))!
    await links.updateMany({ flowId }, { expiresAt: Date.now() - 1000 })
  })
  await change('donald', { updatedAt: Date.now() - 9 * DAY })
}, START_MS)

/** Changes the row of an invitation, behind the back of the application. */
const change = (name: string, row: object) =>
  withRuns(app, ({ runs }) => runs.updateMany({ inviteEmail: `${name}@list.example` }, row))

const rowOf = (name: string) =>
  withRuns(
    app,
    async ({ runs }) => (await runs.findOne({ filter: { inviteEmail: `${name}@list.example` } }))!,
  )

const open = (query = '', mayLog = MAY_REFUSE) =>
  openSite(app, `/admin/runs${query}`, { as: admin, mayLog, before: withClock })

const OURS = `where=${encodeURIComponent(
  JSON.stringify([{ column: 'inviteEmail', operator: '$contains', value: '@list.example' }]),
)}`
const invited = async (page: Page) =>
  (await page.locator('tbody td[data-label="Invited"]').allInnerTexts())
    .map(text => text.replace('@list.example', ''))
    .toSorted()
const shows = (page: Page, ...names: readonly string[]) =>
  expect.poll(() => invited(page), { timeout: 10_000 }).toEqual(names.toSorted())

describeInBrowser('the list of runs', () => {
  it('has a tab for each state, with how many there are', async () => {
    const page = await open(`?${OURS}`)
    await shows(page, ...NAMES)
    const tabs = page.getByRole('group', { name: 'State' })
    await expect
      .poll(() => tabs.innerText())
      .toMatch(/all\s*8\s*live\s*6\s*error\s*1\s*done\s*0\s*cancelled\s*0\s*expired\s*1/iu)
    await tabs.getByRole('radio', { name: /^expired/iu }).check()
    await shows(page, 'alan')
    await page.locator('.badge[data-status="expired"]').waitFor()
    // By keyboard too, and kept in the address.
    await tabs.getByRole('radio', { name: /^expired/iu }).press('ArrowLeft')
    await tabs.getByRole('radio', { name: /^cancelled/iu }).press('ArrowLeft')
    await tabs.getByRole('radio', { name: /^done/iu }).press('ArrowLeft')
    await shows(page, 'ken')
    await page.reload()
    await shows(page, 'ken')
  })

  it('has views that one can keep, told from now on', async () => {
    const page = await open()
    await page.getByRole('link', { name: 'Stuck over a week' }).click()
    await page.getByText('Updated is longer ago than 7 d').waitFor()
    await shows(page, 'donald')
    expect(page.url()).not.toMatch(/\d{13}/u)
    await page.getByRole('link', { name: 'Expiring today' }).click()
    await page.getByText('No run is like that.').waitFor()
  })

  it('searches the columns that it names, and inside of contexts when asked to', async () => {
    const page = await open(`?${OURS}`)
    await page.getByText(/^Looks at .*Workflow.*Invited/u).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('grace@')
    await passSeconds(page)
    await shows(page, 'grace')
    await page.getByRole('searchbox', { name: 'Search' }).fill('Ada Admin')
    await passSeconds(page)
    await page.getByText('No run is like that.').waitFor()
    await page.getByLabel('Search inside the contexts').check()
    await shows(page, ...NAMES)
    await page.getByText('8 this time').waitFor()
  })

  it('shows where the runs of a workflow stand, and those at one step', async () => {
    const page = await open(`?${OURS}`)
    await page.getByLabel('Workflow', { exact: true }).selectOption('users/invite')
    const funnel = page.getByRole('region', { name: 'Where users/invite stands' })
    await funnel.getByText('the oldest 9 days ago').waitFor()
    await funnel.getByRole('button', { name: 'invitation' }).press('Enter')
    await page.getByText('No run is like that.').waitFor()
    await funnel.getByRole('button', { name: 'invitation' }).press('Enter')
    await funnel.getByRole('button', { name: 'acceptance' }).press('Enter')
    await shows(page, ...NAMES)
  })

  it('has charts, and a table of each', async () => {
    const page = await open()
    const chart = page.getByRole('region', { name: 'Begun and ended', exact: true })
    await chart.locator('canvas').waitFor({ state: 'attached' })
    await chart.getByText('As a table').press('Enter')
    await chart.getByRole('columnheader', { name: 'started' }).waitFor()
    expect(await chart.getByRole('row').count()).toBe(29)
    await page.getByRole('radio', { name: 'day' }).check()
    await expect.poll(() => chart.getByRole('row').count()).toBe(25)
  })

  it('opens a run by a click anywhere on its row', async () => {
    const page = await open(`?${OURS}&state=error`)
    await page.getByText('WF_LOST').click()
    await arrive(page, 'users/invite')
  })

  it('gives a file of what is listed', async () => {
    const page = await open(`?${OURS}&state=expired`)
    await shows(page, 'alan')
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toBe('runs.csv')
    const href = (await page.getByRole('link', { name: 'JSON' }).getAttribute('href'))!
    const { body } = await admin.get(href)
    expect(body).toMatchObject([{ inviteEmail: 'alan@list.example', state: 'expired' }])
  })

  it('extends those that are selected, and says before what will happen', async () => {
    const page = await open(`?${OURS}`)
    for (const name of ['alan', 'ken']) {
      await page
        .getByRole('row', { name: `${name}@list.example` })
        .getByRole('checkbox')
        .check()
    }
    await page.getByText('2 selected.').waitFor()
    await page.getByRole('button', { name: 'Extend' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Give them more time' })
    await dialog.getByText('1 run of 2.').waitFor()
    await dialog.getByText('1 wait for nobody who has a link').waitFor()
    await dialog.getByRole('button', { name: 'Extend: 1 run' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => Number((await rowOf('alan')).expiresAt) > Date.now()).toBe(true)
  })

  it('cancels all that match, and not when it would be another number by now', async () => {
    const page = await open(`?${OURS}&state=live&search=@list.example`)
    await page.getByLabel('All on this page').press('Space')
    await press(page, /^Select all that match/u)
    await press(page, 'Cancel runs')
    const dialog = page.getByRole('dialog', { name: 'Cancel these runs?' })
    await dialog.getByText('7 runs of 7.').waitFor()
    const { flowId, version } = await rowOf('grace')
    await admin.post(`/api/admin/runs/${flowId}/cancel`, { version })
    await dialog.getByLabel('Reason, for the history').fill('spring cleaning')
    await dialog.getByRole('button', { name: 'Cancel runs: 7 runs' }).click()
    await dialog.getByText('It would be another number of runs by now.').waitFor()
    expect((await rowOf('ada')).status).toBe('paused')
    await dialog.getByRole('button', { name: 'Cancel runs: 6 runs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await rowOf('ada')).status).toBe('cancelled')
    const events = (await admin.get(`/api/admin/runs/${(await rowOf('ada')).flowId}`)).body.history
    expect(events.at(-1)).toMatchObject({
      type: 'cancelled',
      actor: 'admin@example.com',
      detail: { reason: 'spring cleaning' },
    })
  })

  it.each([
    ['375 px', 375, 1],
    ['200 %', 550, 2],
  ])('gives axe nothing to complain about at %s, light and dark', async (name, width, scale) => {
    const page = await openSite(app, `/admin/runs?workflow=users%2Finvite&size=10`, {
      as: admin,
      mayLog: MAY_REFUSE,
      viewport: { width, height: 740 },
      deviceScaleFactor: scale,
    })
    await page
      .getByRole('checkbox', { name: /^Select /u })
      .first()
      .check()
    await page.getByText('1 selected.').waitFor()
    await page.locator('canvas').first().waitFor({ state: 'attached' })
    expect(await accessibilityProblems(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colorProblems(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await screenshot(page, `run-list-${name.replaceAll(/\W/gu, '')}`)
  })

  it('says when the server does not answer, and goes on trying', async () => {
    const page = await open('', /status of 503|Failed to load/u)
    await page.route('**/api/admin/runs?*', route => route.fulfill({ status: 503, json: {} }))
    await passSeconds(page)
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/api/admin/runs?*')
    await passSeconds(page)
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
  })
})
