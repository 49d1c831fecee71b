import {
  extractPassContext,
  getFormActions,
  serializeFormSchema,
  useAtscriptWf,
  type WfForm,
} from '@atscript/moost-wf'
import { listFormActions } from '@atscript/moost-wf/forms'
import { deserializeAnnotatedType } from '@atscript/typescript/utils'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { DeliveryForm } from '../fixtures/schemas/delivery-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { ProfileForm } from '../fixtures/schemas/profile-form.as'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'

const NO_FORMS = [undefined, null, 7, 'LoginForm', {}, Object, Date, LoginForm.type]

describe('serializeFormSchema', () => {
  it('gives what atscript reads back', () => {
    const read = deserializeAnnotatedType(JSON.parse(JSON.stringify(serializeFormSchema(CodeForm))))
    expect(read.validator().validate({ code: '123456' }, true)).toBe(true)
    expect(read.validator().validate({ code: 'x' }, true)).toBe(false)
    expect(read.metadata.get('ui.form.submit.text')).toBe('Check')
  })

  it('leaves out what only the server needs', () => {
    const text = JSON.stringify([WfStateRow, LoginForm, ProfileForm].map(serializeFormSchema))
    expect(text).not.toMatch(/"(?:db|wf\.store|wf\.context|ui\.table)\./u)
    expect(text).toContain('wf.action.withData')
  })

  it('writes a named type out wherever it is used, and refers only to what contains itself', () => {
    const schema = JSON.parse(JSON.stringify(serializeFormSchema(DeliveryForm)))
    const { billing, shipping, puk, tree } = schema.type.props
    expect(shipping).toEqual({
      ...billing,
      metadata: { ...billing.metadata, 'meta.label': 'Shipping' },
      optional: true,
    })
    expect(puk.metadata).toMatchObject({ 'meta.sensitive': true, 'ui.form.type': 'password' })
    expect(tree.type.props.branches.type.of.type).toEqual({ kind: '$ref', id: tree.id })
    const read = deserializeAnnotatedType(schema)
    const input = { billing: { street: 'a' }, pin: '1', puk: '2' }
    expect(read.validator().validate(input, true)).toBe(true)
    const nested = { name: 'x', branches: [{ name: 'y', branches: [{ name: 7 }] }] }
    expect(read.validator().validate({ ...input, tree: nested }, true)).toBe(false)
  })

  it('is made once, and cannot be changed', () => {
    const schema = serializeFormSchema(LoginForm)
    expect(serializeFormSchema(LoginForm)).toBe(schema)
    expect(() => Object.assign(schema.metadata, { 'meta.label': 'Changed' })).toThrow(TypeError)
    expect(() =>
      Object.assign(LoginForm.metadata.get('wf.action.withData') ?? {}, {}),
    ).not.toThrow()
    expect(Object.isFrozen(LoginForm.metadata.get('wf.context.pass'))).toBe(false)
  })

  it.each(NO_FORMS)('refuses %j', form => {
    expect(() => serializeFormSchema(form as unknown as WfForm)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })
})

describe('listFormActions', () => {
  it('finds those of the form and those of its fields', () => {
    expect(listFormActions(ProfileForm)).toEqual([
      { id: 'skip', label: 'Skip this', withData: false },
      { id: 'draft', label: 'Save for later', withData: true },
      { id: 'help', label: 'Help me', withData: false },
      { id: 'leave', label: undefined, withData: false },
    ])
    expect(listFormActions(WfStateRow)).toEqual([])
  })

  it('is made once', () => {
    expect(listFormActions(LoginForm)).toBe(listFormActions(LoginForm))
  })

  it.each(NO_FORMS)('refuses %j', form => {
    expect(() => listFormActions(form as unknown as WfForm)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })
})

describe('getFormActions', () => {
  it('tells those that take no data from those that do', () => {
    expect(getFormActions(ProfileForm)).toEqual({
      actions: ['skip', 'help', 'leave'],
      actionsWithData: ['draft'],
    })
    expect(getFormActions(WfStateRow)).toEqual({ actions: [], actionsWithData: [] })
  })

  it.each(NO_FORMS)('refuses %j', form => {
    expect(() => getFormActions(form as unknown as WfForm)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })
})

describe('extractPassContext', () => {
  it('has the keys that the form names, and no other', () => {
    const context = { tenant: 'acme', attempts: 0, password: 'x', errors: { a: 'b' } }
    expect(extractPassContext(LoginForm, context)).toEqual({ tenant: 'acme', attempts: 0 })
    expect(extractPassContext(ProfileForm, context)).toEqual({ tenant: 'acme' })
    expect(extractPassContext(CodeForm, context)).toEqual({})
  })

  it.each([undefined, null, 'tenant', ['tenant'], 7])('has none of %j', context => {
    expect(extractPassContext(LoginForm, context)).toEqual({})
  })

  it('does not pass what is inherited, nor the keys where errors go', () => {
    const form = (key: string) => ({ metadata: new Map([['wf.context.pass', [key]]]) })
    for (const key of ['toString', 'constructor', '__proto__', 'errors', 'formMessage']) {
      const passed = extractPassContext(form(key) as unknown as WfForm, {
        errors: 1,
        formMessage: 2,
      })
      expect(Object.entries(passed), key).toEqual([])
    }
  })
})

describe('useAtscriptWf', () => {
  it('is typed from the form', () => {
    const open = () => useAtscriptWf(LoginForm)
    const all = () => open().resolveInput()
    const some = () => open().resolveInput({ partial: true })
    const passed = () => open().resolveInput({ pass: true })
    expectTypeOf(all).returns.toHaveProperty('password').toEqualTypeOf<string>()
    expectTypeOf(some).returns.toHaveProperty('password').toEqualTypeOf<string | undefined>()
    expectTypeOf(passed).returns.extract<undefined>().toEqualTypeOf<undefined>()
    expectTypeOf(all).returns.extract<undefined>().toEqualTypeOf<never>()
    expectTypeOf(() => open().requireInput()).returns.toEqualTypeOf<never>()
  })
})
