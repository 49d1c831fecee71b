import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { scaled } from '../support/scale'
import { withRuns } from './seed-runs'
import { adminOf, arrive, openSite, START_MS } from './site'

const RUNS = scaled(5000, 50_000)
const BATCH = 500
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What an operator still takes for at once, on a busy machine. */
const FLUID_MS = 1000

const STATUSES = [
  'paused',
  'completed',
  'completed',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
  const now = Date.now()
  await withRuns(app, async ({ runs }) => {
    for (let first = 0; first < RUNS; first += BATCH) {
      await runs.insertMany(Array.from({ length: BATCH }, (_, at) => runAt(first + at, now)))
    }
  })
}, START_MS * 3)

/** One of many, started over the last four weeks. */
function runAt(index: number, now: number) {
  const status = STATUSES[index % STATUSES.length]!
  const startedAt = now - Math.floor((28 * DAY * (index + 1)) / RUNS)
  const hasEnded = status !== 'paused'
  const email = `user-${index}@many.example`
  return {
    flowId: `01a00000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    schemaId: index % 5 === 0 ? 'users/other' : 'users/invite',
    status,
    version: 4,
    stepId: hasEnded && status !== 'failed' ? null : 'users/acceptance',
    attempts: status === 'failed' ? 3 : 0,
    startedAt,
    updatedAt: startedAt + MINUTE,
    completedAt: hasEnded ? startedAt + MINUTE : null,
    expiresAt: status === 'paused' ? startedAt + 7 * DAY : null,
    inviteEmail: email,
    inviteRole: 'member',
    state: {
      context: { invite: { email, role: 'member' }, notes: `number ${index} `.repeat(60) },
      indexes: [1],
    },
  }
}

/** From an action of the user to what it shows. */
async function timed(what: string, act: () => Promise<unknown>, shown: () => Promise<unknown>) {
  const start = performance.now()
  await act()
  await shown()
  const ms = Math.round(performance.now() - start)
  figures.push(`${what}: ${ms} ms`)
  return ms
}
const figures: string[] = []

/** A list that was asked for anew. */
const listed = (page: Page) =>
  page.waitForResponse(answer => new URL(answer.url()).pathname === '/api/admin/runs')

describeInBrowser(`${RUNS} runs in the console`, () => {
  it('stay fluid: lists, tabs, searches, pages, the funnel and the charts', async () => {
    const page = await openSite(app, '/', { as: admin })
    const row = page.getByRole('rowheader').first()
    const times = [
      await timed(
        'the list',
        () => page.goto('/admin/runs'),
        () => row.waitFor(),
      ),
      await timed(
        'the counts',
        async () => {},
        () =>
          page
            .getByText(/^Done [\d,]+$/iu)
            .filter({ hasNotText: /^Done 0$/iu })
            .waitFor(),
      ),
      await timed(
        'the charts',
        async () => {},
        () => page.locator('canvas').nth(2).waitFor({ state: 'attached' }),
      ),
    ]
    for (const state of ['live', 'error', 'done', 'cancelled', 'expired']) {
      const answer = listed(page)
      times.push(
        await timed(
          `the tab ${state}`,
          () => page.getByRole('radio', { name: new RegExp(`^${state}`, 'iu') }).check(),
          () => answer.then(() => row.waitFor()),
        ),
      )
    }
    const next = listed(page)
    times.push(
      await timed(
        'the next page',
        () => page.getByRole('button', { name: 'Next' }).click(),
        () => next.then(() => page.getByText('Page 2,').waitFor()),
      ),
    )
    times.push(
      await timed(
        'the steps of a workflow',
        () => page.getByLabel('Workflow', { exact: true }).selectOption('users/invite'),
        () => page.getByRole('button', { name: 'acceptance' }).waitFor(),
      ),
    )
    await page.goto('/admin/runs')
    await arrive(page, 'Durable runs')
    await row.waitFor()
    const search = page.getByRole('searchbox', { name: 'Search' })
    times.push(
      await timed(
        'a search, with the quarter of a second in which one types on',
        () => search.fill(`user-${RUNS - 1}@`),
        () => page.getByText('Page 1, 1 run').waitFor(),
      ),
    )
    await search.fill('')
    await page.getByText('Page 1, 20 runs').waitFor()
    await page.getByLabel('Search inside the contexts').check()
    times.push(
      await timed(
        'a search inside of 2,000 contexts',
        () => search.fill('no such thing'),
        () => page.getByText('2,000 this time').waitFor(),
      ),
    )
    console.log(figures.join('\n'))
    for (const [at, ms] of times.entries()) expect(ms, figures[at]).toBeLessThan(3 * FLUID_MS)
    const sorted = times.toSorted((one, other) => one - other)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(FLUID_MS)
  })
})
