import { expect, it } from 'vitest'
import { describeInBrowser, screenshot } from '../support/browser'
import { accessibilityProblems, colorProblems } from './axe'
import { application, code, filledApplication, login, profile } from './forms'
import { openGallery } from './gallery'

const wrongCode = { form: code, errors: { code: 'Six digits, please.' } }
const badApplication = {
  form: application,
  data: { ...filledApplication, company: '', plan: undefined, terms: false },
  errors: {
    company: 'Please fill in this field.',
    plan: 'Please choose one.',
    'address.postcode': 'Five digits, please.',
    'tags.1': 'At most 5 characters, please.',
    colleagues: 'At least 2 entries, please.',
    terms: 'Please tick this box.',
  },
}

const STATES = {
  login: { form: login },
  profile: { form: profile, data: { account: 'AE-1842', tags: ['one'] } },
  'login-loading': { form: login, data: { email: 'ada@example.com' }, loading: true },
  'code-error': wrongCode,
  'code-message': { form: code, formMessage: 'That code is wrong. You have two tries left.' },
  'application-empty': { form: application },
  application: { form: application, data: filledApplication },
  'application-errors': badApplication,
}

const LOOKS = [
  ['dark', colorProblems],
  ['light', accessibilityProblems],
] as const

const WIDE = { width: 900, height: 900 }
const PHONE = { width: 360, height: 740 }

describeInBrowser('the form', () => {
  it.each(Object.entries(STATES))(
    'gives axe nothing to complain about, and fits a phone: %s',
    async (name, props) => {
      const page = await openGallery(props, { viewport: WIDE })
      for (const [colorScheme, problems] of LOOKS) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(WIDE)
        await screenshot(page, `${name}-${colorScheme}`)
        expect(await problems(page), colorScheme).toEqual([])
        await page.setViewportSize(PHONE)
        await screenshot(page, `${name}-${colorScheme}-phone`)
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(await accessibilityProblems(page), 'phone').toEqual([])
    },
  )
})
