import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { application, code, filledApplication, login, profile } from './forms'
import { allEvents, loadWhenSent, openGallery, sentEvents, show } from './gallery'

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate(node => node === node.ownerDocument.activeElement)

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const lastSent = async (page: Page) =>
  (await sentEvents(page)).at(-1)?.[1] as Record<string, unknown>

describeInBrowser('a form in a browser', () => {
  it('is filled and sent by keyboard alone, from the field where one begins', async () => {
    const page = await openGallery({ form: login })
    await page.keyboard.type('ada@example.com')
    await press(page, 'Tab')
    await page.keyboard.type('correct horse')
    await press(page, 'Enter')
    const data = { email: 'ada@example.com', password: 'correct horse' }
    expect(await sentEvents(page)).toEqual([['submit', data]])
    expect((await allEvents(page)).filter(([name]) => name === 'update').at(-1)).toEqual([
      'update',
      data,
    ])
  })

  it('gives every control a label, and says what is required', async () => {
    const page = await openGallery({ form: application, data: filledApplication })
    const form = page.getByRole('form', { name: 'Tell us about your company' })
    expect(await form.getByLabel('Company', { exact: true }).getAttribute('required')).toBe('')
    expect(await form.getByLabel('Employees').getAttribute('required')).toBeNull()
    expect(await form.getByRole('radio', { name: 'Team' }).isChecked()).toBe(true)
    expect(await form.getByRole('radiogroup', { name: 'Plan' }).getAttribute('aria-required')).toBe(
      'true',
    )
    expect(await form.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('Canada')
    const address = form.getByRole('group', { name: 'Billing address' })
    expect(await address.getByRole('textbox', { name: 'City' }).inputValue()).toBe('London')
    expect(await form.getByLabel('I accept the terms').getAttribute('required')).toBe('')
    expect(await form.getByLabel('Account number').getAttribute('readonly')).toBe('')
    const unnamed = await form.getByRole('textbox', { name: /^$/u }).count()
    expect(unnamed).toBe(0)
  })

  it('sends numbers as numbers and flags as booleans, and leaves out what is empty', async () => {
    const page = await openGallery({ form: application, data: { device: 'kept' } })
    await page.getByLabel('Employees').fill('12')
    await page.getByLabel('Floor').fill('-1')
    await page.getByLabel('I accept the terms').check()
    await page.getByLabel('Country').selectOption('Denmark')
    await page.getByRole('button', { name: 'Send application' }).click()
    expect(await lastSent(page)).toEqual({
      company: '',
      firstName: '',
      lastName: '',
      employees: 12,
      country: 'Denmark',
      address: { street: '', postcode: '', city: '', floor: -1 },
      newsletter: false,
      terms: true,
      device: 'kept',
    })
    await page.getByLabel('Employees').fill('')
    await page.getByLabel('Floor').fill('two')
    await page.getByRole('button', { name: 'Send application' }).click()
    const { employees, address } = await lastSent(page)
    expect(employees).toBeUndefined()
    expect(address).toMatchObject({ floor: 'two' })
  })

  it('leaves out a group that is optional unless something of it is filled in', async () => {
    const page = await openGallery({ form: profile })
    const address = page.getByRole('group', { name: 'Address (optional)' })
    await press(page, 'Enter')
    expect((await lastSent(page)).address).toBeUndefined()
    await address.getByLabel('Street').fill('Main Street')
    await press(page, 'Enter')
    expect((await lastSent(page)).address).toEqual({ street: 'Main Street', zip: '' })
  })

  it('announces errors, ties them to their fields and goes to the first', async () => {
    const page = await openGallery({ form: application })
    await page.getByLabel('City').fill('London')
    await press(page, 'Enter')
    const errors = {
      'address.street': 'Please fill in this field.',
      plan: 'Please choose one.',
      'address.postcode': 'Five digits, please.',
    }
    await show(page, { form: structuredClone(application), errors })
    expect(await page.getByRole('alert').textContent()).toBe('Please check 3 fields.')
    expect(await isFocused(page.getByRole('radio', { name: 'Starter' }))).toBe(true)
    const street = page.getByLabel('Street')
    expect(await street.getAttribute('aria-invalid')).toBe('true')
    expect(await describedBy(street)).toBe('Please fill in this field.')
    expect(await describedBy(page.getByRole('radiogroup', { name: 'Plan' }))).toBe(
      'Please choose one.',
    )
    const city = page.getByLabel('City')
    expect(await city.getAttribute('aria-invalid')).toBe('false')
    expect(await city.inputValue()).toBe('London')
  })

  it('announces the same sentence again when it is said again', async () => {
    const page = await openGallery({ form: code, formMessage: 'That code is wrong.' })
    const alert = page.getByRole('alert')
    const notice = await alert.locator('.notice').elementHandle()
    await show(page, { loading: true })
    expect(await notice?.evaluate(node => node.isConnected)).toBe(true)
    await show(page, { loading: false })
    expect(await alert.textContent()).toBe('That code is wrong.')
    expect(await notice?.evaluate(node => node.isConnected)).toBe(false)
  })

  it('says what it has no field for, and why a request failed', async () => {
    const page = await openGallery({ form: login, errors: { device: 'Unknown device.' } })
    expect(await page.getByRole('alert').textContent()).toBe('Unknown device.')
    const error = { code: 'WF_NETWORK', message: 'There is no connection.' }
    await show(page, { error })
    const said = await page.getByRole('alert').locator('p').allTextContents()
    expect(said).toEqual(['There is no connection.', 'Unknown device.'])
  })

  it('leaves the focus where it is while errors stay the same', async () => {
    const page = await openGallery({ form: login, errors: { email: 'Please fill in this field.' } })
    const password = page.getByLabel('Password', { exact: true })
    await password.focus()
    await show(page, { errors: { email: 'Please fill in this field.' } })
    await page.keyboard.type('typed')
    expect(await password.inputValue()).toBe('typed')
  })

  it('keeps what was typed, passwords too, when the form comes back with errors', async () => {
    const page = await openGallery({ form: login })
    await page.getByLabel('E-mail').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('secret words')
    await press(page, 'Enter')
    await show(page, {
      form: structuredClone(login),
      data: { email: 'ada' },
      errors: { email: 'This does not look right.' },
    })
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('secret words')
    expect(await page.content()).not.toContain('secret words')
  })

  it('starts over with another form, and with the same one after it was accepted', async () => {
    const page = await openGallery({ form: login })
    await page.keyboard.type('ada@example.com')
    await show(page, { form: code })
    expect(await isFocused(page.getByLabel('Code'))).toBe(true)
    await page.keyboard.type('123456')
    await press(page, 'Enter')
    await show(page, { form: structuredClone(code) })
    expect(await page.getByLabel('Code').inputValue()).toBe('')
    await page.keyboard.type('654321')
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await show(page, { form: structuredClone(code) })
    expect(await page.getByLabel('Code').inputValue()).toBe('654321')
  })

  it('takes over data that changes from outside, and only that', async () => {
    const page = await openGallery({ form: application, data: { company: 'One' } })
    await page.getByLabel('First name').fill('Ada')
    await show(page, { data: { company: 'Two', tags: ['x'] } })
    expect(await page.getByLabel('Company', { exact: true }).inputValue()).toBe('Two')
    expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
    expect(await page.getByLabel('Tags 1', { exact: true }).inputValue()).toBe('x')
  })

  it('is sent once, however often Enter is pressed, and does not lose the focus', async () => {
    const page = await openGallery({ form: login })
    await loadWhenSent(page)
    await page.getByLabel('E-mail').fill('ada@example.com')
    const submit = page.getByRole('button', { name: 'Sign in' })
    await submit.focus()
    await press(page, 'Enter', 'Enter', 'Space')
    await page.getByRole('button', { name: 'Save for later' }).dispatchEvent('click')
    expect(await sentEvents(page)).toHaveLength(1)
    expect(await page.getByRole('form').getAttribute('aria-busy')).toBe('true')
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByRole('status').textContent()).toBe('Please wait.')
    expect(await isFocused(submit)).toBe(true)
    await show(page, { loading: false })
    await press(page, 'Enter')
    expect(await sentEvents(page)).toHaveLength(2)
  })

  it('sends actions, with what was typed only if they take it', async () => {
    const page = await openGallery({ form: login })
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: 'I forgot it' }).click()
    await page.getByRole('button', { name: 'Save for later' }).press('Enter')
    expect(await sentEvents(page)).toEqual([
      ['action', 'forgot'],
      ['action', 'draft', { email: 'ada@example.com', password: '' }],
    ])
  })

  it('adds and removes entries of a list by keyboard, and keeps the focus in it', async () => {
    const page = await openGallery({ form: application })
    const tags = page.getByRole('group', { name: 'Tags' })
    const add = tags.getByRole('button', { name: 'Add to Tags' })
    for (const tag of ['one', 'two', 'three']) {
      await add.press('Enter')
      await page.keyboard.type(tag)
    }
    expect(await add.count(), 'no more than three').toBe(0)
    const third = await tags.getByLabel('Tags 3', { exact: true }).elementHandle()
    await tags.getByRole('button', { name: 'Remove Tags 2' }).press('Enter')
    expect(await third?.evaluate(node => node.isConnected), 'the others keep theirs').toBe(true)
    const second = tags.getByLabel('Tags 2', { exact: true })
    expect(await second.inputValue()).toBe('three')
    expect(await isFocused(second)).toBe(true)
    await press(page, 'Tab', 'Space')
    expect(await isFocused(tags.getByLabel('Tags 1', { exact: true }))).toBe(true)
    await press(page, 'Tab', 'Space')
    expect(await isFocused(add)).toBe(true)
    expect(await tags.getByRole('textbox').count()).toBe(0)
  })

  it('shows errors inside of lists until their entries move', async () => {
    const data = { tags: ['fine', '', 'also fine'], colleagues: [{ name: 'Bo', email: 'bo' }] }
    const page = await openGallery({
      form: application,
      data,
      errors: { 'tags.1': 'Please fill in this field.', 'colleagues.0.email': 'Odd.' },
    })
    const tag = page.getByLabel('Tags 2', { exact: true })
    expect(await isFocused(tag)).toBe(true)
    expect(await describedBy(tag)).toBe('Please fill in this field.')
    const colleague = page.getByRole('group', { name: 'Colleagues 1' })
    expect(await describedBy(colleague.getByLabel('E-mail'))).toBe('Odd.')
    await page.getByRole('button', { name: 'Remove Tags 1' }).click()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(1)
    expect(await page.getByRole('alert').textContent()).toBe('Please check 1 field.')
  })

  it('shows and hides a password, and hides it when the form is sent', async () => {
    const page = await openGallery({ form: login })
    const password = page.getByLabel('Password', { exact: true })
    const toggle = page.getByRole('button', { name: 'Show password' })
    await password.fill('correct horse')
    expect(await toggle.getAttribute('aria-pressed')).toBe('false')
    await toggle.press('Space')
    expect(await toggle.getAttribute('aria-pressed')).toBe('true')
    expect(await password.getAttribute('type')).toBe('text')
    expect(await password.getAttribute('autocomplete')).toBe('current-password')
    await show(page, { loading: true })
    expect(await password.getAttribute('type')).toBe('password')
    expect(await password.getAttribute('value')).toBeNull()
  })

  it('lets a phone fill in a one-time code', async () => {
    const page = await openGallery({ form: code })
    const input = page.getByLabel('Code')
    expect(await input.getAttribute('autocomplete')).toBe('one-time-code')
    expect(await input.getAttribute('inputmode')).toBe('numeric')
    expect(await describedBy(input)).toBe('It is good for ten minutes.')
  })
})

/** The text that a screen reader adds to the name of an element. */
const describedBy = (element: Locator): Promise<string> =>
  element.evaluate(node => {
    const ids: string[] = (node.getAttribute('aria-describedby') ?? '').split(' ')
    return ids.map(id => node.ownerDocument.getElementById(id)?.textContent).join(' ')
  })
