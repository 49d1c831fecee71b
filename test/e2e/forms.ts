import { serializeAnnotatedType, type TAtscriptAnnotatedType } from '@atscript/typescript/utils'
import type { FormProps } from '../../example-app/web/form/form-props'
import { ApplicationForm, CodeForm } from '../fixtures/schemas/gallery-forms.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { ProfileForm } from '../fixtures/schemas/profile-form.as'

const formOf = (type: TAtscriptAnnotatedType) =>
  serializeAnnotatedType(type) as unknown as FormProps['form']

/** Forms as a browser gets them. */
export const login = formOf(LoginForm)
export const code = formOf(CodeForm)
export const application = formOf(ApplicationForm)
export const profile = formOf(ProfileForm)

/** The application with something in every field. */
export const filledApplication = {
  company: 'Analytical Engines',
  firstName: 'Ada',
  lastName: 'Lovelace',
  employees: 12,
  country: 'Canada',
  plan: 'Team',
  source: 'A talk',
  address: { street: '12 St James’s Square', postcode: 'SW1Y', city: 'London', floor: 2 },
  tags: ['mathematics', 'machines'],
  colleagues: [{ name: 'Charles Babbage', email: 'charles@example.com' }],
  notes: 'We would like to start in spring.',
  account: 'AE-1842',
  newsletter: true,
  terms: true,
}
