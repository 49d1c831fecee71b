import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { EveryKindForm } from '../fixtures/schemas/every-kind-form.as'
import { openApprovals } from '../support/approval-app'
import { describeInBrowser, openPage, type PageOptions, screenshot } from '../support/browser'
import { accessibilityProblems, colorProblems } from './axe'

const WITHOUT_SCRIPTS: PageOptions = { javaScriptEnabled: false }
const GONE = /status of 410/u
const DONE = 'Done. You can close this page.'

/** A link whose form may be seen at once, and a person whose browser runs no script. */
async function openForm(options: Parameters<typeof openApprovals>[0] = {}) {
  const app = await openApprovals({
    config: { confirmPage: {} },
    link: { showContext: true },
    ...options,
  })
  const link = `${app.url}/wf?wfs=${encodeURIComponent(await app.ask())}`
  const visit = async (page: PageOptions = {}) => {
    const opened = await openPage({ ...WITHOUT_SCRIPTS, ...page })
    await opened.goto(link)
    return opened
  }
  return { app, link, visit }
}

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describeInBrowser('the form of a link, in a browser without scripts', () => {
  it('is opened, closed, opened on a phone and answered there', async () => {
    const { app, visit } = await openForm()
    const desk = await visit()
    expect(await headingOf(desk)).toBe('Your decision')
    await desk.close()
    const phone = await visit({ viewport: { width: 360, height: 740 } })
    await phone.getByLabel('approve').check()
    await press(phone, 'Continue')
    expect(await headingOf(phone)).toBe(DONE)
    expect(app.ran.filter(step => step === 'decide')).toHaveLength(1)
    const late = await visit({ mayLog: GONE })
    expect(await headingOf(late)).toContain('answered already')
  })

  it('says what is wrong, leads to it, and takes the right answer then', async () => {
    const { visit } = await openForm()
    const page = await visit()
    await page.getByLabel('Comment').fill('far more than twenty characters')
    await press(page, 'Continue')
    expect(await page.title()).toBe('Error: Your decision')
    await screenshot(page, 'form-page-wrong')
    const way = page.getByRole('link', { name: /^Decision/u })
    await way.click()
    expect(await page.getByLabel('approve').evaluate(it => it.matches(':target'))).toBe(true)
    expect(await page.getByLabel('Comment').inputValue()).toContain('far more')
    await page.getByLabel('reject').check()
    await page.getByLabel('Comment').fill('no')
    await press(page, 'Continue')
    expect(await headingOf(page)).toBe(DONE)
  })

  it('is answered in one of two tabs', async () => {
    const { app, visit } = await openForm()
    const [one, two] = [await visit(), await visit({ mayLog: GONE })]
    await one.getByLabel('approve').check()
    await press(one, 'Continue')
    await two.getByLabel('reject').check()
    await press(two, 'Continue')
    expect(await headingOf(one)).toBe(DONE)
    expect(await headingOf(two)).toContain('answered already')
    expect(app.ran.filter(step => step === 'decide')).toHaveLength(1)
  })

  it('goes on by its other buttons', async () => {
    const { visit } = await openForm()
    const page = await visit()
    await press(page, 'Not now')
    expect(await headingOf(page)).toBe(DONE)
  })

  it('asks for every kind of field, by the keyboard, and reads each by its type', async () => {
    let seen: unknown
    const { visit } = await openForm({ form: EveryKindForm, onInput: input => (seen = input) })
    const page = await visit()
    await page.getByLabel('Name').first().fill('Ada')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByLabel('Guests').fill('3')
    await page.getByLabel('Day', { exact: true }).fill('2026-11-18')
    await page.getByLabel('small').check()
    await page.getByLabel('Country').selectOption('Greece')
    await page.getByLabel('main').check()
    await page.getByLabel('dessert').check()
    await page.getByLabel('Note').fill('A window,\nplease')
    await page.getByLabel('I accept the terms').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Send it' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: DONE }).waitFor()
    expect(seen).toMatchObject({
      name: 'Ada',
      guests: 3,
      day: '2026-11-18',
      size: 'small',
      country: 'Greece',
      courses: ['main', 'dessert'],
      note: 'A window,\nplease',
      news: false,
      terms: true,
    })
  })

  describe.each(['light', 'dark'] as const)('in %s', colorScheme => {
    it.each([
      ['empty', false],
      ['with errors', true],
    ])('is accessible, %s', async (name, isWrong) => {
      const { visit } = await openForm({ form: EveryKindForm })
      // axe is a script, put there by the browser itself: the policy of the page lets none in.
      const page = await visit({ colorScheme, javaScriptEnabled: true })
      if (isWrong) await press(page, 'Send it')
      await screenshot(page, `form-page-${isWrong ? 'errors' : 'empty'}-${colorScheme}`)
      expect(await accessibilityProblems(page), name).toEqual([])
      expect(await colorProblems(page), name).toEqual([])
    })
  })
})
