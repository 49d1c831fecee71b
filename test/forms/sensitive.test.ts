import { expect, it } from 'vitest'
import { stepFormOf } from '../../src/forms/step-form'
import type { ObjectForm } from '../../src/forms/form-type'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { DecisionForm } from '../fixtures/schemas/decision-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { typesOf } from '../support/atscript'

const isSensitive = (form: unknown) => stepFormOf(form as ObjectForm).isSensitive

it('a form that asks for a password or a code is sensitive, and another is not', () => {
  expect(isSensitive(LoginForm)).toBe(true)
  expect(isSensitive(CodeForm)).toBe(true)
  expect(isSensitive(DecisionForm)).toBe(false)
})

it.each([
  ['by its input', `@ui.form.type 'password'\n a: string`, true],
  ['by what browsers fill in', `@ui.form.autocomplete 'one-time-code'\n a: string`, true],
  ['deep inside', `a: { b: { @meta.sensitive\n c: string }[] }`, true],
  ['not at all', `@meta.label 'password'\n a: string`, false],
])('a field is sensitive %s', async (_title, field, expected) => {
  const { Form } = await typesOf(`export interface Form {\n ${field}\n}`)
  expect(isSensitive(Form)).toBe(expected)
})
