import {
  defineAnnotatedType as $,
  serializeAnnotatedType,
  type TAtscriptAnnotatedType,
} from '@atscript/typescript/utils'
import { describeForm, type WfFieldView, type WfFormSchema } from '@atscript/moost-wf/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LoginForm } from '../fixtures/schemas/login-form.as'

/** A form as it comes over the wire. */
const wire = (type: unknown): WfFormSchema =>
  JSON.parse(JSON.stringify(serializeAnnotatedType(type as TAtscriptAnnotatedType)))

type Metadata = Record<string, unknown>

const final = (designType: string, metadata: Metadata = {}, more: object = {}): WfFormSchema => ({
  type: { kind: '', designType, tags: [designType] },
  metadata,
  ...more,
})
const literal = (value: string | number | boolean, metadata: Metadata = {}): WfFormSchema => ({
  type: { kind: '', designType: typeof value, value },
  metadata,
})
const object = (props: Record<string, WfFormSchema>, metadata: Metadata = {}): WfFormSchema => ({
  type: { kind: 'object', props },
  metadata,
})
const union = (...items: WfFormSchema[]): WfFormSchema => ({
  type: { kind: 'union', items },
  metadata: {},
})

function fieldOf(schema: WfFormSchema, name = 'field'): WfFieldView | undefined {
  return describeForm(object({ [name]: schema })).fields[0]
}

describe('a compiled form', () => {
  it('is ready to be rendered', () => {
    expect(describeForm(wire(LoginForm))).toEqual({
      title: 'Sign in',
      description: undefined,
      submitText: 'Sign in',
      fields: [
        {
          name: 'email',
          label: 'E-mail',
          kind: 'text',
          type: 'email',
          required: true,
          disabled: false,
          secret: false,
          placeholder: 'ada@example.com',
          autocomplete: 'username',
        },
        {
          name: 'password',
          label: 'Password',
          kind: 'text',
          type: 'password',
          required: true,
          disabled: false,
          secret: true,
          hint: 'At least twelve characters.',
          autocomplete: 'current-password',
        },
      ],
      actions: [
        { id: 'forgot', label: 'I forgot it', withData: false },
        { id: 'draft', label: 'Save for later', withData: true },
      ],
    })
  })

  it('may nest', () => {
    const address = $('object')
      .prop('street', $().designType('string').tags('string').$type)
      .prop('zip', $().designType('string').tags('string').optional().$type)
    const order = $('object')
      .prop('home', address.$type)
      .prop('tags', $('array').of($().designType('string').tags('string').$type).$type)
    const { fields } = describeForm(wire(order.$type))
    expect(fields).toMatchObject([
      {
        name: 'home',
        kind: 'group',
        fields: [
          { name: 'street', required: true },
          { name: 'zip', required: false },
        ],
      },
      { name: 'tags', kind: 'list', item: { kind: 'text', label: 'Tags' } },
    ])
  })
})

describe('a field', () => {
  it.each([
    ['firstName', 'First name'],
    ['email', 'Email'],
    ['address2Line', 'Address2 line'],
    ['zip_code', 'Zip code'],
    ['user-id', 'User id'],
    ['userID', 'User id'],
    ['URL', 'Url'],
    ['straße', 'Straße'],
    ['', ''],
  ])('is called by its name in words: %s', (name, label) => {
    expect(fieldOf(final('string'), name)?.label).toBe(label)
  })

  it.each<[string, WfFormSchema, Partial<WfFieldView>]>([
    ['a text', final('string'), { kind: 'text', type: 'text', required: true }],
    ['a number', final('number'), { kind: 'number', type: 'number' }],
    ['a whole number', final('number', { 'expect.int': true }), { inputMode: 'numeric' }],
    ['a box', final('boolean'), { kind: 'flag', type: 'checkbox', required: false }],
    [
      'a box to be ticked',
      final('boolean', { 'meta.required': { message: 'Please.' } }),
      { kind: 'flag', required: true },
    ],
    ['a box that is true', literal(true), { kind: 'flag', required: true }],
    [
      'a box that may be true',
      { ...literal(true), optional: true },
      { kind: 'flag', required: false },
    ],
    ['something optional', final('string', {}, { optional: true }), { required: false }],
    ['a password', final('string', { 'ui.form.type': 'password' }), { type: 'password' }],
    ['a long text', final('string', { 'ui.form.type': 'textarea' }), { type: 'textarea' }],
    ['a date', final('string', { 'ui.form.type': 'date' }), { type: 'date', secret: false }],
    ['a switch', final('boolean', { 'ui.form.type': 'switch' }), { kind: 'flag', type: 'switch' }],
    [
      'something secret',
      final('string', { 'meta.sensitive': true }),
      { type: 'text', secret: true },
    ],
    [
      'a code',
      final('string', { 'ui.form.type': 'code' }),
      { type: 'text', inputMode: 'numeric', autocomplete: 'one-time-code', secret: true },
    ],
    [
      'a code by its completion',
      final('string', { 'ui.form.autocomplete': 'one-time-code' }),
      { type: 'text', inputMode: 'numeric', autocomplete: 'one-time-code', secret: true },
    ],
    ['something to read', final('string', { 'meta.readonly': true }), { disabled: true }],
    ['something off', final('string', { 'ui.form.disabled': true }), { disabled: true }],
    ['half a line', final('string', { 'ui.form.grid.colSpan': 'half' }), { span: 'half' }],
    ['a tuple', { type: { kind: 'tuple', items: [] }, metadata: {} }, { kind: 'text' }],
    ['this or that', union(final('string'), final('number')), { kind: 'text' }],
    ['a literal or a text', union(literal('a'), final('string')), { kind: 'text' }],
    ['nothing', union(), { kind: 'text' }],
  ])('is told by its type and annotations: %s', (_what, schema, expected) => {
    expect(fieldOf(schema)).toMatchObject(expected)
  })

  it('knows its limits, with a message or without', () => {
    const bare = { 'expect.minLength': 2, 'expect.maxLength': 9, 'expect.min': 1, 'expect.max': 0 }
    const limits = { minLength: 2, maxLength: 9, min: 1, max: 0 }
    expect(fieldOf(final('string', bare))).toMatchObject(limits)
    const worded = {
      'expect.minLength': { message: 'Longer.', length: 2 },
      'expect.maxLength': { length: 9, message: 'Shorter.' },
      'expect.min': { minValue: 1, message: 'More.' },
      'expect.max': { message: 'Less.', maxValue: 0 },
    }
    expect(fieldOf(final('number', worded))).toMatchObject(limits)
  })

  it('offers the literals of a union, nested or not', () => {
    const speeds = union(literal('nextDay'), union(literal('slow', { 'meta.label': 'In a week' })))
    expect(fieldOf(speeds)).toMatchObject({
      kind: 'choice',
      options: [
        { value: 'nextDay', label: 'Next day' },
        { value: 'slow', label: 'In a week' },
      ],
    })
    const codes = fieldOf(union(literal('EUR'), literal('A4')))?.options
    expect(codes?.map(({ label }) => label)).toEqual(['EUR', 'A4'])
    expect(fieldOf(union(literal(1), literal(2)))?.options).toEqual([
      { value: 1, label: '1' },
      { value: 2, label: '2' },
    ])
    expect(fieldOf(literal('only'))).toMatchObject({
      kind: 'choice',
      options: [{ value: 'only', label: 'Only' }],
    })
  })

  it('is joined from several types, the last of which counts', () => {
    const joined: WfFormSchema = {
      type: {
        kind: 'intersection',
        items: [
          object({ name: final('string'), age: final('number') }),
          {
            type: { kind: 'intersection', items: [object({ zip: final('string') })] },
            metadata: {},
          },
          object({ name: final('boolean') }),
        ],
      },
      metadata: {},
    }
    const expected = [
      { name: 'name', kind: 'flag' },
      { name: 'age', kind: 'number' },
      { name: 'zip', kind: 'text' },
    ]
    expect(fieldOf(joined)).toMatchObject({ kind: 'group', fields: expected })
    expect(describeForm(joined).fields).toMatchObject(expected)
  })

  it('that never ends is left out', () => {
    const ref: WfFormSchema = { type: { kind: '$ref', id: 'Node' }, metadata: {}, id: 'Node' }
    const children: WfFormSchema = { type: { kind: 'array', of: ref }, metadata: {} }
    const nested: WfFormSchema = { type: { kind: 'array', of: children }, metadata: {} }
    const form = object({ name: final('string'), parent: ref, children, nested })
    expect(describeForm(form).fields.map(({ name }) => name)).toEqual(['name'])
  })
})

describe('fields', () => {
  it('come in their order, and those without one behind, as they were', () => {
    const form = object({
      a: final('string'),
      b: final('string', { 'ui.form.order': 20 }),
      c: final('string'),
      d: final('string', { 'ui.form.order': -1 }),
      e: final('string', { 'ui.form.order': 20 }),
      f: final('string', { 'ui.form.hidden': true, 'ui.form.order': 0 }),
    })
    expect(
      describeForm(form)
        .fields.map(({ name }) => name)
        .join(''),
    ).toBe('dbeac')
  })
})

describe('actions', () => {
  it('stand on the form and on props that are buttons', () => {
    const form = object(
      {
        later: final('boolean', { 'ui.form.action': { id: 'later' }, 'ui.form.order': 2 }),
        name: final('string', { 'ui.form.order': 1 }),
        gone: final('boolean', { 'ui.form.action': { id: 'gone' }, 'ui.form.hidden': true }),
        note: final('phantom'),
      },
      {
        'ui.form.action': [{ id: 'resendCode' }, { id: 'help', label: 'Help me' }],
        'wf.action.withData': { id: 'draft', label: 'Save' },
      },
    )
    const { fields, actions } = describeForm(form)
    expect(fields.map(({ name }) => name)).toEqual(['name'])
    expect(actions).toEqual([
      { id: 'resendCode', label: 'Resend code', withData: false },
      { id: 'help', label: 'Help me', withData: false },
      { id: 'draft', label: 'Save', withData: true },
      { id: 'later', label: 'Later', withData: false },
    ])
  })

  it('on a group leave it a group, as on the server', () => {
    const home = object({ zip: final('string') }, { 'wf.action.withData': { id: 'lookUp' } })
    const { fields, actions } = describeForm(object({ home }))
    expect(fields).toMatchObject([{ name: 'home', kind: 'group' }])
    expect(actions).toMatchObject([{ id: 'lookUp' }])
  })
})

describe('junk', () => {
  const EMPTY = { submitText: 'Continue', fields: [], actions: [] }

  it.each([[undefined], [null], [7], ['form'], [[]], [{}], [{ type: null }], [{ metadata: 1 }]])(
    'is a form without fields: %j',
    junk => {
      expect(describeForm(junk as never)).toEqual(EMPTY)
    },
  )

  it('among literals is no literal', () => {
    const odd = { type: { kind: '', designType: 'string', value: { toString: 1 } }, metadata: {} }
    expect(fieldOf(odd as never)).toMatchObject({ kind: 'text' })
  })

  it('never throws', () => {
    const key = fc.oneof(
      fc.constantFrom('type', 'metadata', 'kind', 'props', 'items', 'of', 'value', 'tags', 'id'),
      fc.constantFrom('designType', 'optional', 'meta.label', 'meta.default', 'ui.form.order'),
      fc.constantFrom('ui.form.action', 'wf.action.withData', 'expect.min', 'ui.form.type'),
      fc.constantFrom('__proto__', 'toString', 'valueOf', 'constructor', 'length', 'label'),
    )
    const leaf = fc.oneof(
      fc.constantFrom('object', 'array', 'union', 'intersection', 'tuple', '$ref', 'toString', ''),
      fc.constantFrom('string', 'number', 'boolean', 'phantom', 'code', true, null, undefined),
      fc.double(),
    )
    const { junk } = fc.letrec(tie => ({
      junk: fc.oneof(
        { maxDepth: 8, withCrossShrink: true },
        leaf,
        fc.array(tie('junk'), { maxLength: 3 }),
        fc.dictionary(key, tie('junk'), { maxKeys: 5 }),
        fc.record({ type: tie('junk'), metadata: tie('junk') }),
        fc.record({ kind: leaf, props: tie('junk'), items: tie('junk'), of: tie('junk') }),
      ),
    }))
    fc.assert(
      fc.property(junk, value => {
        expect(describeForm(value as never).fields).toBeInstanceOf(Array)
      }),
      { numRuns: 2000 },
    )
  })
})
