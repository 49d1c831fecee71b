import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import {
  arrive,
  fill,
  heading,
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

type Decision = 'Approve' | 'Reject' | 'Delegate' | 'Ask the applicant'

async function decide(page: Page, decision: Decision, comment = ''): Promise<void> {
  await arrive(page, 'Your decision')
  if (comment) await fill(page, { Comment: comment })
  await press(page, decision)
}

/** The link of a mail that says something. */
async function linkSaying(text: string): Promise<string> {
  const find = async () => (await app.mails()).find(mail => mail.text.includes(text))
  await expect.poll(find).toBeDefined()
  return linkIn((await find())!)
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
    await decide(asking, 'Ask the applicant')
    await asking.getByText('What do you want to know?').waitFor()
    await decide(asking, 'Ask the applicant', 'Why Bern?')
    await asking.getByText('It is passed on').waitFor()
    await passSeconds(page)
    await card.getByText('A question for you').waitFor()

    const answering = await open(await linkTo('member@example.com', 'A question'), member)
    await arrive(answering, 'A question about your expense')
    await answering.getByText('Why Bern?').waitFor()
    await fill(answering, { 'Your answer': 'The customer is there.' })
    await press(answering, 'Answer')
    await answering.getByText('It is passed on').waitFor()

    const deciding = await open(await linkSaying('They have answered'), manager)
    await deciding.getByText('The customer is there.').waitFor()
    await decide(deciding, 'Approve')
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
    await decide(deciding, 'Reject', 'You have one.')
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
    await own.getByText('This was sent to somebody else').waitFor()

    const deciding = await open(link, manager)
    await decide(deciding, 'Approve')
    await arrive(deciding, 'The expense is approved.')
    await deciding.goto(link)
    await arrive(deciding, 'There is nothing to decide here')
  })

  it('can be opened, closed, opened on the phone and answered there', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '61', 'A lamp')
    const link = await linkTo('manager@example.com', '61.00')
    const desk = await open(link, manager)
    await arrive(desk, 'Your decision')
    await fill(desk, { Comment: 'I have to think about it.' })
    await desk.close()

    const phone = await open(link)
    await phone.getByText('A lamp').waitFor()
    const again = await open(link, manager)
    await arrive(again, 'Your decision')
    await decide(phone, 'Approve')
    await arrive(phone, 'The expense is approved.')
    // Whoever has it open still is told, and so is whoever opens it later.
    await press(again, 'Reject')
    for (const late of [again, await openSite(app, link, { mayLog: MAY_REFUSE })]) {
      await arrive(late, 'There is nothing to decide here')
      await late.getByText('This was answered already, just now.').waitFor()
    }
    // The page where it was submitted has seen it.
    await arrive(page, 'Your expense is decided')
  })

  it('is decided once by two tabs that answer at the same time', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '62', 'A desk')
    const link = await linkTo('manager@example.com', '62.00')
    const tabs = await Promise.all([open(link), open(link, manager)])
    for (const tab of tabs) await arrive(tab, 'Your decision')
    await Promise.all([press(tabs[0]!, 'Approve'), press(tabs[1]!, 'Reject')])
    const ends = tabs.map(async tab => {
      const done = heading(tab, /^The expense is (?:approved|rejected)\.$/u)
      const gone = heading(tab, 'There is nothing to decide here')
      const busy = tab.getByRole('alert').getByText('Please try again')
      await done.or(gone).or(busy).waitFor()
      if (await busy.isVisible()) await press(tab, /^(?:Approve|Reject)$/u)
      await done.or(gone).waitFor()
      return done.isVisible()
    })
    expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1)
    await expect
      .poll(async () => (await app.mails()).filter(({ subject }) => /ed: 62.00/u.test(subject)), {
        timeout: 5000,
      })
      .toHaveLength(2)
  })

  it('is decided from the list, without the mail, whose link works until then', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '63', 'A shelf')
    const link = await linkTo('manager@example.com', '63.00')
    const list = await openSite(app, '/approvals', { as: manager, mayLog: MAY_REFUSE })
    const card = list.getByRole('article').filter({ hasText: 'A shelf' })
    await card.getByRole('link', { name: /^Decide\b/u }).click()
    await arrive(list, 'Your decision')
    await list.getByText('member@example.com').waitFor()
    await list.reload()
    await arrive(list, 'Your decision')
    const mailed = await open(link)
    await arrive(mailed, 'Your decision')

    await press(list, 'Ask the applicant')
    await list.getByText('What do you want to know?').waitFor()
    await decide(list, 'Reject', 'There is no wall.')
    await arrive(list, 'The expense is rejected.')
    await press(mailed, 'Approve')
    await arrive(mailed, 'There is nothing to decide here')
    await list.goBack()
    await list.goForward()
    await arrive(list, 'There is nothing to decide here')
  })

  it('is watched by the page that has submitted it, also after a reload', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '64', 'A plant')
    await page.reload()
    await arrive(page, 'Your expense is submitted')
    const asking = await open(await linkTo('manager@example.com', '64.00'), manager)
    await decide(asking, 'Ask the applicant', 'Which one?')
    await asking.getByText('It is passed on').waitFor()
    await arrive(page, 'Something has happened')
    await press(page, 'Submit another')
    await arrive(page, 'An expense')
  })

  it('keeps what was typed over a reload, before it is submitted', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await fill(page, { Amount: '65', 'What was it for?': 'A long story' })
    await page.reload()
    expect(await page.getByLabel('What was it for?').inputValue()).toBe('A long story')
    await press(page, 'Submit')
    await arrive(page, 'Your expense is submitted')
  })

  it('over the limit takes two of three, who sign in for it, while the applicant sees who is missing', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '2500', 'A piano')
    const list = await openSite(app, '/approvals', { as: member, before: withClock })
    const card = list.getByRole('article').filter({ hasText: 'A piano' })
    const asked = card.getByRole('list', { name: 'Who is asked' }).getByRole('listitem')
    await expect.poll(() => asked.count()).toBe(3)
    await card.getByText('0 of 2 approvals').waitFor()

    const first = await open(await linkTo('manager@example.com', '2,500.00'))
    await first.getByText('you are not signed in').waitFor()
    expect(await first.content()).not.toContain('piano')
    await first.getByRole('link', { name: 'Sign in', exact: true }).last().click()
    await fill(first, { 'E-mail': 'manager@example.com', Password: 'manager-password' })
    await press(first, 'Sign in')
    await arrive(first, 'An expense waits for you')
    await press(first, 'Continue')
    await decide(first, 'Approve', 'I can play.')
    await first.getByText('It is noted, and others are asked.').waitFor()
    await passSeconds(list)
    await card.getByText('1 of 2 approvals').waitFor()
    await card.getByText('I can play.').waitFor()
    expect(await asked.allInnerTexts()).toEqual([
      'manager@example.com has approved',
      'second-manager@example.com has not answered yet',
      'admin@example.com has not answered yet',
    ])

    const link = await linkTo('second-manager@example.com', '2,500.00')
    const other = await open(link, manager)
    await other.getByText('You are signed in as manager@example.com.').waitFor()
    const second = await openSite(app, '/approvals', { as: await visitorOf(app, 'second-manager') })
    await second
      .getByRole('article')
      .filter({ hasText: 'A piano' })
      .getByRole('link', { name: /^Decide\b/u })
      .click()
    await decide(second, 'Approve')
    await arrive(second, 'The expense is approved.')
    await passSeconds(list)
    await card.getByText('Approved', { exact: true }).waitFor()
  })

  it('is delegated to a colleague: the former link is dead at once', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '66', 'A globe')
    const link = await linkTo('manager@example.com', '66.00')
    const delegating = await open(link, manager)
    const other = await open(link)
    await arrive(other, 'Your decision')
    await arrive(delegating, 'Your decision')
    await fill(delegating, { 'Delegate to': 'nobody@example.com' })
    await press(delegating, 'Delegate')
    await delegating.getByText('Nobody here has this address.').first().waitFor()
    await fill(delegating, { 'Delegate to': 'second-manager@example.com' })
    await press(delegating, 'Delegate')
    await arrive(delegating, 'Thank you')
    await press(other, 'Approve')
    await arrive(other, 'There is nothing to decide here')
    const deciding = await open(await linkTo('second-manager@example.com', '66.00'))
    await deciding.getByText('delegated to second-manager@example.com').waitFor()
    await decide(deciding, 'Approve')
    await arrive(deciding, 'The expense is approved.')
  })

  it('is withdrawn by its applicant: the link is dead, and whoever was asked is told', async () => {
    const page = await openSite(app, '/approvals/new', { as: member })
    await submit(page, '67', 'A drum')
    const deciding = await open(await linkTo('manager@example.com', '67.00'), manager)
    await arrive(deciding, 'Your decision')
    const list = await openSite(app, '/approvals', { as: member })
    const card = list.getByRole('article').filter({ hasText: 'A drum' })
    await card.getByText('Withdraw', { exact: false }).first().click()
    await card.getByLabel('Why?').fill('Too loud.')
    await card.getByRole('button', { name: 'Withdraw the expense' }).click()
    await card.getByText('Withdrawn', { exact: true }).waitFor()
    expect(await card.getByRole('button').count()).toBe(0)
    await press(deciding, 'Approve')
    await arrive(deciding, 'There is nothing to decide here')
    const { text } = await app.mailTo('manager@example.com', 'Withdrawn: 67.00 EUR')
    expect(text).toContain('Too loud.')
    await arrive(page, 'It was withdrawn')
  })
})
