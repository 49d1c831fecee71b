import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import {
  type ExampleApp,
  startSharedApp,
  totpCode,
  type Visitor,
  wrongCode,
} from '../support/example-app'
import { accessibilityProblems, colorProblems } from './axe'
import { seedExpense, seedFlows, seedInvitation, type SeededFlow } from './seed-flows'
import { failRun, withRuns } from './seed-runs'
import {
  adminOf,
  arrive,
  fill,
  inviteBy,
  linkIn,
  MAY_REFUSE,
  openSite,
  PASSWORD,
  press,
  START_MS,
  visitorOf,
} from './site'

const WIDE = { width: 1100, height: 800 }
const PHONE = { width: 360, height: 740 }

let app: ExampleApp
let admin: Visitor
let member: Visitor
let manager: Visitor
let newcomer: Visitor
let links: { accept: string; approve: string; answered: string }
beforeAll(async () => {
  app = await startSharedApp({ DEMO_KILL: '1' })
  admin = await adminOf(app)
  member = await visitorOf(app, 'member')
  manager = await visitorOf(app, 'manager')
  newcomer = app.visitor()
  for (const [amount, reason] of [
    [420.5, 'A trip to Bern'],
    [1250, 'New chairs for the office'],
  ]) {
    await member.wf({ wfid: 'approvals/expense', input: { amount, currency: 'EUR', reason } })
  }
  const mail = await app.mailTo('manager@example.com', '420.50')
  const { body } = await manager.wf({ wfs: new URL(linkIn(mail)).searchParams.get('wfs') })
  await manager.wf({
    wfs: body.wfs,
    input: { comment: 'Why Bern, of all places?' },
  })
  for (const name of ['grace', 'alan', 'edsger', 'barbara', 'donald']) {
    const role = name === 'alan' ? 'manager' : 'member'
    await inviteBy(admin, app, `${name}@example.com`, role)
    await seedInvitation(app, `${name}@example.com`, role)
  }
  await seedFlows(app, [...pastFlows()])
  await seedExpense(app, 980)
  await failRun(app, 'edsger@example.com')
  await endRuns()
  const wfs = new URL(await inviteBy(admin, app, 'ida@example.com')).searchParams.get('wfs')
  await newcomer.wf({ wfs, input: { name: 'Ida', password: PASSWORD } })
  await app.visitor().wf({ wfid: 'auth/recover', input: { email: 'member@example.com' } })
  links = {
    accept: await inviteBy(admin, app, 'ada@example.com'),
    approve: linkIn(await app.mailTo('manager@example.com', '1,250.00')),
    answered: linkIn(mail),
  }
}, START_MS)

/** One was accepted, one was cancelled. */
async function endRuns() {
  const wfs = new URL(linkIn(await app.mailTo('barbara@example.com'))).searchParams.get('wfs')
  const input = { name: 'Barbara', password: 'a-long-enough-password' }
  await app.visitor().wf({ wfs, input })
  const { flowId, version } = await withRuns(
    app,
    async ({ runs }) => (await runs.findOne({ filter: { inviteEmail: 'donald@example.com' } }))!,
  )
  await admin.post(`/api/admin/runs/${flowId}/cancel`, { version, reason: 'Not this year' })
}

/** Of several workflows and ages, some of which have expired. */
function* pastFlows(): Iterable<SeededFlow> {
  for (let index = 0; index < 60; index++) {
    const schemaId = index % 3 === 0 ? 'users/invite' : 'approvals/expense'
    yield { schemaId, ageHours: index * 4, leftHours: 200 - index * 4 }
  }
  for (let index = 1; index < 10; index++) {
    yield { schemaId: 'legacy/onboarding', ageHours: index * 160, leftHours: 300 }
  }
}

const RUNNING = {
  id: '1',
  kind: 'heal',
  state: 'running',
  scanned: 620,
  changed: 12,
  total: 1000,
  startedAt: 0,
  finishedAt: null,
  message: null,
}

/** Gets as far as the key of an app. */
async function addAppKey(page: Page): Promise<string> {
  await fill(page, { 'Your password': PASSWORD })
  await press(page, 'Continue')
  await arrive(page, 'Add it to your app')
  return (await page.locator('.app-key-code').innerText()).replaceAll(/\s/gu, '')
}

/** Those that are laid out in another way on a phone. */
const DENSE = new Set([
  'home-admin',
  'approvals',
  'approve-form',
  'sign-in-mail',
  'admin',
  'flow',
  'runs',
  'runs-workflow',
  'runs-preview',
  'run',
])

interface Look {
  readonly path: () => string
  readonly title: string | RegExp
  readonly as?: () => Visitor
  /** What the browser says of statuses of 400 and more. */
  readonly mayLog?: RegExp
  /** What the server is made to say. */
  readonly stub?: (page: Page) => Promise<unknown>
  /** Brings the page into the state that is looked at. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

const LOOKS: Readonly<Record<string, Look>> = {
  home: { path: () => '/', title: 'Workflows that wait for people' },
  'home-admin': { path: () => '/', title: 'Hello, Ada Admin', as: () => admin },
  'sign-in': { path: () => '/sign-in', title: 'Sign in' },
  'sign-in-code': {
    path: () => '/sign-in',
    title: 'Sign in',
    prepare: async page => {
      await page.getByRole('button', { name: 'admin@example.com' }).click()
      await press(page, 'Sign in')
      await arrive(page, 'One more step')
    },
  },
  'sign-in-mail': {
    path: () => '/sign-in',
    title: 'Sign in',
    prepare: async page => {
      await page.getByRole('button', { name: 'admin@example.com' }).click()
      await press(page, 'Sign in')
      await arrive(page, 'One more step')
      await fill(page, { Code: wrongCode() })
      await press(page, 'Continue')
      await page.getByText('tries left.').waitFor()
      await press(page, 'Send me a code by mail')
      await arrive(page, 'Check your mail')
    },
  },
  security: { path: () => '/security', title: 'Secure your account', as: () => newcomer },
  'security-key': {
    path: () => '/security',
    title: 'Secure your account',
    as: () => newcomer,
    prepare: addAppKey,
  },
  'security-done': {
    path: () => '/security',
    title: 'Secure your account',
    as: () => newcomer,
    prepare: async page => {
      const key = await addAppKey(page)
      await fill(page, { Code: totpCode(0, key) })
      await press(page, 'Turn it on')
      await arrive(page, 'Your account has a second factor.')
    },
  },
  recover: { path: () => '/recover', title: 'Forgot your password?' },
  accept: { path: () => links.accept, title: 'You are invited' },
  'accept-form': {
    path: () => links.accept,
    title: 'You are invited',
    prepare: async page => {
      await press(page, 'Continue')
      await arrive(page, 'Welcome')
    },
  },
  'accept-gone': { path: () => '/accept', title: 'There is no open invitation here' },
  'approve-link': {
    path: () => links.approve,
    title: 'An expense waits for you',
    mayLog: MAY_REFUSE,
  },
  'approve-form': {
    path: () => links.approve,
    title: 'An expense waits for you',
    as: () => manager,
    prepare: async page => {
      await press(page, 'Continue')
      await arrive(page, 'Your decision')
    },
  },
  'approve-sign-in': {
    path: () => links.approve,
    title: 'An expense waits for you',
    mayLog: MAY_REFUSE,
    prepare: async page => {
      await press(page, 'Continue')
      await page.getByText('you are not signed in').waitFor()
    },
  },
  'approve-gone': {
    path: () => links.answered,
    title: 'There is nothing to decide here',
    mayLog: MAY_REFUSE,
  },
  decide: {
    path: () => '/approvals',
    title: 'My approvals',
    as: () => manager,
    prepare: async page => {
      await page.getByRole('link', { name: 'Decide' }).first().click()
      await arrive(page, 'Your decision')
    },
  },
  'approvals-manager': {
    path: () => '/approvals',
    title: 'My approvals',
    as: () => manager,
    prepare: page => page.getByRole('link', { name: 'Decide' }).first().waitFor(),
  },
  'expense-sent': {
    path: () => '/approvals/new',
    title: 'An expense',
    as: () => member,
    prepare: async page => {
      await fill(page, { Amount: '12', 'What was it for?': 'Pens' })
      await press(page, 'Submit')
      await arrive(page, 'Your expense is submitted')
    },
  },
  approvals: {
    path: () => '/approvals',
    title: 'My approvals',
    as: () => member,
    prepare: page => page.getByText('Why Bern').waitFor(),
  },
  expense: { path: () => '/approvals/new', title: 'An expense', as: () => member },
  invite: { path: () => '/invite', title: 'Invite someone', as: () => admin },
  inbox: {
    path: () => '/inbox',
    title: 'Inbox',
    prepare: page => page.getByRole('article').first().waitFor(),
  },
  missing: {
    path: () => '/no-such-page',
    title: 'There is no such page',
    mayLog: MAY_REFUSE,
  },
  denied: { path: () => '/admin', title: 'This page is for admins', as: () => member },
  admin: {
    path: () => '/admin',
    title: 'Paused flows',
    as: () => admin,
    // How it looks half way; the real thing is too fast to be caught.
    stub: page =>
      page.route('**/api/admin/jobs', route => route.fulfill({ json: { jobs: [RUNNING] } })),
    prepare: async page => {
      await page.getByRole('table').waitFor()
      await page.getByLabel('Column').selectOption('inviteRole')
      await page.getByLabel('Comparison').selectOption('filled')
      await press(page, 'Add filter')
      await page.getByText('The SQL that runs').click()
      await page.getByText('1 to 5 of 5').waitFor()
      await page.getByText('620 looked at so far').waitFor()
    },
  },
  'admin-cleanup': {
    path: () => '/admin',
    title: 'Paused flows',
    as: () => admin,
    prepare: async page => {
      await press(page, 'Remove expired flows')
      await page.getByRole('dialog').waitFor()
    },
  },
  'admin-all': {
    path: () => '/admin?size=10',
    title: 'Paused flows',
    as: () => admin,
    prepare: page => page.getByRole('table').waitFor(),
  },
  'admin-none': {
    path: () => '/admin?search=nobody-at-all',
    title: 'Paused flows',
    as: () => admin,
    prepare: page => page.getByText('No flow is like that.').waitFor(),
  },
  'flow-expired': {
    path: () => '/admin?status=expired&size=10',
    title: 'Paused flows',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('rowheader').first().getByRole('link').click()
      await page.getByText('It has expired.').or(page.getByText('was changed since')).waitFor()
    },
  },
  flow: {
    path: () => `/admin?search=${encodeURIComponent('member@example.com')}&sort=amount`,
    title: 'Paused flows',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('link', { name: 'approvals/expense' }).first().click()
      await arrive(page, 'approvals/expense')
      await page.getByRole('heading', { name: 'Context' }).waitFor()
    },
  },
  runs: {
    path: () => '/admin/runs',
    title: 'Durable runs',
    as: () => admin,
    prepare: page => page.getByRole('rowheader').first().waitFor(),
  },
  'runs-workflow': {
    path: () => '/admin/runs?workflow=users%2Finvite&state=live',
    title: 'Durable runs',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('button', { name: 'acceptance' }).waitFor()
      await page.getByLabel('All on this page').check()
      await press(page, /^Select all that match/u)
    },
  },
  'runs-preview': {
    path: () => '/admin/runs',
    title: 'Durable runs',
    as: () => admin,
    prepare: async page => {
      await page.getByLabel('All on this page').check()
      await press(page, 'Extend')
      await page.getByText('Left alone:').waitFor()
    },
  },
  'runs-none': {
    path: () => '/admin/runs?search=nobody-at-all',
    title: 'Durable runs',
    as: () => admin,
    prepare: page => page.getByText('No run is like that.').waitFor(),
  },
  run: {
    path: () => '/admin/runs?state=live',
    title: 'Durable runs',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('row', { name: 'grace@example.com' }).getByRole('link').click()
      await page.getByRole('heading', { name: 'Timeline' }).waitFor()
      await page.getByText('Changed: invite').click()
    },
  },
  'run-failed': {
    path: () => '/admin/runs?state=error',
    title: 'Durable runs',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('rowheader').first().getByRole('link').click()
      await page.getByText('It could not go on:').waitFor()
    },
  },
  'run-cancel': {
    path: () => '/admin/runs?state=live',
    title: 'Durable runs',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('row', { name: 'grace@example.com' }).getByRole('link').click()
      await press(page, 'Cancel run')
      await page.getByRole('dialog').waitFor()
    },
  },
  'flow-revoke': {
    path: () => '/admin?search=grace',
    title: 'Paused flows',
    as: () => admin,
    prepare: async page => {
      await page.getByRole('link', { name: 'users/invite' }).first().click()
      await press(page, 'Revoke')
      await page.getByRole('dialog').waitFor()
    },
  },
}

describeInBrowser('the pages', () => {
  it.each(Object.entries(LOOKS))(
    'give axe nothing to complain about, and fit a phone: %s',
    async (name, look) => {
      const page = await openSite(app, look.path(), {
        as: look.as?.(),
        viewport: WIDE,
        mayLog: look.mayLog,
        before: look.stub,
      })
      await arrive(page, look.title)
      await look.prepare?.(page)
      await page.getByText('One moment, please.').waitFor({ state: 'detached' })
      // The chart library sets its sizes by script, which the policy of the pages allows.
      const styled = page.locator('[style]:not(.uplot, .uplot *)')
      expect(await styled.count(), 'inline styles').toBe(0)
      await page.emulateMedia({ colorScheme: 'dark' })
      await screenshot(page, `page-${name}-dark`)
      expect(await colorProblems(page), 'dark').toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      await screenshot(page, `page-${name}-light`)
      expect(await accessibilityProblems(page), 'light').toEqual([])
      await page.setViewportSize(PHONE)
      await screenshot(page, `page-${name}-phone`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      if (DENSE.has(name)) expect(await accessibilityProblems(page), 'phone').toEqual([])
    },
  )
})
