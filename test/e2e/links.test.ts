import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, startSharedApp, type Visitor } from '../support/example-app'
import { withRuns } from './seed-runs'
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
} from './site'

let app: ExampleApp
let admin: Visitor
beforeAll(async () => {
  app = await startSharedApp()
  admin = await adminOf(app)
}, START_MS)

const accept = { Name: 'Grace Hopper', Password: PASSWORD }

/** As if its time had come. */
async function expire(inviteEmail: string): Promise<void> {
  await withRuns(app, async ({ runs, links }) => {
    const { flowId } = (await runs.findOne({ filter: { inviteEmail } }))!
    await links.updateMany({ flowId }, { expiresAt: Date.now() - 1000 })
  })
}

describeInBrowser('an invitation', () => {
  it('goes from an admin to somebody with another browser, who is signed in then', async () => {
    const page = await openSite(app, '/invite', { as: admin })
    await fill(page, { 'E-mail': 'grace@example.com' })
    await page.getByRole('radio', { name: 'manager', exact: false }).check()
    await press(page, 'Send the invitation')
    await arrive(page, 'The invitation is on its way')
    const link = linkIn(await app.mailTo('grace@example.com'))

    const grace = await openSite(app, link)
    await arrive(grace, 'You are invited')
    expect(grace.url(), 'the token is not in the address').not.toContain('wfs')
    await press(grace, 'Continue')
    await arrive(grace, 'Welcome')
    await grace.getByText('grace@example.com').waitFor()
    await fill(grace, { ...accept, Password: 'short' })
    await press(grace, 'Create my account')
    await grace.getByText('At least 12 characters, please.').waitFor()
    await grace.reload()
    await fill(grace, accept)
    await press(grace, 'Create my account')
    await arrive(grace, 'Hello, Grace Hopper')
  })

  it('can be opened from the inbox', async () => {
    await inviteBy(admin, app, 'inbox@example.com')
    const page = await openSite(app, '/inbox')
    await page.getByRole('radio', { name: 'Plain text' }).check()
    await page
      .getByRole('article')
      .filter({ hasText: 'To inbox@example.com' })
      .getByRole('link')
      .click()
    await arrive(page, 'You are invited')
    await press(page, 'Continue')
    await arrive(page, 'Welcome')
  })

  it('can be looked at by anybody, and used by one', async () => {
    const link = await inviteBy(admin, app, 'twice@example.com')
    const first = await openSite(app, link)
    const second = await openSite(app, link, { mayLog: MAY_REFUSE })
    await arrive(first, 'You are invited')
    await arrive(second, 'You are invited')
    await press(first, 'Continue')
    await arrive(first, 'Welcome')
    await press(second, 'Continue')
    await arrive(second, 'Welcome')
    await second.getByText('twice@example.com').waitFor()
    await fill(first, accept)
    await press(first, 'Create my account')
    await arrive(first, 'Hello, Grace Hopper')
    await fill(second, accept)
    await press(second, 'Create my account')
    await arrive(second, 'There is no open invitation here')
    await second.goto(link)
    await arrive(second, 'There is no open invitation here')
  })

  it('can be closed in the middle, and answered on another device', async () => {
    const link = await inviteBy(admin, app, 'phone@example.com')
    const laptop = await openSite(app, link)
    await press(laptop, 'Continue')
    await arrive(laptop, 'Welcome')
    await fill(laptop, { Name: 'Grace Hopper' })
    await laptop.close()
    const phone = await openSite(app, link)
    await press(phone, 'Continue')
    await arrive(phone, 'Welcome')
    await fill(phone, accept)
    await press(phone, 'Create my account')
    await arrive(phone, 'Hello, Grace Hopper')
  })

  it('is kept by the page until it is used, also over a reload', async () => {
    const page = await openSite(app, await inviteBy(admin, app, 'reload@example.com'))
    await arrive(page, 'You are invited')
    await page.reload()
    await arrive(page, 'You are invited')
    await press(page, 'Continue')
    await arrive(page, 'Welcome')
  })

  it('says that it has expired', async () => {
    const link = await inviteBy(admin, app, 'late@example.com')
    await expire('late@example.com')
    const page = await openSite(app, link, { mayLog: MAY_REFUSE })
    await arrive(page, 'There is no open invitation here')
    await page.getByText('Ask whoever invited you for a new one.').waitFor()
  })

  it('does not show the form of the admin to an admin who has no link', async () => {
    const page = await openSite(app, '/accept', { as: admin })
    await arrive(page, 'There is no open invitation here')
    await page.getByText('Please open the link in your mail.').waitFor()
  })
})

describeInBrowser('recovering a password', () => {
  it('sends a link that works once, in any browser', async () => {
    const page = await openSite(app, '/sign-in')
    await page.getByRole('link', { name: 'I forgot my password' }).click()
    await arrive(page, 'Forgot your password?')
    await fill(page, { 'E-mail': 'manager@example.com' })
    await press(page, 'Send me a link')
    await arrive(page, 'Look into your mail')
    const link = linkIn(await app.mailTo('manager@example.com', 'Set a new password'))

    const other = await openSite(app, link, { mayLog: MAY_REFUSE })
    await arrive(other, 'Set a new password')
    await press(other, 'Continue')
    await arrive(other, 'A new password')
    await fill(other, { 'New password': PASSWORD })
    await press(other, 'Save the password')
    await arrive(other, 'Sign in')
    await fill(other, { 'E-mail': 'manager@example.com', Password: PASSWORD })
    await press(other, 'Sign in')
    await arrive(other, 'Hello, Max Manager')

    await other.goto(link)
    await arrive(other, 'This link does not work any more')
    await press(other, 'Ask for a new link')
    await arrive(other, 'Forgot your password?')
  })

  it('says the same for an address without an account', async () => {
    const page = await openSite(app, '/recover')
    await fill(page, { 'E-mail': 'nobody@example.com' })
    await press(page, 'Send me a link')
    await arrive(page, 'Look into your mail')
  })
})
