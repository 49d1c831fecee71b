import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, type PageOptions } from '../support/browser'
import type { ExampleApp, Mail, Visitor } from '../support/example-app'

export const PASSWORD = 'a-long-enough-password'

/** Refusals that Chromium logs: a link that is gone, a form that was refused, nobody signed in. */
export const MAY_REFUSE = /status of 4(?:01|03|04|09|10|29)/u

/** Mails have links to this origin, and cookies are for one origin. */
export const originOf = ({ url }: ExampleApp): string => url.replace('127.0.0.1', 'localhost')

/** Nothing runs in the frame of a mail, and the driver of the browser tries at times. */
const IN_MAIL = /^Blocked script execution in '[^']*\/api\/inbox\//u

export interface SiteOptions extends PageOptions {
  /** Whose session the browser has. */
  readonly as?: Visitor
  /** Called before anything is loaded. */
  readonly before?: (page: Page) => Promise<unknown>
}

/** A page of the running application, in a browser of its own. */
export async function openSite(
  app: ExampleApp,
  path: string,
  { as, before, mayLog, ...options }: SiteOptions = {},
): Promise<Page> {
  const expected = new RegExp([IN_MAIL, mayLog].flatMap(each => each?.source ?? []).join('|'), 'u')
  const page = await openPage({ baseURL: originOf(app), mayLog: expected, ...options })
  if (as) await adopt(page.context(), as, app)
  await before?.(page)
  await page.goto(path)
  return page
}

async function adopt(context: BrowserContext, visitor: Visitor, app: ExampleApp): Promise<void> {
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: originOf(app) }))
  await context.addCookies(cookies)
}

/** Signs in by the API, for tests of what comes behind it. */
export async function visitorOf(
  app: ExampleApp,
  name: 'manager' | 'second-manager' | 'member',
): Promise<Visitor> {
  const visitor = app.visitor()
  await visitor.signIn(`${name}@example.com`, `${name}-password`)
  expect(await visitor.user()).toMatchObject({ email: `${name}@example.com` })
  return visitor
}

export async function adminOf(app: ExampleApp): Promise<Visitor> {
  const visitor = app.visitor()
  await visitor.signInAdmin()
  expect(await visitor.user()).toMatchObject({ role: 'admin' })
  return visitor
}

/** The address in a mail. */
export const linkIn = ({ text }: Mail): string => /https?:\/\/\S+/u.exec(text)?.[0] ?? ''

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })

/** Waits for a page by its heading. */
export const arrive = (page: Page, name: string | RegExp) => heading(page, name).waitFor()

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()

/** Types into the fields of the form, by their labels. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('form').getByLabel(label, { exact: true }).fill(value)
  }
}

/** For `before`: the clock of the page can then be told to go on. */
export const withClock = (page: Page) => page.clock.install()

/** Lets the seconds pass after which a page asks the server again. */
export const passSeconds = (page: Page) => page.clock.fastForward(4000)

/** An invitation that is on its way, and its link. */
export async function inviteBy(admin: Visitor, app: ExampleApp, email: string, role = 'member') {
  const { body } = await admin.wf({ wfid: 'users/invite', input: { email, role } })
  expect(body).toMatchObject({ sent: true, outlet: 'email' })
  return linkIn(await app.mailTo(email))
}

/** How long the application may take to start on a busy machine; it may have to build its pages. */
export const START_MS = 60_000
