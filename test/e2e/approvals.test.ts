import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import {
  arrive,
  fill,
  linkIn,
  MAY_REFUSE,
  openSite,
  passSeconds,
  press,
  visitorOf,
  START_MS,
  withClock,
} from './site'

let app: ExampleApp
let member: Visitor
let manager: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  member = await visitorOf(app, 'member')
  manager = await visitorOf(app, 'manager')
}, START_MS)

async function submit(page: Page, amount: string, reason: string): Promise<void> {
  await fill(page, { Amount: amount, 'What was it for?': reason })
  await press(page, 'Submit')
  await arrive(page, 'Your expense is submitted')
}

async function open(link: string, as?: Visitor): Promise<Page> {
  const page = await openSite(app, link, { as, mayLog: MAY_REFUSE })
  await arrive(page, 'An expense waits for you')
  await press(page, 'Continue')
  return page
}

async function decide(page: Page, decision: string, comment = ''): Promise<void> {
  await arrive(page, 'Your decision')
  await page.getByRole('radio', { name: decision, exact: false }).check()
  if (comment) await fill(page, { Comment: comment })
  await press(page, 'Decide')
}

const linkTo = async (email: string, subject: string) => linkIn(await app.mailTo(email, subject))

describeInBrowser('an expense', () => {
  it('is submitted, asked about, answered and approved, each with a link', async () => {
    const page = await openSite(app, '/approvals', { as: member, before: withClock })
    await page.getByText('No expenses yet.').waitFor()
    await page.getByRole('link', { name: 'New expense' }).click()
    await press(page, 'Submit')
    await page.getByRole('alert').getByText('Please check 2 fields.').waitFor()
    await submit(page, '420.50', 'A trip to Bern')
    await page.getByRole('link', { name: 'See where it stands' }).click()
    const card = page.getByRole('article').filter({ hasText: 'A trip to Bern' })
    await card.getByText('Waiting for a decision').waitFor()

    const asking = await open(await linkTo('manager@example.com', '420.50'), manager)
    await asking.getByText('member@example.com').waitFor()
    await decide(asking, 'ask')
    await asking.getByText('What do you want to know?').waitFor()
    await decide(asking, 'ask', 'Why Bern?')
    await asking.getByText('It is passed on').waitFor()
    await passSeconds(page)
    await card.getByText('A question for you').waitFor()

    const answering = await open(await linkTo('member@example.com', 'A question'), member)
    await arrive(answering, 'A question about your expense')
    await answering.getByText('Why Bern?').waitFor()
    await fill(answering, { 'Your answer': 'The customer is there.' })
    await press(answering, 'Answer')
    await answering.getByText('It is passed on').waitFor()

    const again = await app.mailTo('manager@example.com', '420.50')
    const deciding = await open(linkIn(again), manager)
    await deciding.getByText('The customer is there.').waitFor()
    await decide(deciding, 'approve')
    await arrive(deciding, 'The expense is approved.')
    await passSeconds(page)
    await card.getByText('Approved', { exact: true }).waitFor()
    await app.mailTo('member@example.com', 'Approved: 420.50')
  })

  it('waits in the list of whoever decides, and is rejected without an account', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '99', 'A chair')
    const list = await openSite(app, '/approvals', { as: manager, before: withClock })
    const waiting = list.getByRole('region', { name: 'Waiting for you' })
    await waiting.getByRole('heading', { name: 'A chair' }).waitFor()
    const deciding = await open(await linkTo('manager@example.com', '99.00'))
    await decide(deciding, 'reject', 'You have one.')
    await arrive(deciding, 'The expense is rejected.')
    await passSeconds(list)
    await waiting.waitFor({ state: 'detached' })
  })

  it('cannot be decided by the applicant, nor twice', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '77', 'Pens')
    const link = await linkTo('manager@example.com', '77.00')
    const own = await openSite(app, link, { as: member, mayLog: MAY_REFUSE })
    await press(own, 'Continue')
    await own.getByText('Nobody decides about their own expense.').waitFor()

    const deciding = await open(link, manager)
    await decide(deciding, 'approve')
    await arrive(deciding, 'The expense is approved.')
    await deciding.goto(link)
    await arrive(deciding, 'There is nothing to decide here')
  })
})
