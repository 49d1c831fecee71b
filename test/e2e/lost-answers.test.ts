import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, totpCode, type Visitor } from '../support/example-app'
import { comeBackOnline, loseNextAnswer, MAY_LOSE } from './lost-answers'
import {
  adminOf,
  arrive,
  fill,
  inviteBy,
  linkIn,
  openSite,
  PASSWORD,
  press,
  START_MS,
  visitorOf,
} from './site'

const ADMIN = 'admin@example.com'
const MANAGER = 'manager@example.com'
const UNREACHABLE = 'The server could not be reached. Please try again.'

let app: ExampleApp
let admin: Visitor
let member: Visitor
let manager: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
  member = await visitorOf(app, 'member')
  manager = await visitorOf(app, 'manager')
}, START_MS)

let count = 0
const newAmount = () => ++count + 100
const newAddress = () => `lost-${++count}@example.com`

const site = (path: string, as?: Visitor) => openSite(app, path, { as, mayLog: MAY_LOSE })

const mailsTo = async (to: string, subject: string) =>
  (await app.mails()).filter(mail => mail.to === to && mail.subject.includes(subject)).length

/** Somebody with an account of their own. */
async function newcomer() {
  const email = newAddress()
  const link = await inviteBy(admin, app, email)
  const visitor = app.visitor()
  const wfs = new URL(link).searchParams.get('wfs')
  await visitor.wf({ wfs, input: { name: 'Ida', password: PASSWORD } })
  return { email, visitor }
}

async function submitted(amount: number) {
  const input = { amount, currency: 'EUR', reason: 'A chair' }
  await member.wf({ wfid: 'approvals/expense', input })
  return linkIn(await app.mailTo(MANAGER, `${amount}.00`))
}

async function opened(link: string, as?: Visitor): Promise<Page> {
  const page = await site(link, as)
  await press(page, 'Continue')
  return page
}

/** A form that was filled in, and what comes of it. */
interface Filled {
  readonly page: Page
  readonly button: string
  /** The heading of what the server has answered. */
  readonly outcome: string
  /** Whether that outcome is told to have been received before; else the page is left at once. */
  readonly isTold?: boolean
  /** Says how often it was done, or looks at what it has brought. */
  readonly once?: () => Promise<unknown>
}

const DONE = 'This was done already'

const FLOWS: Readonly<Record<string, () => Promise<Filled>>> = {
  'a password with a second factor': async () => {
    const page = await site('/sign-in')
    await fill(page, { 'E-mail': ADMIN, Password: 'admin-password' })
    return { page, button: 'Sign in', outcome: 'One more step' }
  },
  'a sign-in': async () => {
    const page = await site('/sign-in')
    await fill(page, { 'E-mail': 'member@example.com', Password: 'member-password' })
    return { page, button: 'Sign in', outcome: DONE, isTold: false, once: () => signInAgain(page) }
  },
  'a second factor': async () => {
    const page = await site('/sign-in')
    await fill(page, { 'E-mail': ADMIN, Password: 'admin-password' })
    await press(page, 'Sign in')
    await press(page, 'Use a recovery code')
    await fill(page, { 'Recovery code': `demo-000${(++count % 5) + 1}` })
    return { page, button: 'Continue', outcome: DONE, isTold: false, once: () => signInAgain(page) }
  },
  'a request for a code': async () => {
    const page = await site('/sign-in')
    await fill(page, { 'E-mail': ADMIN, Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    const before = await mailsTo(ADMIN, 'Your code')
    const once = async () => expect(await mailsTo(ADMIN, 'Your code')).toBe(before + 1)
    return { page, button: 'Send me a code by mail', outcome: 'Check your mail', once }
  },
  'a forgotten password': async () => {
    const { email } = await newcomer()
    const page = await site('/recover')
    await fill(page, { 'E-mail': email })
    const once = () => expect.poll(() => mailsTo(email, 'Set a new password')).toBe(1)
    return { page, button: 'Send me a link', outcome: 'Look into your mail', once }
  },
  'a new password': async () => {
    const { email } = await newcomer()
    await app.visitor().wf({ wfid: 'auth/recover', input: { email } })
    const page = await opened(linkIn(await app.mailTo(email, 'Set a new password')))
    await fill(page, { 'New password': 'another-long-password' })
    const once = () => expect.poll(() => mailsTo(email, 'Your password was changed')).toBe(1)
    return { page, button: 'Save the password', outcome: 'Sign in', isTold: false, once }
  },
  'an invitation': async () => {
    const email = newAddress()
    const page = await site('/invite', admin)
    await fill(page, { 'E-mail': email })
    await page.getByRole('radio', { name: 'manager', exact: false }).check()
    const once = () => expect.poll(() => mailsTo(email, '')).toBe(1)
    return { page, button: 'Send the invitation', outcome: 'The invitation is on its way', once }
  },
  'an invitation that is accepted': async () => {
    const email = newAddress()
    const page = await opened(await inviteBy(admin, app, email))
    await fill(page, { Name: 'Grace', Password: PASSWORD })
    const once = async () => {
      expect((await app.visitor().signIn(email, PASSWORD)).body.finished).toBe(true)
      await page.getByText('Your account is there.').waitFor()
      await page.getByRole('link', { name: 'sign in', exact: true }).click()
      await arrive(page, 'Sign in')
    }
    return { page, button: 'Create my account', outcome: DONE, isTold: false, once }
  },
  'an expense': async () => {
    const amount = newAmount()
    const page = await site('/approvals/new', member)
    await fill(page, { Amount: String(amount), 'What was it for?': 'A chair' })
    const once = () => expect.poll(() => mailsTo(MANAGER, `${amount}.00`)).toBe(1)
    return { page, button: 'Submit', outcome: 'Your expense is submitted', once }
  },
  'an approval': async () => {
    const amount = newAmount()
    const page = await opened(await submitted(amount))
    const once = () => expect.poll(() => mailsTo(MANAGER, `Approved: ${amount}`)).toBe(1)
    return { page, button: 'Approve', outcome: 'The expense is approved.', once }
  },
  'a question': async () => {
    const amount = newAmount()
    const page = await opened(await submitted(amount), manager)
    await fill(page, { Comment: 'Why?' })
    const once = () => expect.poll(() => mailsTo('member@example.com', `of ${amount}.00`)).toBe(1)
    return { page, button: 'Ask the applicant', outcome: 'Thank you', once }
  },
  'an answer': async () => {
    const amount = newAmount()
    const wfs = new URL(await submitted(amount)).searchParams.get('wfs')
    await manager.wf({ wfs, input: { comment: 'Why?' } })
    const page = await opened(linkIn(await app.mailTo('member@example.com', `of ${amount}.00`)))
    await fill(page, { 'Your answer': 'Mine is broken.' })
    const once = () => expect.poll(() => mailsTo(MANAGER, `${amount}.00`)).toBe(2)
    return { page, button: 'Answer', outcome: 'Thank you', once }
  },
  'a decision without the mail': async () => {
    const amount = newAmount()
    const page = await ownDecision(amount)
    const once = () => expect.poll(() => mailsTo(MANAGER, `Rejected: ${amount}`)).toBe(1)
    return { page, button: 'Reject', outcome: 'The expense is rejected.', once }
  },
  'the password for a second factor': async () => {
    const { visitor } = await newcomer()
    const page = await site('/security', visitor)
    await fill(page, { 'Your password': PASSWORD })
    return { page, button: 'Continue', outcome: 'Add it to your app' }
  },
  'a new second factor': async () => {
    const { email, visitor } = await newcomer()
    const page = await site('/security', visitor)
    await fill(page, { 'Your password': PASSWORD })
    await press(page, 'Continue')
    const key = await page.locator('.app-key-code').innerText()
    await fill(page, { Code: totpCode(0, key.replaceAll(/\s/gu, '')) })
    const once = async () => {
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
      expect(await codes.count()).toBe(8)
      const code = await codes.first().innerText()
      const other = app.visitor()
      const { body } = await other.signIn(email, PASSWORD)
      const { wfs } = (await other.wf({ wfs: body.wfs, action: 'recovery' })).body
      expect((await other.wf({ wfs, input: { code } })).body.finished).toBe(true)
    }
    return { page, button: 'Turn it on', outcome: 'Your account has a second factor.', once }
  },
}

async function ownDecision(amount: number): Promise<Page> {
  await submitted(amount)
  const { body } = await manager.get('/api/approvals')
  const { id } = body.waiting.find((one: { amount: number }) => one.amount === amount)
  const page = await site(`/approvals/${id}`, manager)
  await arrive(page, 'Your decision')
  return page
}

/** A session is not given twice. */
async function signInAgain(page: Page) {
  await page.getByText('Please sign in again.').waitFor()
  await press(page, 'Start again')
  await arrive(page, 'Sign in')
}

const WAYS: Readonly<Record<string, (page: Page, button: string) => Promise<void>>> = {
  'by the button': (page, button) => press(page, button),
  'by coming back online': page => comeBackOnline(page),
}

const CASES = Object.keys(FLOWS).flatMap(flow => Object.keys(WAYS).map(way => [flow, way] as const))

describeInBrowser('an answer that was lost', () => {
  it.each(CASES)('is given again, and nothing is done twice: %s, %s', async (flow, way) => {
    const { page, button, outcome, isTold = true, once } = await FLOWS[flow]!()
    await loseNextAnswer(page)
    await press(page, button)
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor()
    await WAYS[way]!(page, button)
    await arrive(page, outcome)
    if (isTold) await page.getByText('Already received: nothing was done twice.').waitFor()
    await once?.()
  })

  it('is given again when a link was opened', async () => {
    const page = await site(await submitted(newAmount()))
    await arrive(page, 'An expense waits for you')
    await loseNextAnswer(page)
    await press(page, 'Continue')
    await arrive(page, 'That did not work')
    await press(page, 'Try again')
    await arrive(page, 'Your decision')
  })

  it('is given again where it was the token of a decision', async () => {
    const amount = newAmount()
    const page = await ownDecision(amount)
    await loseNextAnswer(page, '**/api/approvals/*/token')
    await press(page, 'Approve')
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor()
    await press(page, 'Approve')
    await arrive(page, 'The expense is approved.')
    await expect.poll(() => mailsTo(MANAGER, `Approved: ${amount}`)).toBe(1)
  })

  it('is the one that counts, whatever is typed meanwhile', async () => {
    const [amount, other] = [newAmount(), newAmount()]
    const page = await site('/approvals/new', member)
    await fill(page, { Amount: String(amount), 'What was it for?': 'A chair' })
    await loseNextAnswer(page)
    await press(page, 'Submit')
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor()
    await fill(page, { Amount: String(other) })
    await press(page, 'Submit')
    await arrive(page, 'Your expense is submitted')
    await page.getByText('Already received').waitFor()
    expect(await mailsTo(MANAGER, `${amount}.00`)).toBe(1)
    expect(await mailsTo(MANAGER, `${other}.00`)).toBe(0)
  })

  it('is given again after a reload, for which passwords are typed again', async () => {
    const page = await site('/sign-in')
    await fill(page, { 'E-mail': ADMIN, Password: 'admin-password' })
    await loseNextAnswer(page)
    await press(page, 'Sign in')
    await page.getByRole('alert').getByText(UNREACHABLE).waitFor()
    await page.reload()
    await arrive(page, 'Sign in')
    expect(await page.getByLabel('E-mail').inputValue()).toBe(ADMIN)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('admin-password')
    await fill(page, { Password: 'admin-password' })
    await press(page, 'Sign in')
    await arrive(page, 'One more step')
    await page.getByText('Already received').waitFor()
  })
})
