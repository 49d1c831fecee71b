import { defineAnnotatedType, Validator } from '@atscript/typescript/utils'
import type { WfForm } from '@atscript/moost-wf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateInput } from '../../src/forms/validate-input'
import { scaled } from '../support/scale'

/** A type, and values that often fit it. */
interface Sample {
  readonly type: WfForm
  readonly values: fc.Arbitrary<unknown>
}

const junk = fc.constantFrom<unknown>(null, '', 'x', '12', 0, 1.5, -1, true, false, [], {}, ['x'])
const mostly = (values: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: junk })

const sample = (type: WfForm, values: fc.Arbitrary<unknown>): Sample => ({
  type,
  values: mostly(values),
})

const plain = (kind: string, rules: Record<string, unknown> = {}) => {
  const type = defineAnnotatedType().designType(kind as never)
  for (const [name, rule] of Object.entries(rules)) {
    type.annotate(name as never, rule as never, name === 'expect.pattern')
  }
  return type.$type as WfForm
}

const optional = (type: WfForm): WfForm => Object.assign(Object.create(type), { optional: true })

const PLAIN: readonly Sample[] = [
  sample(plain('string'), fc.constantFrom('', 'a', 'b')),
  sample(plain('string', { 'meta.required': true }), fc.constantFrom(' ', 'a')),
  sample(
    plain('string', { 'expect.minLength': { length: 2 }, 'expect.maxLength': { length: 3 } }),
    fc.constantFrom('a', 'aa', 'aaa', 'aaaa'),
  ),
  sample(
    plain('string', { 'expect.pattern': { pattern: '^[0-9]+$' } }),
    fc.constantFrom('1', '12', 'a1', ''),
  ),
  sample(plain('number'), fc.constantFrom(0, 1, 1.5, -1)),
  sample(
    plain('number', { 'expect.int': true, 'expect.min': { minValue: 0 } }),
    fc.constantFrom(0, 1, 1.5, -1),
  ),
  sample(plain('number', { 'expect.max': { maxValue: 1 } }), fc.constantFrom(0, 1, 1.5)),
  sample(plain('boolean'), fc.boolean()),
  sample(plain('boolean', { 'meta.required': true }), fc.boolean()),
  sample(plain('decimal'), fc.constantFrom('1', '-1.50', '1.', '.5')),
  sample(plain('null'), fc.constant(null)),
  sample(plain('any'), fc.constantFrom<unknown>('x', { x: [1] }, null)),
  sample(
    defineAnnotatedType().designType('string').value('x').$type as WfForm,
    fc.constantFrom('x', 'y'),
  ),
]

const NAMES = ['a', 'b', 'c', 'd']

const object = (fields: readonly [Sample, boolean][], entries: readonly Sample[]): Sample => {
  const type = defineAnnotatedType('object')
  const values: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [index, [field, isOptional]] of fields.entries()) {
    type.prop(NAMES[index]!, isOptional ? optional(field.type) : field.type)
    values[NAMES[index]!] = isOptional ? fc.oneof(field.values, fc.constant(null)) : field.values
  }
  for (const [index, entry] of entries.entries()) {
    type.propPattern(index === 0 ? /^x/u : /^xy?/u, entry.type)
    values[index === 0 ? 'xa' : 'xy'] = entry.values
  }
  const sent = fc.record({ ...values, unknown: junk }, { requiredKeys: [] })
  return sample(type.$type as WfForm, fc.oneof(sent, fc.record(values)))
}

const list = (item: Sample): Sample => {
  const type = defineAnnotatedType('array').of(item.type)
  return sample(type.$type as WfForm, fc.array(item.values, { maxLength: 3 }))
}

const group = (kind: 'tuple' | 'union', items: readonly Sample[]): Sample => {
  const type = defineAnnotatedType(kind)
  for (const item of items) type.item(item.type)
  const values = items.map(item => item.values)
  return sample(type.$type as WfForm, kind === 'tuple' ? fc.tuple(...values) : fc.oneof(...values))
}

const { form } = fc.letrec<{ form: Sample; any: Sample }>(tie => {
  const some = (least: number) => fc.array(tie('any'), { minLength: least, maxLength: 3 })
  const section = fc
    .tuple(
      fc.array(fc.tuple(tie('any'), fc.boolean()), { maxLength: 4 }),
      fc.array(tie('any'), { maxLength: 2 }),
    )
    .map(([fields, entries]) => object(fields, entries))
  return {
    form: section,
    any: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.constantFrom(...PLAIN),
      section,
      tie('any').map(list),
      some(1).map(items => group('tuple', items)),
      some(2).map(items => group('union', items)),
    ),
  }
})

const cases = form.chain(({ type, values }) =>
  fc.record({ type: fc.constant(type), input: values, partial: fc.boolean() }),
)

describe('what is judged right', () => {
  it('is what the validator of atscript judges right, and has nothing that is unknown', () => {
    let right = 0
    fc.assert(
      fc.property(cases, ({ type, input: sent, partial }) => {
        const input: unknown = JSON.parse(JSON.stringify(sent))
        const check = (unknownProps: 'ignore' | 'error') =>
          new Validator(type, { partial: partial ? 'deep' : false, unknownProps })
        const result = validateInput(type as never, input, partial)
        expect('data' in result).toBe(check('ignore').validate(input, true))
        if (!('data' in result)) return
        right++
        expect(check('error').validate(result.data, true)).toBe(true)
      }),
      { numRuns: scaled(5000, 200_000) },
    )
    expect(right).toBeGreaterThan(500)
  })
})
