import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { withFlows } from './seed-flows'
import { withRuns } from './seed-runs'
import { adminOf, arrive, fill, openSite, press, START_MS } from './site'

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
}, START_MS)

const rows = async () =>
  (await withFlows(app, table => table.count({}))) +
  (await withRuns(app, ({ runs }) => runs.count({})))

describeInBrowser('a page that is opened', () => {
  it.each([
    ['/sign-in', 'Sign in'],
    ['/recover', 'Forgot your password?'],
    ['/approvals/new', 'An expense'],
    ['/invite', 'Invite someone'],
  ])('starts no flow: %s', async (path, title) => {
    const starts: string[] = []
    const page = await openSite(app, path, {
      as: path === '/sign-in' ? undefined : admin,
      before: async one =>
        one.on('request', request => {
          if (request.method() === 'POST') starts.push(request.url())
        }),
    })
    await arrive(page, title)
    await page.reload()
    await arrive(page, title)
    expect(starts).toEqual([])
    expect(await rows()).toBe(0)
  })

  it('starts one with its first submit, and goes on with it', async () => {
    const page = await openSite(app, '/approvals/new', { as: admin })
    await fill(page, { Amount: '0', 'What was it for?': 'A boat' })
    await press(page, 'Submit')
    await page.getByText('More than nothing, please.').first().waitFor()
    expect(await rows()).toBe(1)
    await fill(page, { Amount: '500' })
    await press(page, 'Submit')
    await arrive(page, 'Your expense is submitted')
    expect(await rows()).toBe(1)
  })
})
